import { describe, expect, test } from "vitest";
import { coverageOf, coverageText } from "../src/engine/coverage.ts";
import type { Exchange } from "../src/engine/exchange.ts";
import { falseKeysOf } from "../src/engine/false-keys.ts";
import { HarnessError } from "../src/engine/outcome.ts";
import { Pacer, resetInstant } from "../src/engine/pacer.ts";
import { Redactor } from "../src/engine/redactor.ts";
import type { CheckResult, Status } from "../src/engine/report.ts";
import { verdictOf } from "../src/engine/verdict.ts";
import { junit } from "../src/reporters/junit.ts";
import { escaped } from "../src/reporters/text.ts";

const check = (status: Status, more: Partial<CheckResult> = {}): CheckResult => ({
  id: "an.id",
  title: "It holds.",
  clauses: ["S-BASE-1"],
  group: "base",
  level: "stated",
  status,
  milliseconds: 1,
  exchanges: [],
  ...more,
});
const verdict = (checks: CheckResult[], stale: string[] = []) => verdictOf(checks, stale).verdict;

describe("the verdict", () => {
  test("conforms where what was executed passed", () =>
    expect(verdict([check("pass"), check("not applicable")])).toBe("conforms"));
  test("one failure is enough", () => expect(verdict([check("pass"), check("fail")])).toBe("does not conform"));
  test("a difference is no failure", () =>
    expect(verdict([check("pass"), check("differs", { level: "chosen" })])).toBe("conforms"));
  test("a required check that did not run makes it incomplete", () =>
    expect(verdict([check("pass"), check("not testable")])).toBe("incomplete"));
  test("what only the partner can make testable is not required", () =>
    expect(verdict([check("pass"), check("not testable", { undeclared: "drafts not declared" })])).toBe("conforms"));
  test("a failure decides, whatever could not run", () =>
    expect(verdict([check("fail"), check("not testable"), check("harness error")])).toBe("does not conform"));
  test("nothing executed is an error", () => expect(verdict([])).toBe("could not run"));
  test("an error of the harness is one", () =>
    expect(verdict([check("pass"), check("harness error")])).toBe("could not run"));
  test("a prerequisite that failed keeps it from conforming", () =>
    expect(verdict([check("pass"), check("not testable", { unmet: true })])).toBe("incomplete"));
  test("a known failure does not count", () =>
    expect(verdict([check("pass"), check("fail", { known: { reason: "r", until: "2999-01-01" } })])).toBe("conforms"));
  test("a stale entry fails", () => expect(verdict([check("pass")], ["an.id"])).toBe("does not conform"));
});

describe("coverage", () => {
  test("tells a cause that blocks several checks once, with its remedy", () => {
    const blocked = { reason: "No project accepts feedback.", remedy: "Declare `project`.", unmet: true };
    const coverage = coverageOf([check("pass"), check("not testable", blocked), check("not testable", blocked)]);
    expect(coverage.missing).toEqual([{ cause: blocked.reason, remedy: blocked.remedy, checks: ["an.id", "an.id"] }]);
  });
  test("tells what ran and what was not declared", () =>
    expect(
      coverageText(coverageOf([check("pass"), check("not testable", { undeclared: "drafts not declared" })])),
    ).toBe("1 of 2 stated checks; drafts not declared"));
});

describe("the pacer", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  const response = (status: number, headers: Record<string, string>) =>
    ({ payer: "developer", status, headers: new Headers(headers), receivedAt: now }) as unknown as Exchange;
  const refusal = response(429, { "retry-after": "7" });

  test.each([
    [429, { "retry-after": "7" }, "exhausted"],
    [403, { "x-ratelimit-remaining": "0" }, "exhausted"],
    [503, { "x-ratelimit-remaining": "0" }, "exhausted"],
    [503, { "retry-after": "1", "x-ratelimit-remaining": "9" }, "unavailable"],
    [403, { "x-ratelimit-remaining": "9" }, undefined],
    [429, { "x-ratelimit-remaining": "9" }, undefined],
  ] as const)("tells what a %d says of the allowance", (status, headers, expected) => {
    const pacer = new Pacer(
      1,
      () => {},
      async () => {},
    );
    expect(pacer.obstacle(response(status, headers))).toBe(expected);
  });
  test.each([
    [90, now + 90_000],
    [90_000, now + 90_000],
    [now / 1000 + 90, now + 90_000],
    [now + 90_000, now + 90_000],
  ])("reads Reset %d in whichever unit it is", (reset, expected) => expect(resetInstant(reset, now)).toBe(expected));

  test("waits for as long as a 429 description", async () => {
    const waits: number[] = [];
    const pacer = new Pacer(
      60,
      () => {},
      async (seconds) => void waits.push(seconds),
    );
    await pacer.refused("developer", refusal, 0);
    expect(waits).toEqual([7]);
  });

  test("does not wait longer than it may", async () => {
    const pacer = new Pacer(
      5,
      () => {},
      async () => {},
    );
    await expect(pacer.refused("developer", refusal, 0)).rejects.toThrow(HarnessError);
  });
});

describe("the redactor", () => {
  test("leaves no end of a key that begins with another", () => {
    const redactor = new Redactor();
    redactor.hide("secret-1", "DEVELOPER_KEY");
    redactor.hide("secret-1-more", "EXTENDED_KEY");
    expect(redactor.redact("a secret-1-more secret-1")).toBe("a $EXTENDED_KEY $DEVELOPER_KEY");
  });

  test.each(["1", "dev", "tester"])("leaves the word %s that is also a key, but for an echo of the header", (key) => {
    const redactor = new Redactor();
    redactor.hide(key, "TESTER_KEY");
    const body = { role: "tester", dev: 1, text: `Bearer ${key}` };
    expect(redactor.redactValue(body)).toEqual({ role: "tester", dev: 1, text: "Bearer $TESTER_KEY" });
  });

  test("keeps JSON whole where a key is a number", () => {
    const redactor = new Redactor();
    redactor.hide("key-1234567890", "TESTER_KEY");
    expect(JSON.stringify(redactor.redactValue({ testerId: "key-1234567890", n: 12 }))).toBe(
      '{"testerId":"$TESTER_KEY","n":12}',
    );
  });

  test("finds a key in JSON and in an address", () => {
    const redactor = new Redactor();
    redactor.hide('a"b/c-012', "TESTER_KEY");
    expect(redactor.redact(`${JSON.stringify({ key: 'a"b/c-012' })} ?key=${encodeURIComponent('a"b/c-012')}`)).toBe(
      '{"key":"$TESTER_KEY"} ?key=$TESTER_KEY',
    );
  });
});

describe("JUnit", () => {
  const report = (checks: CheckResult[]) =>
    ({
      checks,
      clauses: [],
      verdict: "conforms",
      depth: "quick",
      coverage: coverageOf(checks),
      startedAt: "2026-01-01T00:00:00Z",
    }) as unknown as Parameters<typeof junit>[0];

  test("has a failure element for a failure, an error for an error, skipped for what was not run", () => {
    const xml = junit(
      report([check("fail", { reason: "<no>" }), check("harness error"), check("not testable"), check("pass")]),
    );
    expect(xml).toContain('tests="4" failures="1" errors="1" skipped="1"');
    expect(xml).toContain('<failure message="&lt;no&gt;"');
  });

  test("leaves out what XML cannot hold", () => expect(escaped("a\u0000\ud800<b>\u001f")).toBe("a&lt;b&gt;"));
});

describe("keys that do not exist", () => {
  test("never equal a real key, and of a short key have no neighbours", () => {
    const forms = falseKeysOf("developer", "1", ["1", "2"]).map(({ key }) => key);
    expect(forms.every((key) => key.length > 8)).toBe(true);
    const long = "Key_0123456789abcdef";
    const keys = falseKeysOf("developer", long, [long, long.slice(0, -1)]).map(({ key }) => key);
    expect(keys).not.toContain(long);
    expect(keys).not.toContain(long.slice(0, -1));
    expect(keys.length).toBeGreaterThan(3);
  });
});
