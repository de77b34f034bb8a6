import { beforeAll, describe, test } from "vitest";
import type { CheckResult, Report } from "./engine/report.ts";
import { planFor, runConformance } from "./engine/run.ts";
import type { ConformanceOptions } from "./options.ts";
import { shown } from "./reporters/text.ts";

export interface DefineOptions {
  /** Whether a difference from the reference fails its test; false by default. */
  readonly strict?: boolean;
  /** Longest that the whole run may take, in milliseconds; a minute by default. */
  readonly timeout?: number;
}

type Given = ConformanceOptions | (() => ConformanceOptions | Promise<ConformanceOptions>);

/** Names of the tests need the checks alone; a run that is only set up later is planned with everything it may be given. */
const everything: ConformanceOptions = {
  baseUrl: "https://host/v1",
  keys: { developer: "developer", tester: "tester" },
  profile: "reference",
};

/**
 * Makes a vitest test of every check. One run serves them all; it begins before the first test, so that options may
 * be given as a function which starts a server.
 */
export function defineConformance(given: Given, { strict = false, timeout = 60_000 }: DefineOptions = {}): void {
  describe("conformance", () => {
    let report: Report;
    beforeAll(async () => {
      report = await runConformance(typeof given === "function" ? await given() : given);
    }, timeout);
    for (const { check } of planFor(everything)) {
      test(`${check.id}: ${check.title}`, (context) => {
        const result = report.checks.find(({ id }) => id === check.id);
        if (!result) return context.skip("It is not part of the profile.");
        const fails =
          (result.status === "fail" && !result.known) ||
          result.status === "harness error" ||
          (strict && result.status === "differs");
        if (fails) throw new Error(told(result));
        if (result.known && result.status === "pass")
          throw new Error(`${result.id} is listed as a known failure and passes.`);
        if (result.status !== "pass") context.skip(`${result.status}: ${result.reason}`);
      });
    }
    test("the verdict", () => {
      if (report.verdict !== "conforms") throw new Error(`${report.verdict}: ${report.reasons.join(" ")}`);
    });
  });
}

const told = ({ reason, expected, seen, clauses, script }: CheckResult) =>
  `${reason}\n${clauses.join(", ")}\nexpected: ${shown(expected)}\nseen: ${shown(seen)}\n\n${script ?? ""}`;
