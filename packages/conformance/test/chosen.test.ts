// Every chosen check of contract 1.1 can fail: it finds the defect that is put between it and our own server.
import { afterAll, beforeAll, expect, test } from "vitest";
import { chosenChecks } from "../src/checks/chosen/index.ts";
import { runConformance } from "../src/engine/run.ts";
import { Reference, type Served } from "../zoo/reference.ts";
import {
  type Ask,
  askAt,
  type Fields,
  fetchThrough,
  fieldsOf,
  itemsOf,
  type WireRequest,
  type WireResponse,
} from "../zoo/wire.ts";

let reference: Reference;
let served: Served;
beforeAll(async () => {
  reference = await Reference.open();
  served = await reference.serve();
});
afterAll(async () => {
  await served.stop();
  await reference.close();
});

type Defect = (ask: Ask) => Ask;

/** A defect in the responses to some requests. */
const inResponses =
  (isMeant: (sent: WireRequest) => boolean, change: (got: WireResponse, sent: WireRequest) => WireResponse): Defect =>
  (ask) =>
  async (sent) => {
    const got = await ask(sent);
    return isMeant(sent) ? change(got, sent) : got;
  };
const without = (fields: Readonly<Fields>, ...names: readonly string[]) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
const withoutHeader = (...names: readonly string[]) =>
  inResponses(
    () => true,
    (got) => ({ ...got, headers: without(got.headers, ...names) as Record<string, string> }),
  );
const withBody = (isMeant: (sent: WireRequest) => boolean, change: (body: Fields, sent: WireRequest) => Fields) =>
  inResponses(isMeant, (got, sent) => (got.status < 300 ? { ...got, body: change(fieldsOf(got.body), sent) } : got));
/** A server that knows nothing of a parameter. */
const ignoring =
  (...names: readonly string[]): Defect =>
  (ask) =>
  (sent) =>
    ask({ ...sent, query: without(sent.query, ...names) as Record<string, string> });
/** A server that does not know an operation. */
const lacking = (method: string, path: RegExp): Defect =>
  inResponses(
    (sent) => sent.method === method && path.test(sent.path),
    (got) => ({
      ...got,
      status: 405,
      body: { error: "Method Not Allowed", message: "No.", code: "method_not_allowed" },
    }),
  );
const onList = ({ method, path }: WireRequest) => method === "GET" && path === "/projects";
const onHelpful = ({ method, path }: WireRequest) => method === "DELETE" && path.endsWith("/helpful");
const onFeedback = ({ path }: WireRequest) => /^\/feedback\/[^/]+$/.test(path);

const defects: readonly (readonly [check: string, name: string, defect: Defect])[] = [
  ["chosen.cursor", "no Link header", withoutHeader("link")],
  ["chosen.cursor", "a cursor that leads to the first page", ignoring("cursor")],
  ["chosen.list-parameters", "owner is ignored", ignoring("owner")],
  ["chosen.list-parameters", "sort is ignored", ignoring("sort")],
  ["chosen.list-parameters", "order is ignored", ignoring("order")],
  ["chosen.list-parameters", "updatedAfter is ignored", ignoring("updatedAfter")],
  [
    "chosen.list-filters",
    "only the first of several statuses counts",
    (ask) => (sent) => {
      const [status = ""] = (sent.query.status ?? "").split(",");
      return ask(status ? { ...sent, query: { ...sent.query, status } } : sent);
    },
  ],
  ["chosen.list-filters", "testerId=me is everybody", ignoring("testerId")],
  ["chosen.list-filters", "order is ignored", ignoring("order")],
  ["chosen.me", "no account", lacking("GET", /^\/me$/)],
  [
    "chosen.me",
    "another role",
    withBody(
      ({ path }) => path === "/me",
      (body) => ({ ...body, role: "developer" }),
    ),
  ],
  [
    "chosen.me",
    "no drafts among one's own feedback",
    withBody(
      ({ path }) => path === "/me/feedback",
      (body) => ({ ...body, data: itemsOf(body).filter(({ status }) => status !== "draft") }),
    ),
  ],
  ["chosen.mark-removed", "marks stay", lacking("DELETE", /\/helpful$/)],
  ["chosen.mark-removed", "the count stays", withBody(onHelpful, (body) => ({ ...body, helpfulCount: 1 }))],
  ["chosen.draft-deleted", "drafts stay", lacking("DELETE", /^\/feedback\/[^/]+$/)],
  [
    "chosen.draft-deleted",
    "feedback past draft is deleted too",
    inResponses(
      (sent) => sent.method === "DELETE" && onFeedback(sent),
      (got) => ({ ...got, status: 200, body: { success: true, message: "Deleted." } }),
    ),
  ],
  ["chosen.rejection-reason", "the reason is lost", withBody(onFeedback, (body) => without(body, "rejectionReason"))],
  ["chosen.rejection-reason", "no updatedAt", withBody(onFeedback, (body) => without(body, "updatedAt"))],
  [
    "chosen.merge-patch",
    "a merge patch replaces objects whole",
    (ask) => (sent) => ask({ ...sent, headers: { ...sent.headers, "content-type": "application/json" } }),
  ],
  [
    "chosen.patch-types",
    "any type is taken for JSON",
    (ask) => (sent) =>
      ask(
        sent.method === "PATCH" ? { ...sent, headers: { ...sent.headers, "content-type": "application/json" } } : sent,
      ),
  ],
  ["chosen.idempotency", "no Idempotency-Replayed", withoutHeader("idempotency-replayed")],
  ["chosen.rate-limit-fields", "no RateLimit", withoutHeader("ratelimit")],
  ["chosen.rate-limit-fields", "no RateLimit-Policy", withoutHeader("ratelimit-policy")],
  [
    "chosen.error-code",
    "errors without a code",
    inResponses(
      () => true,
      (got) => (got.status >= 400 ? { ...got, body: without(fieldsOf(got.body), "code") } : got),
    ),
  ],
  ["chosen.newest-first", "oldest first", withBody(onList, (body) => ({ ...body, data: itemsOf(body).toReversed() }))],
];

async function resultOf(check: string, defect: Defect) {
  const ask = askAt(served.baseUrl);
  const report = await runConformance({
    baseUrl: served.baseUrl,
    ...(await reference.keys("reference")),
    profile: "reference",
    // An error is needed for the check of its code.
    only: [check, "chosen.unknown-id"],
    fetch: fetchThrough(served.baseUrl, defect(ask)),
    ledger: false,
    maxWait: 0,
  });
  return report.checks.find(({ id }) => id === check);
}

test.each(defects)("%s finds: %s", async (check, _, defect) => {
  expect((await resultOf(check, defect))?.status).toBe("differs");
});

test("without a defect each of them passes", async () => {
  for (const check of new Set(defects.map(([check]) => check)))
    expect((await resultOf(check, (ask) => ask))?.status, check).toBe("pass");
});

test("every chosen check of what contract 1.1 added has a defect", () => {
  const added = ["C-ERR-5", "C-ME-1", "C-LIST-3", "C-LIST-4", "C-FB-6", "C-HELP-2", "C-RATE-4", "C-PATCH-1"];
  const checks = chosenChecks.filter(({ clauses }) => clauses.some((clause) => added.includes(clause)));
  expect(checks.map(({ id }) => id).filter((id) => !defects.some(([check]) => check === id))).toEqual([]);
  expect(new Set(checks.flatMap(({ clauses }) => clauses))).toEqual(new Set([...added]));
});
