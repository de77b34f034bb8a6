import { assertRefused, succeeded } from "../engine/assertions.ts";
import { type Exchange, summary } from "../engine/exchange.ts";
import type { Holder } from "../engine/keys.ts";
import { NotTestable, Unmet, Violation } from "../engine/outcome.ts";
import { numeric, resetInstant } from "../engine/pacer.ts";
import { arrivals } from "../evidence/arrival.ts";
import { stated } from "./declare.ts";

export const allowances = { free: 100, pro: 1000, team: 10000 } as const;
const names = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"] as const;
const [limitName, remainingName, resetName] = names;

const header = (exchange: Exchange, name: string) => numeric(exchange.headers.get(name));

/** Answers to requests with a valid key: without one there is no allowance to tell of. */
const authenticated = (exchanges: readonly Exchange[], holder?: Holder) =>
  exchanges.filter(
    ({ payer, status }) => status !== 401 && (holder === undefined ? payer !== "nobody" : payer === holder),
  );

/** Whether the window may have been renewed between two answers. */
function renewed(one: Exchange, next: Exchange): boolean {
  const [before, after] = [header(one, resetName), header(next, resetName)];
  if (before === undefined || after === undefined) return true;
  // Reset may be told in whole seconds, and from a clock that differs by a little.
  return resetInstant(after, next.receivedAt) > resetInstant(before, one.receivedAt) + 2500;
}

export const rate = [
  stated({
    id: "rate.headers",
    title:
      "Every answer to a valid key carries X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset, all numeric.",
    clauses: ["S-RATE-1"],
    needs: [arrivals.developer],
    phase: "end",
    prove({ exchanges }) {
      const answers = authenticated(exchanges);
      for (const exchange of answers) {
        for (const name of names) {
          if (header(exchange, name) !== undefined) continue;
          throw new Violation(`${summary(exchange)}: ${name} is not a number.`, {
            expected: "a number",
            seen: exchange.headers.get(name) ?? "absent",
            exchange,
          });
        }
      }
      if (answers.length > 0 && answers.every((exchange) => header(exchange, resetName) === 0)) {
        throw new Violation("X-RateLimit-Reset is always 0 and marks nothing.", {
          expected: "when the window resets",
          seen: 0,
          exchange: answers[0],
        });
      }
    },
  }),
  stated({
    id: "rate.allowance",
    title: "X-RateLimit-Limit is the allowance of the account's plan: 100, 1,000 or 10,000.",
    clauses: ["S-RATE-2"],
    needs: [arrivals.developer],
    phase: "end",
    prove({ exchanges, options }) {
      for (const exchange of authenticated(exchanges)) {
        const seen = header(exchange, limitName);
        const plan = options.plans?.[exchange.payer as Holder];
        const expected: readonly number[] = plan ? [allowances[plan]] : Object.values(allowances);
        if (seen === undefined || expected.includes(seen)) continue;
        throw new Violation(
          `${summary(exchange)}: the allowance is not that of ${plan ? `the ${plan} plan` : "any plan"}.`,
          { expected, seen, exchange },
        );
      }
    },
  }),
  stated({
    id: "rate.remaining",
    title: "X-RateLimit-Remaining goes down with every request that succeeds, and stays between 0 and the limit.",
    clauses: ["S-RATE-3"],
    needs: [arrivals.developer],
    phase: "end",
    prove({ exchanges }) {
      for (const holder of ["developer", "tester"] as const) {
        const answers = authenticated(exchanges, holder).filter((one) => header(one, remainingName) !== undefined);
        for (const exchange of answers) {
          const [left, limit] = [
            header(exchange, remainingName) ?? 0,
            header(exchange, limitName) ?? Number.POSITIVE_INFINITY,
          ];
          if (left < 0 || left > limit)
            throw new Violation(`${summary(exchange)}: Remaining is not between 0 and the limit.`, {
              expected: `0 to ${limit}`,
              seen: left,
              exchange,
            });
        }
        assertDecreasing(answers);
      }
    },
  }),
  stated({
    id: "rate.beyond",
    title: "Requests are answered until the allowance is used up, and refused beyond it.",
    clauses: ["S-RATE-3", "S-RATE-2"],
    needs: [],
    provisions: ["spare"],
    cost: { spare: 1002 },
    phase: "exhaust",
    async prove(context) {
      const ask = () => context.send("spare", "GET", "/projects", { query: { perPage: 1 }, unpaced: true });
      const first = await ask();
      const [limit, left] = [header(first, limitName), header(first, remainingName)];
      if (!succeeded(first) || limit === undefined || left === undefined)
        throw new Unmet(`The spare key's first request told no allowance: ${summary(first)}.`, first);
      if (limit > 1000) throw new NotTestable("a spare key of the Free or Pro plan, whose allowance can be used up");
      let last = first;
      for (let made = 0; made < left; made += 1) {
        last = await ask();
        if (succeeded(last)) continue;
        throw new Violation(
          `A request within the allowance was refused: ${summary(last)} after ${made + 1} requests.`,
          {
            expected: `${left} more requests`,
            seen: made,
            exchange: last,
          },
        );
      }
      const beyond = await ask();
      if (succeeded(beyond) && renewed(last, beyond))
        throw new Unmet("The window was renewed while the allowance was being used up.", beyond);
      if (beyond.status !== 429) assertRefused(beyond, "the allowance is used up");
      const seen = header(beyond, remainingName);
      if (seen !== undefined && seen !== 0)
        throw new Violation("Remaining is not 0 once the allowance is used up.", {
          expected: 0,
          seen,
          exchange: beyond,
        });
    },
  }),
];

/**
 * Remaining must fall from one answer to the next within a window. An allowance that is refilled little by little may
 * hide some falls: as many are let pass as a steady refill explains in the time between, and one more for rounding.
 */
function assertDecreasing(answers: readonly Exchange[]): void {
  const steps = answers.slice(1).flatMap((next, n) => {
    const one = answers[n] as Exchange;
    return succeeded(next) && !renewed(one, next) ? [{ one, next }] : [];
  });
  const stuck = steps.filter(
    ({ one, next }) => (header(next, remainingName) ?? 0) >= (header(one, remainingName) ?? 0),
  );
  const first = answers[0];
  const last = answers.at(-1);
  if (!first || !last || stuck.length === 0) return;
  const hours = (last.receivedAt - first.receivedAt) / 3_600_000;
  const explained = Math.floor((header(first, limitName) ?? 0) * hours) + 1;
  if (stuck.length <= explained) return;
  const shown = stuck[0] as { one: Exchange; next: Exchange };
  throw new Violation(
    `X-RateLimit-Remaining did not go down ${stuck.length} times in ${steps.length} requests, first with ${summary(shown.next)}.`,
    {
      expected: `below ${header(shown.one, remainingName)}`,
      seen: header(shown.next, remainingName),
      exchange: shown.next,
    },
  );
}
