import type { CheckResult, Report } from "../engine/report.ts";
import { spending } from "./console.ts";
import { coverageLine, declaredText, shown, tally, verdictText, wordsOf } from "./text.ts";

/** A summary for a pull request or a job's page. */
export function markdown(report: Report): string {
  const failed = report.checks.filter(({ status }) => status === "fail");
  const quiet = report.checks.filter(({ status }) => status !== "pass" && status !== "fail");
  return `# Conformance: ${verdictText(report)}

${report.baseUrl}, profile ${report.profile}, ${report.startedAt}

| | |
|---|---|
| coverage | ${cell(coverageLine(report))} |
${declaredText(report) === "" ? "" : `| declared | \`${cell(declaredText(report))}\` |\n`}| stated checks | ${tally(report.counts.stated)} |
${report.profile === "reference" ? `| chosen checks | ${tally(report.counts.chosen)} |\n` : ""}| requests | ${spending(report.requests)} |
| duration | ${(report.milliseconds / 1000).toFixed(1)} s |
| suite | ${report.suite.name} ${report.suite.version}, requirements ${report.requirements} |
| contract | \`${report.suite.contract}\` |
| checks | \`${report.suite.checks}\` |
| digest | \`${report.digest}\` |

${report.verdict === "conforms" ? "" : `${report.reasons.map((reason) => `- ${cell(reason)}`).join("\n")}\n`}
${failed.map((check) => failure(report, check)).join("\n")}
## Neither passed nor failed

${quiet.length === 0 ? "None." : `| check | status | reason |\n|---|---|---|\n${quiet.map(({ id, status, reason }) => `| ${id} | ${status} | ${cell(reason ?? "")} |`).join("\n")}`}
`;
}

function failure(report: Report, check: CheckResult): string {
  return `## ${check.id} fails${check.known ? ` (known until ${check.known.until}: ${cell(check.known.reason)})` : ""}

${wordsOf(report, check)
  .map((words) => `> ${words}`)
  .join("\n>\n")}

${cell(check.reason ?? "")}

${fenced(`expected: ${shown(check.expected)}\nseen: ${shown(check.seen)}`, "")}

<details><summary>Shell script</summary>

${fenced(check.script ?? "", "sh")}

</details>
`;
}

const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("<", "&lt;").replaceAll("\n", " ");

/** A code block whose fence is longer than any in the text. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
