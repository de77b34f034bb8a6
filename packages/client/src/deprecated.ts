import type { ErrorProperties } from "./errors.ts";
import type { ResponseMetadata } from "./metadata.ts";
import type { OperationMethods } from "./operation-methods.ts";

// The names of version 1.0.

/** @deprecated Use {@link ErrorProperties}. */
export type Facts = ErrorProperties;

/** @deprecated Use {@link ResponseMetadata}. */
export type AnswerFacts = ResponseMetadata;

/** @deprecated Use {@link OperationMethods}. */
export type Surface = OperationMethods;
