/** What Surroundings are injected by. */
export const SURROUNDINGS = Symbol("SURROUNDINGS");
