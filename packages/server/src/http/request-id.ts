import { randomUUID } from "node:crypto";
import { Deadline, requestTimeoutMs } from "../deadline.ts";
import { clientAddress } from "./client-address.ts";
import type { Middleware } from "./context.ts";

const visible = /^[!-~]{1,128}$/;

/** Gives the request its id, the caller's own where that is well-formed (C-ERR-4), its deadline and its client address. */
export const requestId: Middleware = async (ctx, next) => {
  const sent = ctx.get("X-Request-Id");
  ctx.state.requestId = visible.test(sent) ? sent : randomUUID();
  ctx.state.deadline = new Deadline(requestTimeoutMs);
  ctx.request.ip = clientAddress(ctx.request.ip, ctx.req.socket.remoteAddress);
  ctx.set("X-Request-Id", ctx.state.requestId);
  await next();
};
