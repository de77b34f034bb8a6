/** What Dependencies are injected by. */
export const SURROUNDINGS = Symbol("SURROUNDINGS");
