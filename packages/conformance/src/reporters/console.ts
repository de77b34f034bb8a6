import { styleText } from "node:util";
import { clauses } from "../contract.ts";
import type { RunEvent } from "../engine/events.ts";
import type { Planned } from "../engine/plan.ts";
import type { CheckResult, Report, Status } from "../engine/report.ts";
import type { Depth, Payer } from "../engine/terms.ts";
import { coverageLine, declaredText, shown, tally, undeclaredText, verdictText } from "./text.ts";

type Style = Parameters<typeof styleText>[0];

const looks: Readonly<Record<Status, { readonly sign: string; readonly style: Style }>> = {
  pass: { sign: "✓", style: "green" },
  fail: { sign: "✗", style: "red" },
  differs: { sign: "≠", style: "yellow" },
  "not applicable": { sign: "–", style: "gray" },
  "not testable": { sign: "?", style: "yellow" },
  "harness error": { sign: "!", style: "magenta" },
};

/** Reports a run on a terminal or in a log while it lasts. */
export class ConsoleReporter {
  readonly #out: { write(text: string): unknown };
  readonly #color: boolean;

  constructor(out: { write(text: string): unknown }, { color = false }: { color?: boolean | undefined } = {}) {
    this.#out = out;
    this.#color = color;
  }

  readonly tell = (event: RunEvent): void => {
    if (event.type === "plan")
      this.#line(
        `Run ${event.run}: ${event.checks} checks at ${event.depth} depth, at most ${spending(event.requests)}.`,
      );
    if (event.type === "wait")
      this.#line(`Waiting ${Math.ceil(event.seconds)} s for the ${event.payer} key: ${event.why}.`);
    if (event.type === "notice") this.#line(event.text);
    if (event.type === "check") this.#check(event.result);
    if (event.type === "end") this.#end(event.report);
  };

  #check(result: CheckResult): void {
    const { sign, style } = looks[result.status];
    const status =
      result.status === "pass"
        ? ""
        : ` ${this.#styled(style, result.known ? `${result.status}, known until ${result.known.until}` : result.status)}`;
    this.#line(`${this.#styled(style, sign)} ${result.id}${status}`);
    if (result.status === "pass") return;
    // A cause that blocks many checks is told once, at the end.
    if (result.unmet || result.remedy !== undefined) return;
    if (result.reason) this.#line(`    ${result.reason}`);
    if (result.status !== "fail" && result.status !== "differs") return;
    this.#line(indented(`expected: ${shown(result.expected)}`));
    this.#line(indented(`seen:     ${cut(shown(result.seen))}`));
    for (const id of result.clauses) this.#line(indented(`${id}: ${clauses.find((clause) => clause.id === id)?.text}`));
    if (result.status === "fail" && result.script) {
      this.#line(
        indented("The last requests of the script that reproduces it (the json and html reports hold all of it):"),
      );
      this.#line(indented(indented(tail(result.script).replace(/^(.{500}).+$/gm, "$1…"))));
    }
  }

  #end(report: Report): void {
    const { counts, requests, milliseconds, leftBehind } = report;
    if (report.verdict === "could not run" && report.coverage.ran === 0 && leftBehind.length === 0) {
      for (const reason of report.reasons) this.#line(reason);
      this.#line(this.#styled(["bold", "magenta"], `Verdict: ${verdictText(report)}`));
      return;
    }
    this.#line("");
    this.#line(`stated: ${tally(counts.stated)}`);
    if (report.profile === "reference") this.#line(`chosen: ${tally(counts.chosen)}`);
    this.#line(`coverage: ${coverageLine(report)}`);
    for (const line of undeclaredText(report)) this.#line(indented(line));
    if (declaredText(report) !== "") this.#line(`declared: ${declaredText(report)}`);
    for (const { cause, remedy, checks } of report.coverage.missing) {
      // Why a run could not go on is told below, once.
      if (report.verdict === "could not run" && report.reasons.includes(cause)) continue;
      this.#line(`Not judged: ${checks.length} ${checks.length === 1 ? "check" : "checks"} (${checks.join(", ")})`);
      this.#line(indented(`${cause} ${remedy}`));
    }
    this.#line(`${spending(requests)} in ${(milliseconds / 1000).toFixed(1)} s`);
    if (leftBehind.length > 0) this.#line(`Left behind: ${leftBehind.join(", ")}. Delete it with: sweep ${report.run}`);
    const told = report.verdict === "does not conform" || report.verdict === "could not run";
    for (const reason of told ? report.reasons.slice(0, 20) : []) this.#line(`  ${reason}`);
    const style = (
      { conforms: "green", incomplete: "yellow", "could not run": "magenta", "does not conform": "red" } as const
    )[report.verdict];
    this.#line(this.#styled(["bold", style], `Verdict: ${verdictText(report)} (${coverageLine(report)})`));
  }

  #styled(style: Style, text: string): string {
    return this.#color ? styleText(style, text) : text;
  }

  #line(text: string): void {
    this.#out.write(`${text}\n`);
  }
}

const indented = (text: string) => text.replace(/^/gm, "    ");
const cut = (text: string) => (text.length > 1_500 ? `${text.slice(0, 1_500)}…` : text);

/** The last requests of a script. */
function tail(script: string): string {
  return script
    .split("\n\n")
    .filter((step) => !step.startsWith("# What it created"))
    .slice(-2)
    .join("\n")
    .trimEnd();
}

const names: Readonly<Record<Payer, string>> = {
  developer: "with the developer's key",
  tester: "with the tester's",
  otherDeveloper: "with the other developer's",
  spare: "with the spare",
  nobody: "without a valid one",
};

/** `45 requests with the developer's key, 47 with the tester's, …` */
export function spending(requests: Readonly<Record<Payer, number>>): string {
  const parts = (Object.keys(names) as Payer[]).flatMap((payer) =>
    requests[payer] > 0 ? [`${requests[payer]} ${names[payer]}`] : [],
  );
  return parts.length === 0
    ? "no requests"
    : `${parts[0]?.replace(" ", parts[0].startsWith("1 ") ? " request " : " requests ")}${parts
        .slice(1)
        .map((part) => `, ${part}`)
        .join("")}`;
}

/** What would be run, and the requests that it takes. */
export function planText(
  planned: readonly Planned[],
  costs: Readonly<Partial<Record<Depth, Readonly<Record<Payer, number>>>>>,
): string {
  const lines = planned.map(({ check, skip }) =>
    skip
      ? `${looks[skip.status].sign} ${check.id}: ${skip.status}. ${skip.reason}`
      : `  ${check.id}: ${check.title} [${check.clauses.join(", ")}]`,
  );
  const running = planned.filter(({ skip }) => !skip).length;
  const depths = Object.entries(costs).map(([depth, cost]) => `${depth} depth: at most ${spending(cost)}.`);
  const choice =
    depths.length > 1 ? ["Full depth is used where both keys have 400 requests left, else quick depth."] : [];
  const told = [`${running} checks of ${planned.length} would be run.`, ...depths, ...choice, "Nothing was sent."];
  return `${lines.join("\n")}\n\n${told.join("\n")}\n`;
}
