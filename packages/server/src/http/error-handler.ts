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
      const error = asHttpError(thrown) ?? unexpected(thrown, isOutage);
      ctx.state.cause = error.cause;
      respond(ctx, errorResponse(error));
      ctx.message = error.phrase;
    }
  };
}

function unexpected(cause: unknown, isOutage: (error: unknown) => boolean): HttpError {
  if (cause instanceof DeadlineExceededError) {
    const message = "The service took too long to answer. Try again shortly.";
    return new HttpError("ServiceUnavailable", message, { headers: retryLater });
  }
  if (isOutage(cause)) {
    const message = "The service cannot reach its database. Try again shortly.";
    return new HttpError("ServiceUnavailable", message, { headers: retryLater, cause });
  }
  const message = "The service failed. Try again, and give the X-Request-Id to support.";
  return new HttpError("InternalServerError", message, { cause });
}
