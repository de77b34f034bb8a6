import { assertRefused, succeeded } from "../engine/assertions.ts";
import { type Exchange, summary } from "../engine/exchange.ts";
import { groupBy } from "../engine/group-by.ts";
import { NotTestable, Unmet, Violation } from "../engine/outcome.ts";
import { resetInstant } from "../engine/pacer.ts";
import type { Holder } from "../engine/terms.ts";
import { bursts } from "../evidence/burst.ts";
import { firstResponses } from "../evidence/first-responses.ts";
import { stated } from "./declare.ts";
import { authenticated, header, limitName, rateHeaders, remainingName, resetName } from "./rate-headers.ts";
import { assertCounted, assertCountsEach, renewed, stuckSteps } from "./rate-steps.ts";

export const allowances = { free: 100, pro: 1000, team: 10000 } as const;

/** Seconds by which the clocks of the server and of this machine may differ, where the server tells no Date. */
const clockDifference = 5;

const holders = ["developer", "tester"] as const;

/** When the server sent a response, by its own clock, in milliseconds since 1970. */
function serverTime({ headers, receivedAt }: Exchange): number {
  const date = Date.parse(headers.get("date") ?? "");
  return Number.isNaN(date) ? receivedAt - clockDifference * 1000 : date;
}

export const rate = [
  stated({
    id: "rate.headers",
    title:
      "Every response to a valid key carries X-RateLimit-Limit, X-RateLimit-Remaining and X-RateLimit-Reset, all numeric.",
    clauses: ["S-RATE-1"],
    needs: [firstResponses.developer],
    phase: "end",
    prove({ exchanges }) {
      for (const exchange of authenticated(exchanges)) {
        for (const name of rateHeaders) {
          if (header(exchange, name) !== undefined) continue;
          throw new Violation(`${summary(exchange)}: ${name} is not a number.`, {
            expected: "a number",
            seen: exchange.headers.get(name) ?? "absent",
            exchange,
          });
        }
      }
    },
  }),
  stated({
    id: "rate.reset",
    title: "X-RateLimit-Reset is not negative, not in the past, and not always 0: it marks when the window resets.",
    clauses: ["S-RATE-1"],
    needs: [firstResponses.developer],
    phase: "end",
    prove({ exchanges }) {
      const answers = authenticated(exchanges).filter((one) => header(one, resetName) !== undefined);
      for (const exchange of answers) {
        const reset = header(exchange, resetName) ?? 0;
        if (reset < 0)
          throw new Violation(`${summary(exchange)}: X-RateLimit-Reset is negative.`, {
            expected: "0 or more",
            seen: reset,
            exchange,
          });
      }
      // A reset that is rounded down may be a moment past; one that stays past marks nothing.
      const past = answers.filter((one) => {
        const instant = resetInstant(header(one, resetName) ?? 0, one.receivedAt);
        return instant < serverTime(one) - 2_500;
      });
      if (past.length > 1)
        throw new Violation("X-RateLimit-Reset is in the past.", {
          expected: "an instant to come",
          seen: past.slice(0, 3).map((one) => header(one, resetName)),
          exchange: past[0],
        });
      const zero = answers.every((one) => header(one, resetName) === 0);
      const fresh = answers.some((one) => (header(one, remainingName) ?? 0) > (header(one, limitName) ?? 0) * 0.9);
      if (answers.length > 0 && zero && (fresh || answers.length > 10))
        throw new Violation("X-RateLimit-Reset is always 0 and marks nothing.", {
          expected: "when the window resets",
          seen: 0,
          exchange: answers[0],
        });
      assertWithinWindow(answers);
    },
  }),
  stated({
    id: "rate.allowance",
    title: "X-RateLimit-Limit is the allowance of the plan, 100, 1,000 or 10,000, and the same in every response.",
    clauses: ["S-RATE-2"],
    needs: [firstResponses.developer],
    phase: "end",
    prove({ exchanges, options }) {
      for (const [payer, answers] of groupBy(authenticated(exchanges), (one) => one.payer)) {
        const plan = options.plans?.[payer as Holder];
        const expected: readonly number[] = plan ? [allowances[plan]] : Object.values(allowances);
        const told = answers.filter((one) => header(one, limitName) !== undefined);
        for (const exchange of told) {
          const seen = header(exchange, limitName) ?? 0;
          const first = header(told[0] ?? exchange, limitName);
          if (expected.includes(seen) && seen === first) continue;
          const which = expected.includes(seen)
            ? "that of the first response"
            : plan
              ? `that of the ${plan} plan`
              : "that of any plan";
          throw new Violation(`${summary(exchange)}: the allowance is not ${which}.`, {
            expected: expected.includes(seen) ? first : expected,
            seen,
            exchange,
          });
        }
      }
    },
  }),
  stated({
    id: "rate.remaining",
    title: "X-RateLimit-Remaining goes down with every request that succeeds, and stays between 0 and the limit.",
    clauses: ["S-RATE-3"],
    needs: [firstResponses.developer],
    phase: "end",
    prove({ exchanges }) {
      for (const exchange of authenticated(exchanges)) {
        const [left, limit] = [
          header(exchange, remainingName),
          header(exchange, limitName) ?? Number.POSITIVE_INFINITY,
        ];
        if (left === undefined || (left >= 0 && left <= limit)) continue;
        throw new Violation(`${summary(exchange)}: Remaining is not between 0 and the limit.`, {
          expected: `0 to ${limit}`,
          seen: left,
          exchange,
        });
      }
      for (const holder of holders) assertCounted(authenticated(exchanges, holder));
    },
  }),
  stated({
    id: "rate.counted-everywhere",
    title: "Every operation counts: X-RateLimit-Remaining goes down with each of its requests that succeeds.",
    clauses: ["S-RATE-3"],
    needs: [firstResponses.developer],
    phase: "end",
    prove({ exchanges }) {
      for (const holder of holders) assertCountsEach(authenticated(exchanges, holder));
    },
  }),
  stated({
    id: "rate.burst",
    title: "Requests at the same time count one by one, however slowly they are answered.",
    clauses: ["S-RATE-3"],
    needs: [...bursts],
    async prove(context) {
      for (const burst of bursts) {
        const answers = (await context.use(burst)).filter(
          (one) => succeeded(one) && header(one, remainingName) !== undefined,
        );
        const left = answers.map((one) => header(one, remainingName) ?? 0);
        const [first] = answers;
        if (!first || answers.length < 2 || stuckSteps(answers) === 0) continue;
        const seconds =
          (Math.max(...answers.map((one) => one.receivedAt)) - Math.min(...answers.map((one) => one.sentAt))) / 1000;
        const refilled = Math.ceil(((header(first, limitName) ?? 0) / 3600) * seconds);
        const distinct = new Set(left).size;
        // A window may be renewed, and an allowance be refilled, meanwhile.
        const rose = Math.max(...left) >= (header(first, limitName) ?? 0) - answers.length;
        if (distinct + refilled >= answers.length || (rose && distinct > 1)) continue;
        throw new Violation(`${answers.length} requests at the same time left the same X-RateLimit-Remaining.`, {
          expected: `${answers.length} different values`,
          seen: left,
          exchange: first,
        });
      }
    },
  }),
  stated({
    id: "rate.beyond",
    title: "Requests are answered until the allowance is used up, and refused beyond it.",
    clauses: ["S-RATE-3", "S-RATE-2"],
    needs: [],
    provisions: ["spare"],
    cost: { spare: 1004 },
    phase: "exhaust",
    async prove(context) {
      const ask = async () => {
        for (;;) {
          const exchange = await context.send("spare", "GET", "/projects", { query: { perPage: 1 }, unpaced: true });
          const after = exchange.headers.get("retry-after");
          // A server that is unavailable for a moment did not refuse.
          const moment = exchange.status === 503 && after !== null && header(exchange, remainingName) !== 0;
          if (!moment) return exchange;
          await context.pause(Math.min(Number(after) || 1, 5));
        }
      };
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
      if (beyond.status !== 429 && beyond.status !== 503) assertRefused(beyond, "the allowance is used up");
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

/** @throws Violation where the window that Reset tells is longer than the hour for which allowances are stated */
function assertWithinWindow(answers: readonly Exchange[]): void {
  for (const exchange of answers) {
    const reset = header(exchange, resetName) ?? 0;
    const now = serverTime(exchange);
    const ahead = (resetInstant(reset, now) - now) / 1000;
    if (reset < 1e8 || ahead <= 3_600 + 600) continue;
    throw new Violation(`${summary(exchange)}: X-RateLimit-Reset is more than an hour ahead.`, {
      expected: "within the hour of the window",
      seen: reset,
      exchange,
    });
  }
}
