/** The injection token of `Dependencies`. */
export const DEPENDENCIES = Symbol("DEPENDENCIES");
