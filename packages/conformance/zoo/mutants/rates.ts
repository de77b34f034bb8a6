import type { Plan } from "../../src/options.ts";
import type { WireRequest, WireResponse } from "../wire.ts";
import { type Mutant, onWire, rewriteHeaders, without } from "./mutant.ts";

const names = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"] as const;
const [limit, remaining, reset] = names;
const bare = (headers: Record<string, string>) => without(headers, ...names) as Record<string, string>;
const telling = (name: string, value: (told: number, sent: WireRequest, got: WireResponse) => string | number) =>
  rewriteHeaders((headers, sent, got) =>
    headers[name] === undefined ? headers : { ...headers, [name]: String(value(Number(headers[name]), sent, got)) },
  );

const allowing = (id: string, description: string, allowance: number, plan: Plan): Mutant => ({
  id,
  breaks: ["S-RATE-2"],
  description,
  choices: { allowances: { developer: 1_000, tester: allowance, spare: 100 } },
  declares: { plans: { tester: plan } },
});

export const rateMutants: readonly Mutant[] = [
  onWire("rate-no-headers", "S-RATE-1", "Answers carry none of the three headers.", rewriteHeaders(bare)),
  ...names.map((name) =>
    onWire(
      `rate-no-${name.slice(12)}`,
      "S-RATE-1",
      `Answers carry no ${name}.`,
      rewriteHeaders((headers) => without(headers, name) as Record<string, string>),
    ),
  ),
  onWire(
    "rate-not-on-refusals",
    "S-RATE-1",
    "Refusals carry none of the three headers.",
    rewriteHeaders((headers, _, got) => (got.status >= 400 ? bare(headers) : headers)),
  ),
  onWire(
    "rate-not-on-writes",
    "S-RATE-1",
    "Writes carry none of the three headers.",
    rewriteHeaders((headers, sent) => (sent.method === "GET" ? headers : bare(headers))),
  ),
  onWire(
    "rate-not-on-deletion",
    "S-RATE-1",
    "A DELETE carries none of the three headers.",
    rewriteHeaders((headers, sent) => (sent.method === "DELETE" ? bare(headers) : headers)),
  ),
  onWire(
    "rate-reset-in-words",
    "S-RATE-1",
    "Reset is a date in words.",
    telling(reset, (told) => new Date(told * 1000).toUTCString()),
  ),
  onWire(
    "rate-reset-iso",
    "S-RATE-1",
    "Reset is an ISO timestamp.",
    telling(reset, (told) => new Date(told * 1000).toISOString()),
  ),
  onWire(
    "rate-reset-zero",
    "S-RATE-1",
    "Reset is always 0.",
    telling(reset, () => 0),
  ),
  onWire(
    "rate-limit-in-words",
    "S-RATE-1",
    "Limit is `100 per hour`.",
    telling(limit, (told) => `${told} per hour`),
  ),
  allowing("rate-free-60", "The Free plan has 60 an hour.", 60, "free"),
  allowing("rate-free-unlimited", "The Free plan has what Pro has.", 1_000, "free"),
  allowing("rate-pro-5000", "The Pro plan has 5,000 an hour.", 5_000, "pro"),
  onWire(
    "rate-told-wrong",
    "S-RATE-2",
    "Limit tells 200 more than are given.",
    telling(limit, (told) => told + 200),
  ),
  onWire(
    "rate-refused-early",
    ["S-RATE-2", "S-RATE-3"],
    "Requests are refused while 20 are left.",
    (ask, keys) => async (sent) => {
      const got = await ask(sent);
      const spare = sent.headers.authorization === `Bearer ${keys.spare}`;
      return spare && Number(got.headers[remaining]) < 20 ? { ...got, status: 429 } : got;
    },
  ),
  onWire(
    "rate-remaining-constant",
    "S-RATE-3",
    "Remaining stays where it is.",
    telling(remaining, () => 99),
  ),
  onWire("rate-remaining-rises", "S-RATE-3", "Remaining counts the requests made.", (ask, keys, server) =>
    rewriteHeaders((headers) => ({
      ...headers,
      [remaining]: String(Number(headers[limit]) - Number(headers[remaining])),
    }))(ask, keys, server),
  ),
  onWire(
    "rate-remaining-negative",
    "S-RATE-3",
    "Remaining goes below 0.",
    telling(remaining, (told) => told - 90),
  ),
  onWire(
    "rate-remaining-above-limit",
    "S-RATE-3",
    "Remaining is more than the limit.",
    telling(remaining, (told) => told + 100),
  ),
  onWire("rate-writes-free", "S-RATE-3", "Writes do not count.", (ask) => {
    const free = new Map<string, number>();
    return async (sent) => {
      const got = await ask(sent);
      const key = sent.headers.authorization ?? "";
      if (sent.method !== "GET") free.set(key, (free.get(key) ?? 0) + 1);
      const left = Number(got.headers[remaining]) + (free.get(key) ?? 0);
      return { ...got, headers: { ...got.headers, [remaining]: String(Math.min(left, Number(got.headers[limit]))) } };
    };
  }),
  onWire(
    "rate-counts-by-ten",
    "S-RATE-3",
    "Remaining goes down once in ten requests.",
    telling(remaining, (told) => Math.ceil(told / 10) * 10),
  ),
  onWire(
    "rate-never-refused",
    "S-RATE-3",
    "A request beyond the allowance is answered.",
    (ask, keys) => async (sent) => {
      const got = await ask(sent);
      if (got.status !== 429) return got;
      const other = keys.otherDeveloper ?? keys.developer;
      const answered = await ask({ ...sent, headers: { ...sent.headers, authorization: `Bearer ${other}` } });
      return {
        ...answered,
        headers: {
          ...answered.headers,
          [limit]: got.headers[limit] ?? "",
          [remaining]: "0",
          [reset]: got.headers[reset] ?? "",
        },
      };
    },
  ),
  onWire("rate-beyond-is-500", "S-RATE-3", "Beyond the allowance the server breaks.", (ask) => async (sent) => {
    const got = await ask(sent);
    return got.status === 429 ? { ...got, status: 500 } : got;
  }),
];
