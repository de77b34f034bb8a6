// A part of the zoo, and servers that must never conform; `pnpm mutants` runs the rest.
import { describe, expect, test } from "vitest";
import type { Choices } from "../zoo/example/choices.ts";
import { ExampleServer } from "../zoo/example/server.ts";
import { judgeMutant, judgeProgram, runOn } from "../zoo/judge.ts";
import { mutants } from "../zoo/mutants/index.ts";
import { choices } from "../zoo/variants/choices.ts";
import { programs } from "../zoo/variants/programs.ts";
import { type Ask, fieldsOf, operationOf, type WireResponse } from "../zoo/wire.ts";

test.each(programs)("the legal server $id in Python conforms at both depths", async (program) => {
  for (const depth of ["quick", "full"] as const) {
    const { failed, verdict, requests } = await judgeProgram(program, depth);
    expect(failed).toEqual([]);
    expect(verdict).toBe("conforms");
    expect(Math.max(requests.developer, requests.tester)).toBeLessThanOrEqual(depth === "quick" ? 95 : 400);
  }
});

test.each(mutants.filter((_, n) => n % 40 === 0))("the mutant $id is caught by its clause", async (mutant) => {
  const { caughtBy } = await judgeMutant(mutant, "full");
  expect(caughtBy).not.toEqual([]);
});

test("there are at least 250 mutants and 30 legal servers in two languages", () => {
  expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length);
  expect(mutants.length).toBeGreaterThanOrEqual(250);
  expect(new Set([...choices, ...programs].map(({ id }) => id)).size).toBeGreaterThanOrEqual(30);
  expect(programs.length).toBeGreaterThan(0);
});

const isFeedback = (operation: string) => /feedback/i.test(operation);
const json = (status: number, body: unknown, headers: Record<string, string>): WireResponse => ({
  status,
  headers: { ...headers, "content-type": "application/json" },
  body,
});

/** What a server without feedback answers where feedback is asked for. */
type Evasion = (got: WireResponse, operation: string) => WireResponse;
const answer =
  (status: number, body: unknown = { error: "No", message: "No." }): Evasion =>
  ({ headers }) =>
    json(status, body, headers);

const emptyLists: Evasion = (got, operation) =>
  operation === "listFeedback"
    ? json(200, { data: [], pagination: { page: 1, perPage: 20, total: 0 } }, got.headers)
    : json(404, { error: "No", message: "No." }, got.headers);

const evasions: readonly { readonly name: string; readonly evade: Evasion; readonly chosen?: Partial<Choices> }[] = [
  { name: "404", evade: answer(404) },
  { name: "403", evade: answer(403) },
  { name: "405", evade: answer(405) },
  { name: "409 for a project that accepts none", evade: answer(409) },
  { name: "501", evade: answer(501) },
  { name: "503 with Retry-After", evade: ({ headers }) => json(503, {}, { ...headers, "retry-after": "0" }) },
  { name: "429 without end", evade: ({ headers }) => json(429, {}, { ...headers, "retry-after": "0" }) },
  { name: "401", evade: answer(401, { error: "Unauthorized", message: "Invalid or missing API key" }) },
  { name: "200 with nothing", evade: answer(200, {}) },
  { name: "empty lists, and 404 elsewhere", evade: emptyLists },
  { name: "404, while every project is a draft", evade: answer(404), chosen: { projectStart: "draft" } },
  { name: "409, while every project is a draft", evade: answer(409), chosen: { projectStart: "draft" } },
  { name: "403, while every project is completed", evade: answer(403), chosen: { projectStart: "completed" } },
  { name: "no content", evade: ({ headers }) => ({ status: 204, headers, body: undefined }) },
];

describe("a server without feedback never conforms", () => {
  test.each(evasions)("where it answers $name", async ({ evade, chosen }) => {
    for (const depth of ["quick", "full"] as const) {
      const server = new ExampleServer({ ...chosen, settlesAfter: 0 });
      const ask: Ask = async (request) => {
        const got = await server.ask(request);
        const operation = operationOf(request);
        return got.status === 401 || !isFeedback(operation) ? got : evade(got, operation);
      };
      const { spare: _, ...keys } = server.keys;
      const report = await runOn(ask, keys, {}, depth);
      expect(report.verdict).not.toBe("conforms");
      expect(report.coverage.ran).toBeLessThan(report.coverage.stated);
    }
  });

  test("even where nothing is declared about drafts", async () => {
    const server = new ExampleServer({ projectStart: "draft" });
    const report = await runOn(
      async (request) =>
        isFeedback(operationOf(request)) ? answer(404)(await server.ask(request), "") : server.ask(request),
      { developer: server.keys.developer, tester: server.keys.tester },
      {},
      "quick",
    );
    expect(report.verdict).not.toBe("conforms");
  });
});

test("a cause that blocks many checks is told once, with what would help", async () => {
  const server = new ExampleServer({ projectStart: "draft" });
  const { developer, tester } = server.keys;
  const report = await runOn(server.ask, { developer, tester }, {}, "quick");
  expect(report.verdict).toBe("incomplete");
  const [cause] = report.coverage.missing.filter(({ checks }) => checks.length > 10);
  expect(cause?.cause).toContain("No project accepts feedback");
  expect(cause?.remedy).toContain("conformance.yaml");
});

test("a project that accepts feedback can be named", async () => {
  const server = new ExampleServer({ projectStart: "draft" });
  const [owner] = server.accounts;
  if (!owner) throw new Error("There is no account.");
  const request = { method: "POST", path: "/projects", query: {}, headers: {} };
  const body = { title: "Open", description: "It is open.", category: "web", status: "active" };
  const open = String(fieldsOf(server.perform({ ...request, body }, owner).body).id);
  const { developer, tester } = server.keys;
  const report = await runOn(server.ask, { developer, tester }, { project: { open } }, "quick");
  expect(report.checks.filter(({ status }) => status === "fail").map(({ id, reason }) => `${id}: ${reason}`)).toEqual(
    [],
  );
  expect(report.verdict).toBe("conforms");
});
