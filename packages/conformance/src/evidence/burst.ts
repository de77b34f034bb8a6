import { type Evidence, evidence } from "../engine/check.ts";
import type { Exchange } from "../engine/exchange.ts";

/** Requests of a burst. */
const size = 5;

const burst = (holder: "developer" | "tester", cost: number): Evidence<readonly Exchange[]> =>
  evidence({
    name: `requests of the ${holder} at the same time`,
    needs: [],
    cost: { [holder]: cost },
    writes: false,
    gather: (context) =>
      Promise.all(
        Array.from({ length: size }, () => context.send(holder, "GET", "/projects", { query: { perPage: 1 } })),
      ),
  });

/** Requests at the same time, between which no allowance is refilled: each one shows in X-RateLimit-Remaining. */
export const bursts = [burst("developer", size), burst("tester", size)] as const;
