/** What Dependencies are injected by. */
export const DEPENDENCIES = Symbol("DEPENDENCIES");
