import { baseAndKeys } from "./base-and-keys.ts";
import { consequenceMutants } from "./consequences.ts";
import { everywhereMutants } from "./everywhere.ts";
import { developerMutants, feedbackMutants } from "./feedback.ts";
import { listMutants } from "./lists.ts";
import type { Mutant } from "./mutant.ts";
import { parameterMutants } from "./parameters.ts";
import { projectMutants } from "./projects.ts";
import { rateMutants } from "./rates.ts";

/** Every server with a defect. */
export const mutants: readonly Mutant[] = [
  ...baseAndKeys,
  ...listMutants,
  ...projectMutants,
  ...feedbackMutants,
  ...developerMutants,
  ...rateMutants,
  ...everywhereMutants,
  ...parameterMutants,
  ...consequenceMutants,
];
