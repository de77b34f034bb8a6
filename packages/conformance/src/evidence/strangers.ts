import type { Context } from "../engine/check.ts";
import type { Sending } from "../engine/client.ts";
import type { Exchange, Method } from "../engine/exchange.ts";

/** One request, sent with no Authorization header and with a key that nobody was given. */
export interface Attempt {
  readonly missing: Exchange;
  readonly unknown: Exchange;
}

/** @param enter enters each request in the ledger, for one that would make something */
export async function withoutKey(
  context: Context,
  method: Method,
  path: string,
  sending: Sending = {},
  enter: (send: () => Promise<Exchange>) => Promise<Exchange> = (send) => send(),
): Promise<Attempt> {
  return {
    missing: await enter(() => context.sendAs(undefined, method, path, sending)),
    unknown: await enter(() => context.sendAs(`Bearer ${context.falseKeys.unknown}`, method, path, sending)),
  };
}
