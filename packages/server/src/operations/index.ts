import { feedbackOperations } from "./feedback.ts";
import { moderationOperations } from "./moderation.ts";
import type { Operations } from "./operation.ts";
import { projectOperations } from "./projects.ts";

/** Every operation of the contract. */
export const operations: Operations = { ...projectOperations, ...feedbackOperations, ...moderationOperations };
export type { Call, Dependencies, Input, Operation, Operations, Output } from "./operation.ts";
