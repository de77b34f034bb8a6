import { isDeepStrictEqual } from "node:util";
import { type Exchange, summary } from "./exchange.ts";
import { Unmet, Violation } from "./outcome.ts";

/** Says what a value ought to be when it is not; undefined when it is. */
export type Rule = (value: unknown) => string | undefined;

export type Json = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const rule =
  (expected: string, holds: (value: unknown) => boolean): Rule =>
  (value) =>
    holds(value) ? undefined : expected;

export const present = rule("present", (value) => value !== undefined && value !== null);
export const string = rule("a string", (value) => typeof value === "string");
export const identifier = rule("a string that is not empty", (value) => typeof value === "string" && value !== "");
export const integer = rule("an integer", (value) => Number.isInteger(value));
export const boolean = rule("a boolean", (value) => typeof value === "boolean");
export const array = rule("an array", Array.isArray);
export const record = rule("an object", isRecord);
export const oneOf = (...values: readonly unknown[]): Rule =>
  rule(values.map((value) => JSON.stringify(value)).join(" or "), (value) => values.includes(value));
export const equal = (expected: unknown): Rule =>
  rule(JSON.stringify(expected), (value) => isDeepStrictEqual(value, expected));

const isoUtc = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d([.,]\d+)?)?(Z|[+-]00(:?00)?)$/;

/** ISO 8601 in UTC, at any resolution. */
export const timestamp = rule(
  "an ISO 8601 timestamp in UTC",
  (value) => typeof value === "string" && isoUtc.test(value) && !Number.isNaN(instant(value)),
);

/** Milliseconds since 1970 of a timestamp; NaN where it is none. */
export function instant(value: unknown): number {
  if (typeof value !== "string") return Number.NaN;
  // Date.parse knows neither a comma before the fraction nor an offset of hours alone.
  return Date.parse(value.replace(",", ".").replace(/(T[\d:.]+)[+-]00(:?00)?$/, "$1Z"));
}

/** One field that is not as it ought to be. */
export interface Fault {
  readonly at: string;
  readonly expected: string;
  readonly seen: unknown;
}

export interface Demand {
  /** Where the record stands, for the message: `data[0]`. */
  readonly at?: string;
  /** Whether fields that are not named are faults. */
  readonly exactly?: boolean;
  /** Fields that are judged only where they are present and not null. */
  readonly whereShown?: Readonly<Record<string, Rule>>;
}

/** Every field of a record that breaks its rule. */
export function faults(value: unknown, rules: Readonly<Record<string, Rule>>, demand: Demand = {}): Fault[] {
  const { at = "", exactly = false, whereShown = {} } = demand;
  if (!isRecord(value)) return [{ at: at || "the body", expected: "an object", seen: value }];
  const place = (name: string) => (at === "" ? name : `${at}.${name}`);
  const check = (name: string, holds: Rule): Fault[] => {
    const expected = holds(value[name]);
    return expected === undefined ? [] : [{ at: place(name), expected, seen: value[name] }];
  };
  const shown = Object.entries(whereShown).filter(([name]) => value[name] !== undefined && value[name] !== null);
  const extra = exactly ? Object.keys(value).filter((name) => !Object.hasOwn(rules, name)) : [];
  return [
    ...Object.entries(rules).flatMap(([name, holds]) => check(name, holds)),
    ...shown.flatMap(([name, holds]) => check(name, holds)),
    ...extra.map((name) => ({ at: place(name), expected: "absent", seen: value[name] })),
  ];
}

/** @throws Violation that names every fault */
export function assertNoFaults(exchange: Exchange, found: readonly Fault[]): void {
  if (found.length === 0) return;
  const shown = found.slice(0, 12);
  throw new Violation(
    `${summary(exchange)}: ${shown.map(({ at, expected }) => `${at} is not ${expected}`).join("; ")}.`,
    {
      expected: Object.fromEntries(shown.map(({ at, expected }) => [at, expected])),
      seen: Object.fromEntries(shown.map(({ at, seen }) => [at, seen === undefined ? "absent" : seen])),
      exchange,
    },
  );
}

/** Any 2xx. */
export const succeeded = ({ status }: Exchange): boolean => status >= 200 && status < 300;

/** Any 4xx; a 429 is no judgement on the request. */
export const refused = ({ status }: Exchange): boolean => status >= 400 && status < 500 && status !== 429;

/** @throws Violation unless the request succeeded */
export function assertSuccess(exchange: Exchange): void {
  if (succeeded(exchange)) return;
  // That a valid key is not accepted is judged by checks of its own.
  if (exchange.status === 401) throw new Unmet(`${summary(exchange)}: the key was not accepted.`, exchange);
  throw new Violation(`${summary(exchange)}: the request did not succeed.`, {
    expected: "any 2xx",
    seen: { status: exchange.status, body: exchange.json ?? exchange.text },
    exchange,
  });
}

/** @throws Violation unless the request was refused */
export function assertRefused(exchange: Exchange, why: string): void {
  if (refused(exchange)) return;
  throw new Violation(`${summary(exchange)}: the request was not refused, though ${why}.`, {
    expected: "any 4xx but 429",
    seen: { status: exchange.status, body: exchange.json ?? exchange.text },
    exchange,
  });
}

/** @throws Unmet unless the request succeeded; for what a check builds on and does not judge */
export function requireSuccess(exchange: Exchange, what: string): void {
  if (!succeeded(exchange)) throw new Unmet(`${what} failed: ${summary(exchange)}.`, exchange);
}

/** @throws Violation where a field of `after` is not what it was, or what it was to become */
export function assertUnchanged(after: Exchange, before: unknown, changed: Json, fields: readonly string[]): void {
  const seen = after.json;
  if (!isRecord(before) || !isRecord(seen)) {
    assertNoFaults(after, [{ at: "the body", expected: "an object", seen }]);
    return;
  }
  const rules = fields
    .filter((name) => before[name] !== undefined || seen[name] !== undefined)
    .map((name): [string, Rule] => [name, equal(Object.hasOwn(changed, name) ? changed[name] : before[name])]);
  assertNoFaults(after, faults(seen, Object.fromEntries(rules)));
}
