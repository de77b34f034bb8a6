import { succeeded } from "../engine/assertions.ts";
import { type Exchange, summary } from "../engine/exchange.ts";
import { groupBy } from "../engine/group-by.ts";
import { Violation } from "../engine/outcome.ts";
import { resetInstant } from "../engine/pacer.ts";
import { header, limitName, remainingName, resetName } from "./rate-headers.ts";

/** Two requests of one key, one after the other. */
interface Step {
  readonly before: Exchange;
  readonly next: Exchange;
}

const left = (exchange: Exchange): number => header(exchange, remainingName) ?? 0;
const limit = (exchange: Exchange): number => header(exchange, limitName) ?? 0;

/** The operation that a request asks for: a server may count each by itself. */
const operation = ({ method, target }: Exchange): string =>
  `${method} ${target.replace(/\?.*/, "").replace(/^\/(projects|feedback)\/[^/]+/, "/$1/{id}")}`;

/** Whether the window was renewed between two responses: Reset moved on, or Remaining rose to almost the limit. */
export function renewed(before: Exchange, next: Exchange): boolean {
  const [one, other] = [header(before, resetName), header(next, resetName)];
  // Only a point in time tells it; what is left moves on with every response.
  if (one !== undefined && other !== undefined && one > 1e8 && other > 1e8) {
    if (resetInstant(other, next.receivedAt) > resetInstant(one, before.receivedAt) + 2_500) return true;
  }
  return left(next) > left(before) && left(next) >= limit(next) - 5;
}

/** Steps to a request that succeeded, without those between which the window was renewed or which overlapped. */
function stepsOf(answers: readonly Exchange[]): Step[] {
  return answers.slice(1).flatMap((next, n) => {
    const before = answers[n] as Exchange;
    return succeeded(next) && before.receivedAt <= next.sentAt && !renewed(before, next) ? [{ before, next }] : [];
  });
}

const isStuck = ({ before, next }: Step): boolean => left(next) >= left(before);

/** Requests that come back in a while, where an allowance is refilled little by little. */
function refilled(steps: readonly Step[]): number {
  const [first] = steps;
  if (!first) return 0;
  const hours = steps.reduce((sum, { before, next }) => sum + (next.receivedAt - before.receivedAt), 0) / 3_600_000;
  return limit(first.next) * hours;
}

/** Responses after which Remaining was not lower. */
export const stuckSteps = (answers: readonly Exchange[]): number => {
  const values = answers.map(left).sort((one, other) => other - one);
  return values.slice(1).filter((value, n) => value >= (values[n] ?? 0)).length;
};

/** Steps between requests of the same operation: whatever the scope of the counting is, both count in it. */
function stepsByOperation(answers: readonly Exchange[]): Map<string, Step[]> {
  const told = answers.filter((one) => header(one, remainingName) !== undefined);
  return new Map(Array.from(groupBy(told, operation), ([name, own]) => [name, stepsOf(own)]));
}

/** @throws Violation where Remaining does not go down from one request of an operation to the next, more often than a steady refill explains */
export function assertCounted(answers: readonly Exchange[]): void {
  const steps = [...stepsByOperation(answers).values()].flat();
  const stuck = steps.filter(isStuck);
  const [first, last] = [answers[0], answers.at(-1)];
  if (!first || !last || stuck.length === 0) return;
  const explained = (limit(first) * (last.receivedAt - first.sentAt)) / 3_600_000;
  if (stuck.length <= Math.ceil(explained) + 1) return;
  throwStuck(stuck, steps.length);
}

/** Steps that must be stuck to count as a fault. A large allowance may be refilled by one between any two requests. */
const leastStuck = ([first]: readonly Exchange[]): number => (first && limit(first) >= 10_000 ? 2 : 1);

/** @throws Violation where requests of one operation do not count, beside others that do */
export function assertCountsEach(answers: readonly Exchange[]): void {
  for (const steps of stepsByOperation(answers).values()) {
    const stuck = steps.filter(isStuck);
    // Each of a few, or many of them: not what a refill in between explains.
    if (
      stuck.length >= leastStuck(answers) &&
      stuck.length > refilled(stuck) + (steps.length > 3 ? 1 : 0) &&
      stuck.length >= steps.length / 2
    )
      throwStuck(stuck, steps.length);
  }
  assertCountsAmongOthers(answers);
}

/**
 * Where all operations are counted together, a step from one operation to another counts too. They are counted
 * together where Remaining goes down by exactly one at almost every step; an operation whose every step leaves it
 * exactly as it was is not counted.
 */
function assertCountsAmongOthers(answers: readonly Exchange[]): void {
  const told = answers.filter((one) => header(one, remainingName) !== undefined);
  const steps = stepsOf(told);
  const mixed = steps.filter(({ before, next }) => operation(before) !== operation(next));
  const byOne = mixed.filter(({ before, next }) => left(before) - left(next) === 1);
  if (mixed.length < 8 || byOne.length < mixed.length * 0.6) return;
  for (const own of groupBy(steps, ({ next }) => operation(next)).values()) {
    const same = own.filter(({ before, next }) => left(before) === left(next));
    if (same.length >= leastStuck(answers) && same.length === own.length && same.length > refilled(same))
      throwStuck(same, own.length);
  }
}

function throwStuck(stuck: readonly Step[], steps: number): never {
  const [first] = stuck as [Step];
  throw new Violation(
    `X-RateLimit-Remaining did not go down ${stuck.length} times in ${steps} requests, first with ${summary(first.next)}.`,
    { expected: `below ${left(first.before)}`, seen: left(first.next), exchange: first.next },
  );
}
