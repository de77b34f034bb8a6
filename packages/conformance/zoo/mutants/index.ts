import { baseAndKeys } from "./base-and-keys.ts";
import { developerMutants, feedbackMutants } from "./feedback.ts";
import { listMutants } from "./lists.ts";
import type { Mutant } from "./mutant.ts";
import { projectMutants } from "./projects.ts";
import { rateMutants } from "./rates.ts";

/** Every deliberately broken server. */
export const mutants: readonly Mutant[] = [
  ...baseAndKeys,
  ...listMutants,
  ...projectMutants,
  ...feedbackMutants,
  ...developerMutants,
  ...rateMutants,
];
