import { isSuccess, operationOf, type WireRequest } from "../wire.ts";
import { type Mutant, onWire, replaceHandler, rewriteHeaders, withKey, without } from "./mutant.ts";

/** Every operation, with the key that is meant for it. */
const operations = {
  listProjects: "developer",
  getProject: "developer",
  createProject: "developer",
  updateProject: "developer",
  deleteProject: "developer",
  listFeedback: "tester",
  getFeedback: "tester",
  createFeedback: "tester",
  updateFeedback: "tester",
  markFeedbackHelpful: "developer",
  replyToFeedback: "developer",
} as const;

const names = Object.entries(operations);
const rateNames = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"] as const;
const remaining = rateNames[1];
const bearer = ({ headers }: WireRequest) => (headers.authorization ?? "").replace(/^Bearer /, "");
const team = { choices: { allowances: { developer: 10_000, tester: 10_000, spare: 100 } } };

/** Ways in which a careless comparison takes a key for a real one. */
const comparisons: readonly (readonly [string, string, (given: string, real: string) => boolean])[] = [
  [
    "altered",
    "with another last character",
    (given, real) => given.length === real.length && given.slice(0, -1) === real.slice(0, -1),
  ],
  ["truncated", "without its last character", (given, real) => given === real.slice(0, -1)],
  ["recased", "in another case", (given, real) => given.toLowerCase() === real.toLowerCase()],
  ["half", "of which it is the first half", (given, real) => real.startsWith(given) && given.length >= real.length / 2],
  ["extended", "with more behind it", (given, real) => given.startsWith(real)],
];

const isWrite = (request: WireRequest) => request.method !== "GET";

export const everywhereMutants: readonly Mutant[] = [
  ...comparisons.flatMap(([form, description, matches]) =>
    (["developer", "tester"] as const).flatMap((holder) =>
      (
        [
          ["reads", (request: WireRequest) => operationOf(request) !== "listProjects" && !isWrite(request)],
          ["writes", isWrite],
        ] as const
      ).map(([where, meant]) =>
        onWire(
          `key-${form}-${holder}-${where}`,
          ["S-AUTH-2", "S-AUTH-1"],
          `The ${holder}'s key ${description} is accepted by ${where} but the project list.`,
          (ask, keys) => async (request) => {
            const given = bearer(request);
            return ask(
              given !== "" && meant(request) && matches(given, keys[holder]) ? withKey(request, keys[holder]) : request,
            );
          },
        ),
      ),
    ),
  ),
  ...names.map(([operation]) =>
    onWire(
      `json-untyped-${operation}`,
      "S-BASE-3",
      `${operation} sends its body as text/plain.`,
      rewriteHeaders((headers, request) =>
        operationOf(request) === operation ? { ...headers, "content-type": "text/plain" } : headers,
      ),
    ),
  ),
  ...names.map(([operation]) =>
    onWire(
      `unauthorized-body-${operation}`,
      "S-AUTH-2",
      `The 401 of ${operation} has another message.`,
      replaceHandler(operation, async (request, ask) => {
        const got = await ask(request);
        return got.status === 401 ? { ...got, body: { error: "Unauthorized", message: "No." } } : got;
      }),
    ),
  ),
  ...names.map(([operation]) =>
    onWire(
      `unauthorized-404-${operation}`,
      "S-AUTH-2",
      `${operation} answers 404 to a key that does not exist.`,
      replaceHandler(operation, async (request, ask) => {
        const got = await ask(request);
        return got.status === 401 && bearer(request) !== "" ? { ...got, status: 404 } : got;
      }),
    ),
  ),
  ...names.map(([operation]) =>
    onWire(
      `key-shown-${operation}`,
      "S-AUTH-3",
      `${operation} repeats the key in a header.`,
      rewriteHeaders((headers, request) =>
        operationOf(request) === operation ? { ...headers, "x-debug": bearer(request) } : headers,
      ),
    ),
  ),
  ...names.flatMap(([operation]) =>
    rateNames.map((name) =>
      onWire(
        `rate-no-${name.slice(12)}-${operation}`,
        "S-RATE-1",
        `${operation} tells no ${name}.`,
        rewriteHeaders((headers, request) =>
          operationOf(request) === operation ? (without(headers, name) as Record<string, string>) : headers,
        ),
      ),
    ),
  ),
  ...names.map(([operation]) => uncounted(`rate-uncounted-${operation}`, operation, {})),
  ...(["createProject", "createFeedback", "getProject", "listProjects"] as const).map((operation) =>
    uncounted(`rate-uncounted-team-${operation}`, operation, team),
  ),
  onWire(
    "rate-constant-team",
    "S-RATE-3",
    "Remaining stays where it is, on the Team plan.",
    rewriteHeaders((headers) => (headers[remaining] === undefined ? headers : { ...headers, [remaining]: "9876" })),
    team,
  ),
  onWire(
    "rate-constant-slow",
    "S-RATE-3",
    "Remaining stays where it is, on the Team plan of a server that takes 40 ms to answer.",
    rewriteHeaders((headers) => (headers[remaining] === undefined ? headers : { ...headers, [remaining]: "9876" })),
    { choices: { ...team.choices, delay: 40 } },
  ),
  ...(
    [
      ["negative", () => "-5"],
      ["past", () => String(Math.floor(Date.now() / 1000) - 3_600)],
      ["start-of-window", () => String(Math.floor(Date.now() / 1000) - 10)],
      ["past-milliseconds", () => String(Date.now() - 60_000)],
      ["tomorrow", () => String(Math.floor(Date.now() / 1000) + 86_400)],
    ] as const
  ).map(([id, value]) =>
    onWire(
      `rate-reset-${id}`,
      "S-RATE-1",
      `Reset is ${id.replaceAll("-", " ")}.`,
      rewriteHeaders((headers) =>
        headers["x-ratelimit-reset"] === undefined ? headers : { ...headers, "x-ratelimit-reset": value() },
      ),
    ),
  ),
  onWire(
    "rate-limit-varies",
    "S-RATE-2",
    "Writes tell the allowance of another plan.",
    rewriteHeaders((headers, request) =>
      isWrite(request) && headers[rateNames[0]] ? { ...headers, [rateNames[0]]: "10000" } : headers,
    ),
  ),
];

/** An operation whose requests leave Remaining as it was. */
function uncounted(id: string, operation: string, more: Pick<Mutant, "choices">): Mutant {
  return onWire(
    id,
    "S-RATE-3",
    `${operation} does not count${more.choices ? ", on the Team plan" : ""}.`,
    (ask) => {
      const free = new Map<string, number>();
      return async (request) => {
        const got = await ask(request);
        const key = bearer(request);
        if (operationOf(request) === operation && isSuccess(got)) free.set(key, (free.get(key) ?? 0) + 1);
        const told = got.headers[remaining];
        if (told === undefined) return got;
        return { ...got, headers: { ...got.headers, [remaining]: String(Number(told) + (free.get(key) ?? 0)) } };
      };
    },
    more,
  );
}
