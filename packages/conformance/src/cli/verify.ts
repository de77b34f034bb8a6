import { readText } from "../configuration.ts";
import { ConfigurationError } from "../engine/outcome.ts";
import { verifyReport } from "../engine/verify-report.ts";

/** Says whether a report is what it says it is: 0 where it is, 1 where it is not. */
export function verify(path: string): number {
  let value: unknown;
  try {
    value = JSON.parse(readText(path, "the report"));
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    throw new ConfigurationError(`${path} is no JSON.`);
  }
  const { problems, verdict } = verifyReport(value);
  const said = problems.length === 0 ? [`The report is whole. Its verdict: ${verdict}.`] : problems;
  process.stdout.write(`${said.join("\n")}\n`);
  return problems.length === 0 ? 0 : 1;
}
