import { readText } from "../configuration.ts";
import { coverageText } from "../engine/coverage.ts";
import { ConfigurationError } from "../engine/outcome.ts";
import { verifyReport } from "../engine/verify-report.ts";

/** Says whether a report is whole: 0 where it is, 1 where it is not. */
export function verify(path: string): number {
  let value: unknown;
  try {
    value = JSON.parse(readText(path, "the report"));
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    throw new ConfigurationError(`${path} is not JSON.`);
  }
  const { problems, verdict, coverage } = verifyReport(value);
  const covered = coverage ? ` (${coverageText(coverage)})` : "";
  const said = problems.length === 0 ? [`The report is whole. Its verdict: ${verdict}${covered}.`] : problems;
  process.stdout.write(`${said.join("\n")}\n`);
  return problems.length === 0 ? 0 : 1;
}
