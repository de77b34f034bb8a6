import type { Depth } from "../src/engine/terms.ts";

/** One server to judge at one depth. */
export interface Job {
  readonly kind: "mutant" | "choice" | "program";
  readonly id: string;
  readonly depth: Depth;
}
