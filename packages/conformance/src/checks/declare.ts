import type { Check } from "../engine/check.ts";

type Declared = Omit<Check, "level" | "needs" | "cost"> & Partial<Pick<Check, "needs" | "cost">>;

/** A check that decides the verdict. It assumes nothing that the interface leaves open. */
export const stated = (declared: Declared): Check => ({ needs: [], cost: {}, ...declared, level: "stated" });

/** A check that compares with the reference's own choices. */
export const chosen = (declared: Declared): Check => ({ needs: [], cost: {}, ...declared, level: "chosen" });
