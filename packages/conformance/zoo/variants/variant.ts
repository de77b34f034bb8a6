import type { Deployment } from "../../src/options.ts";
import type { Alteration } from "../reference.ts";
import type { Distortion } from "../wire.ts";

/** A server that keeps every stated clause and chooses otherwise where the interface leaves a choice. */
export interface Variant {
  readonly id: string;
  readonly says: string;
  /** What its operator would write in conformance.yaml; the reference's way to a draft when absent. */
  readonly deployment?: Deployment;
  readonly alter?: () => Alteration;
  readonly distort?: Distortion;
  /** A program in another language, in this folder, instead of the reference. */
  readonly program?: string;
}
