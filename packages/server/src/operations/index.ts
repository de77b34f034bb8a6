import { feedbackOperations } from "./feedback.ts";
import { meOperations } from "./me.ts";
import { moderationOperations } from "./moderation.ts";
import type { Operations } from "./operation.ts";
import { projectOperations } from "./projects.ts";

/** Every operation of the contract. */
export const operations: Operations = {
  ...projectOperations,
  ...feedbackOperations,
  ...moderationOperations,
  ...meOperations,
};
export type { Call, Dependencies, Input, Operation, Operations, Output } from "./operation.ts";
