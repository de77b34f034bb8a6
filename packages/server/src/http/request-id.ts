import { randomUUID } from "node:crypto";
import { Deadline, requestTimeoutMs } from "../deadline.ts";
import type { Middleware } from "./context.ts";

const visible = /^[!-~]{1,128}$/;

/** Gives the request its id, which is the caller's own where that is well-formed, and its deadline (C-ERR-4). */
export const requestId: Middleware = async (ctx, next) => {
  const sent = ctx.get("X-Request-Id");
  ctx.state.requestId = visible.test(sent) ? sent : randomUUID();
  ctx.state.deadline = new Deadline(requestTimeoutMs);
  ctx.set("X-Request-Id", ctx.state.requestId);
  await next();
};
