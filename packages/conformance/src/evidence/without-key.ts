import type { Context } from "../engine/check.ts";
import type { Sending } from "../engine/client.ts";
import type { Exchange, Method } from "../engine/exchange.ts";
import { falseKeysOf } from "../engine/false-keys.ts";

/** One request, sent without an Authorization header and with a key that does not exist. */
export interface Unauthenticated {
  readonly missing: Exchange;
  readonly unknown: Exchange;
}

/** An Authorization header with a random key that does not exist. */
export function unknownKey({ options, redactor }: Context): string {
  const [unknown] = falseKeysOf("developer", options.keys.developer, []);
  const { key = "no-such-key", variable = "UNKNOWN_DEVELOPER_KEY" } = unknown ?? {};
  redactor.hide(key, variable);
  return `Bearer ${key}`;
}

/** @param enter enters each request in the ledger, for one that would create something */
export async function withoutKey(
  context: Context,
  method: Method,
  path: string,
  sending: Sending = {},
  enter: (send: () => Promise<Exchange>) => Promise<Exchange> = (send) => send(),
): Promise<Unauthenticated> {
  return {
    missing: await enter(() => context.sendAs(undefined, method, path, sending)),
    unknown: await enter(() => context.sendAs(unknownKey(context), method, path, sending)),
  };
}
