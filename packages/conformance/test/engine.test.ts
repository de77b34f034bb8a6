import { describe, expect, test } from "vitest";
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
  test("a skip is no pass", () =>
    expect(verdict([check("not testable"), check("not applicable")])).toBe("could not run"));
  test("nothing executed is an error", () => expect(verdict([])).toBe("could not run"));
  test("an error of the harness is one", () =>
    expect(verdict([check("pass"), check("harness error")])).toBe("could not run"));
  test("a prerequisite that failed unseen keeps it from conforming", () =>
    expect(verdict([check("pass"), check("not testable", { unmet: true })])).toBe("could not run"));
  test("a known failure does not count", () =>
    expect(verdict([check("pass"), check("fail", { known: { reason: "r", until: "2999-01-01" } })])).toBe("conforms"));
  test("a stale entry fails", () => expect(verdict([check("pass")], ["an.id"])).toBe("does not conform"));
});

describe("the pacer", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  test.each([
    [90, now + 90_000],
    [90_000, now + 90_000],
    [now / 1000 + 90, now + 90_000],
    [now + 90_000, now + 90_000],
  ])("reads Reset %d in whichever unit it is", (reset, expected) => expect(resetInstant(reset, now)).toBe(expected));

  test("waits for as long as a 429 says", async () => {
    const waits: number[] = [];
    const pacer = new Pacer(
      60,
      () => {},
      async (seconds) => void waits.push(seconds),
    );
    await pacer.refused("developer", new Headers({ "retry-after": "7" }), now);
    expect(waits).toEqual([7]);
  });

  test("does not wait longer than it may", async () => {
    const pacer = new Pacer(
      5,
      () => {},
      async () => {},
    );
    await expect(pacer.refused("developer", new Headers({ "retry-after": "7" }), now)).rejects.toThrow(HarnessError);
  });
});

describe("the redactor", () => {
  test("leaves no end of a key that begins with another", () => {
    const redactor = new Redactor();
    redactor.hide("secret", "DEVELOPER_KEY");
    redactor.hide("secretive", "EXTENDED_KEY");
    expect(redactor.redact("a secretive secret")).toBe("a $EXTENDED_KEY $DEVELOPER_KEY");
  });

  test("finds a key in JSON and in an address", () => {
    const redactor = new Redactor();
    redactor.hide('a"b/c', "TESTER_KEY");
    expect(redactor.redact(`${JSON.stringify({ key: 'a"b/c' })} ?key=${encodeURIComponent('a"b/c')}`)).toBe(
      '{"key":"$TESTER_KEY"} ?key=$TESTER_KEY',
    );
  });
});

describe("JUnit", () => {
  const report = (checks: CheckResult[]) =>
    ({ checks, clauses: [], verdict: "conforms", startedAt: "2026-01-01T00:00:00Z" }) as unknown as Parameters<
      typeof junit
    >[0];

  test("has a failure element for a failure, an error for an error, skipped for what was not run", () => {
    const xml = junit(
      report([check("fail", { reason: "<no>" }), check("harness error"), check("not testable"), check("pass")]),
    );
    expect(xml).toContain('tests="4" failures="1" errors="1" skipped="1"');
    expect(xml).toContain('<failure message="&lt;no&gt;"');
  });

  test("leaves out what XML cannot hold", () => expect(escaped("a\u0000\ud800<b>\u001f")).toBe("a&lt;b&gt;"));
});
