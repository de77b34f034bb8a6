import type { ContractOperation } from "../contract/contract.ts";
import { DeadlineExceededError } from "../deadline.ts";
import type { Middleware } from "./context.ts";
import { asHttpError, HttpError } from "./http-error.ts";
import { errorResponse, respond } from "./response.ts";

const retryLater = { "Retry-After": "2" };

/** Turns whatever is thrown into a response, the only place that does (C-ERR-1, C-ERR-2). */
export function errorHandler(isOutage: (error: unknown) => boolean): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      const error = asHttpError(thrown) ?? unexpected(thrown, isOutage, ctx.state.operation);
      ctx.state.cause = error.cause;
      respond(ctx, errorResponse(error));
      ctx.message = error.phrase;
    }
  };
}

function unexpected(
  cause: unknown,
  isOutage: (error: unknown) => boolean,
  operation: ContractOperation | undefined,
): HttpError {
  if (cause instanceof DeadlineExceededError) {
    const message = `The service took too long to answer. ${adviceAfter(operation)}`;
    return new HttpError("ServiceUnavailable", message, { headers: retryLater });
  }
  if (isOutage(cause)) {
    const message = `The service cannot reach its database. ${adviceAfter(operation)}`;
    return new HttpError("ServiceUnavailable", message, { headers: retryLater, cause });
  }
  const message = "The service failed. Try again, and give the X-Request-Id to support.";
  return new HttpError("InternalServerError", message, { cause });
}

/** What to do after a 503. It may hide a write whose commit was sent and not answered in time. */
function adviceAfter(operation: ContractOperation | undefined): string {
  if (operation === undefined || operation.method === "get") return "Try again shortly.";
  return operation.headerNames.includes("idempotency-key")
    ? "The change may have been made: send it again with the same Idempotency-Key, or check first whether it was made."
    : "The change may have been made: check whether it was made before you try again.";
}
