import type { Exchange } from "../engine/exchange.ts";
import { numeric } from "../engine/pacer.ts";
import type { Holder } from "../engine/terms.ts";

export const rateHeaders = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"] as const;
export const [limitName, remainingName, resetName] = rateHeaders;

/** A header as a number, undefined where it is none. */
export const header = (exchange: Exchange, name: string): number | undefined => numeric(exchange.headers.get(name));

/** Responses to requests with a valid key: without one there is no allowance to tell of, and a 503 may come from elsewhere. */
export const authenticated = (exchanges: readonly Exchange[], holder?: Holder): Exchange[] =>
  exchanges.filter(
    ({ payer, status, retried }) =>
      status !== 401 && !(retried && status === 503) && (holder === undefined ? payer !== "nobody" : payer === holder),
  );
