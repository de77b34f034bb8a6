// Counts the passed tests of each clause in the last run's report. Fails when a clause has none.
import { readFileSync } from "node:fs";
import { clausesUrl } from "@project-feedback/spec";
import { parse } from "yaml";

/** Clauses that are tested in another package, and why. */
const testedElsewhere: Readonly<Record<string, string>> = {};

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

const report: Report = JSON.parse(readFileSync(new URL("../.vitest-reports/report.json", import.meta.url), "utf8"));
const ids = Object.keys(parse(readFileSync(clausesUrl, "utf8")));
const passed = new Map(ids.map((id) => [id, 0]));
const unknown = new Set<string>();

for (const { fullName, status } of report.testResults.flatMap(({ assertionResults }) => assertionResults)) {
  for (const id of new Set(fullName.match(/\b[SC](?:-[A-Z]+)+-\d+\b/g))) {
    const count = passed.get(id);
    if (count === undefined) unknown.add(id);
    else if (status === "passed") passed.set(id, count + 1);
  }
}

const lines = [...passed].map(([id, count]) => {
  const tests = count === 0 ? "none" : `${count} passed test${count === 1 ? "" : "s"}`;
  const reason = testedElsewhere[id];
  return `${id.padEnd(16)} ${tests}${reason ? `; tested elsewhere: ${reason}` : ""}`;
});
console.log(lines.join("\n"));

const missing = ids.filter((id) => passed.get(id) === 0 && !Object.hasOwn(testedElsewhere, id));
if (missing.length > 0) console.error(`No passed test names ${missing.join(", ")}. Begin a test's title with the id.`);
if (unknown.size > 0)
  console.error(
    `Tests name ${[...unknown].join(", ")}, which clauses.yaml does not have. Correct the id, or add the clause.`,
  );
if (missing.length > 0 || unknown.size > 0) process.exitCode = 1;
