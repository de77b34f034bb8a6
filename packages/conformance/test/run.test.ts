import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checks, unseen } from "../src/checks/index.ts";
import { clauses } from "../src/contract.ts";
import type { Report } from "../src/engine/report.ts";
import { runConformance } from "../src/engine/run.ts";
import { verifyReport } from "../src/engine/verify-report.ts";
import type { ConformanceOptions } from "../src/options.ts";
import { reportKinds, written } from "../src/reporters/index.ts";
import { latestRequirements, requirementSet } from "../src/requirements.ts";
import { schemaOf } from "../src/schemas.ts";
import { Reference, type Served } from "../zoo/reference.ts";
import { askAt, fetchThrough, operationOf } from "../zoo/wire.ts";

let reference: Reference;
let served: Served;
let given: Awaited<ReturnType<Reference["keys"]>>;
let report: Report;
const ledger = mkdtempSync(join(tmpdir(), "conformance-"));
const draft = { fields: { status: "draft" } };

async function options(more: Partial<ConformanceOptions> = {}): Promise<ConformanceOptions> {
  return { baseUrl: served.baseUrl, ...(await reference.keys()), draft, ledger, maxWait: 0, ...more };
}

async function leftOf(run: string): Promise<number> {
  const { key } = await reference.key("developer", "team");
  const found = await fetch(`${served.baseUrl}/projects?search=${run}`, {
    headers: { authorization: `Bearer ${key}` },
  });
  return ((await found.json()) as { pagination: { total: number } }).pagination.total;
}

beforeAll(async () => {
  reference = await Reference.open();
  served = await reference.serve();
  given = await reference.keys();
  report = await runConformance({ ...(await options()), ...given });
});

afterAll(async () => {
  await served.stop();
  await reference.close();
  rmSync(ledger, { recursive: true, force: true });
});

describe("the stated suite", () => {
  test("passes in full against our own server", () => {
    expect(report.verdict).toBe("conforms");
    const others = report.checks.filter(({ level, status }) => level === "stated" && status !== "pass");
    expect(others.map(({ id }) => id)).toEqual(["base.https"]);
  });

  test("makes at most 95 requests with each key, and no more than it planned", () => {
    expect(report.requests.developer).toBeLessThanOrEqual(95);
    expect(report.requests.tester).toBeLessThanOrEqual(95);
    expect(report.requests.developer).toBeLessThanOrEqual(report.planned.developer);
    expect(report.requests.tester).toBeLessThanOrEqual(report.planned.tester);
    expect(report.requests.nobody).toBeLessThanOrEqual(report.planned.nobody);
  });

  test("ends in under 10 seconds", () => expect(report.milliseconds).toBeLessThan(10_000));

  test("leaves nothing behind, on the server or in the ledger", async () => {
    expect(report.leftBehind).toEqual([]);
    expect(await leftOf(report.run)).toBe(0);
    expect(readdirSync(ledger)).toEqual([]);
  });

  test("fits the Free plan together with its clean-up", () => expect(given.plans?.developer).toBe("free"));
});

describe("at full depth", () => {
  test("every stated check passes against our own server, within 400 requests with each key and 30 seconds", async () => {
    const full = await runConformance({ ...(await options(await reference.keys("reference"))), depth: "full" });
    expect(full.verdict).toBe("conforms");
    const left = full.checks.filter(({ level, status }) => level === "stated" && status !== "pass");
    expect(left.map(({ id }) => id)).toEqual(["base.https"]);
    expect(full.coverage).toMatchObject({ ran: full.coverage.stated - 1, missing: [] });
    expect(Math.max(full.requests.developer, full.requests.tester)).toBeLessThanOrEqual(400);
    expect(full.milliseconds).toBeLessThan(30_000);
  });

  test("is chosen where the announced allowances permit it", async () => {
    const keys = await reference.keys("reference");
    const { spare: _, ...without } = keys.keys;
    expect((await runConformance(await options({ ...keys, keys: without }))).depth).toBe("full");
    expect(report.depth).toBe("quick");
  });
});

describe("a selection", () => {
  test.each([
    ["a check", ["base.version"]],
    ["a group", ["base"]],
    ["a clause", ["S-BASE-1", "S-BASE-2"]],
  ])("by %s never conforms", async (_, only) => {
    const selected = await runConformance(await options({ only }));
    expect(selected.verdict).toBe("incomplete");
    expect(selected.checks.find(({ id }) => id === "base.version")?.status).toBe("pass");
    expect(selected.coverage.missing[0]?.remedy).toContain("without --only");
  });

  test("that leaves something out never conforms either", async () => {
    const selected = await runConformance(await options({ skip: ["rate-limits"] }));
    expect(selected.verdict).toBe("incomplete");
    expect(
      selected.checks.filter(({ group }) => group === "rate limits").every(({ status }) => status !== "pass"),
    ).toBe(true);
  });

  test("must name something", async () => {
    await expect(runConformance(await options({ only: ["nothing"] }))).rejects.toThrow("no check, group or clause");
  });
});

describe("requirements", () => {
  test("the latest set is the stated checks of this suite", () => {
    const stated = checks.filter(({ level }) => level === "stated").map(({ id }) => id);
    expect(requirementSet(latestRequirements)).toEqual(stated);
  });

  test("an unknown set is refused", async () => {
    await expect(runConformance(await options({ requirements: "1999-01" }))).rejects.toThrow("Choose one of");
  });
});

describe("before anything is created", () => {
  const created = (run: Report) =>
    run.exchanges.filter(({ request, response }) => request.method === "POST" && response.status < 300);

  test("swapped keys are reported", async () => {
    const { keys } = await options();
    const swapped = await runConformance(await options({ keys: { developer: keys.tester, tester: keys.developer } }));
    expect(swapped.verdict).toBe("could not run");
    expect(swapped.reasons.join()).toContain("swapped");
    expect(created(swapped)).toEqual([]);
  });

  test("a wrong base path is reported", async () => {
    const wrong = await runConformance(await options({ baseUrl: served.baseUrl.replace("/v1", "/nowhere/v1") }));
    expect(wrong.verdict).toBe("could not run");
    expect(wrong.reasons.join()).toContain("path of the base address");
    expect(created(wrong)).toEqual([]);
  });

  test("the same key twice is refused", async () => {
    const { keys } = await options();
    await expect(runConformance(await options({ keys: { ...keys, tester: keys.developer } }))).rejects.toThrow(
      "are the same",
    );
  });
});

describe("traceability", () => {
  test("every clause has a check or a written reason", () => {
    const proven = new Set(checks.flatMap((check) => check.clauses));
    expect(clauses.filter(({ id }) => !proven.has(id) && !unseen[id]).map(({ id }) => id)).toEqual([]);
  });

  test("every check names clauses that exist, and has an id of its own", () => {
    const known = new Set(clauses.map(({ id }) => id));
    for (const check of checks) for (const clause of check.clauses) expect(known).toContain(clause);
    expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length);
  });

  test("a stated check proves stated clauses alone", () => {
    for (const check of checks)
      if (check.level === "stated") for (const clause of check.clauses) expect(clause).toMatch(/^S-/);
  });
});

describe("reports", () => {
  test("JSON is as its published schema says, and verifies", () => {
    const valid = schemaOf<Report>("report");
    expect(valid(JSON.parse(written("json", report))), JSON.stringify(valid.errors)).toBe(true);
    expect(verifyReport(JSON.parse(written("json", report)))).toMatchObject({ problems: [], verdict: "conforms" });
  });

  test("no kind of report holds a key", () => {
    for (const kind of reportKinds) {
      for (const key of Object.values(given.keys)) expect(written(kind, report)).not.toContain(key);
    }
  });

  test("a changed status, a dropped check and a changed exchange are found out", () => {
    const changed = (change: (copy: { checks: { status: string }[]; exchanges: unknown[] }) => void) => {
      const copy = JSON.parse(written("json", report));
      change(copy);
      return verifyReport(copy).problems;
    };
    expect(changed((copy) => copy.checks.pop())).not.toEqual([]);
    expect(changed((copy) => copy.exchanges.pop())).not.toEqual([]);
    expect(changed((copy) => Object.assign(copy.checks[0] as object, { status: "fail" })).join()).toContain(
      "does not conform",
    );
  });
});

describe("a server that repeats keys everywhere", () => {
  test("gets none of them into the report or the ledger", async () => {
    const run = await options();
    const ask = askAt(served.baseUrl);
    const echo = fetchThrough(served.baseUrl, async (sent) => {
      const got = await ask(sent);
      const key = sent.headers.authorization ?? "";
      return {
        ...got,
        headers: { ...got.headers, "x-echo": key, [`x-${key.length}`]: key },
        body: { echoed: key, error: got.body },
      };
    });
    const echoed = await runConformance({ ...run, fetch: echo });
    expect(echoed.verdict).toBe("does not conform");
    expect(echoed.checks.find(({ id }) => id === "auth.key-not-shown")?.status).toBe("fail");
    const texts = [
      ...reportKinds.map((kind) => written(kind, echoed)),
      ...readdirSync(ledger).map((name) => readFileSync(join(ledger, name), "utf8")),
    ];
    for (const key of Object.values(run.keys)) for (const text of texts) expect(text).not.toContain(key);
  });
});

describe("a server that lists and creates projects alone", () => {
  test("is told what it lacks and what was left behind, and is not blamed for more", async () => {
    const run = await options();
    const ask = askAt(served.baseUrl);
    const partial = fetchThrough(served.baseUrl, async (sent) => {
      const got = await ask(sent.method === "GET" || sent.method === "POST" ? sent : { ...sent, method: "GET" });
      if (["listProjects", "createProject"].includes(operationOf(sent)) || got.status === 401) return got;
      return { ...got, status: 404, body: { error: "Not Found", message: "No such resource" } };
    });
    const judged = await runConformance({ ...run, fetch: partial });
    expect(judged.verdict).toBe("does not conform");
    expect(judged.leftBehind).toHaveLength(4);
    const failed = judged.checks.filter(({ status }) => status === "fail").map(({ id }) => id);
    expect(failed).toContain("projects.detail");
    expect(failed).not.toContain("auth.deleteProject");
    expect(failed).not.toContain("projects.list-and-detail");
    expect(judged.checks.find(({ id }) => id === "projects.patch-listed")?.status).toBe("not testable");
    for (const left of judged.leftBehind) {
      const address = `${served.baseUrl}/${left.replace("project ", "projects/")}`;
      await fetch(address, { method: "DELETE", headers: { authorization: `Bearer ${run.keys.developer}` } });
    }
    rmSync(join(ledger, `${judged.run}.jsonl`), { force: true });
  });
});

describe("modes", () => {
  test("a read-only run sends nothing but GET, and says what it could not test", async () => {
    const readOnly = await runConformance(await options({ readOnly: true }));
    const methods = new Set(readOnly.exchanges.map(({ request }) => request.method));
    expect([...methods]).toEqual(["GET"]);
    expect(readOnly.verdict).toBe("incomplete");
    expect(readOnly.counts.stated["not testable"]).toBeGreaterThan(0);
  });

  test("nobody there is no failure: it could not run", async () => {
    const away = await runConformance(await options({ baseUrl: "http://127.0.0.1:1/v1" }));
    expect(away.verdict).toBe("could not run");
    expect(away.counts.stated.fail).toBe(0);
  });

  test("a wrong key is no failure: it could not run", async () => {
    const { keys } = await options();
    const wrong = await runConformance(await options({ keys: { ...keys, tester: "wrong-key" } }));
    expect(wrong.verdict).toBe("could not run");
    expect(wrong.reasons.join()).toContain("tester's key is refused");
  });

  test("an interrupted run deletes what it made, and could not run", async () => {
    const interruption = new AbortController();
    const run = await options({
      signal: interruption.signal,
      onEvent: (event) => void (event.type === "evidence" && event.name.includes("detail") && interruption.abort()),
    });
    const interrupted = await runConformance(run);
    expect(interrupted.verdict).toBe("could not run");
    expect(await leftOf(interrupted.run)).toBe(0);
  });
});

describe("known failures", () => {
  const known = (until: string, check = "delete.none") => [{ check, reason: "It is being mended.", until }];
  const mutilated = () => {
    const ask = askAt(served.baseUrl);
    return fetchThrough(served.baseUrl, async (sent) => {
      const got = await ask(sent);
      return sent.method === "DELETE" && got.status === 200 ? { ...got, body: { success: true } } : got;
    });
  };
  const check = "projects.delete-answer";

  test("do not count until their day", async () => {
    const excused = await runConformance(
      await options({ fetch: mutilated(), knownFailures: known("2999-01-01", check) }),
    );
    expect(excused.verdict).toBe("conforms");
    expect(excused.checks.find(({ id }) => id === check)).toMatchObject({
      status: "fail",
      known: { until: "2999-01-01" },
    });
  });

  test("count again after it", async () => {
    const late = await runConformance(await options({ fetch: mutilated(), knownFailures: known("2020-01-01", check) }));
    expect(late.verdict).toBe("does not conform");
  });

  test("fail the run once they are mended", async () => {
    const stale = await runConformance(await options({ knownFailures: known("2999-01-01", check) }));
    expect(stale.verdict).toBe("does not conform");
    expect(stale.stale).toEqual([check]);
  });

  test("must name a check", async () => {
    await expect(runConformance(await options({ knownFailures: known("2999-01-01") }))).rejects.toThrow(
      "does not exist",
    );
  });
});
