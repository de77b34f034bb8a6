import type { PublishedExchange } from "../engine/exchange.ts";
import { type CheckResult, type Report, statuses } from "../engine/report.ts";
import { spending } from "./console.ts";
import { behaviour, style } from "./html-parts.ts";
import { coverageLine, declaredText, escaped, shown, tally, verdictText } from "./text.ts";

/** One file that needs no other: it can be mailed, and read on a phone. */
export function html(report: Report): string {
  const title = `Conformance of ${report.baseUrl}: ${verdictText(report)}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>${escaped(title)}</title>
<style>${style}</style>
</head>
<body>
<header>
<h1>${escaped(verdictText(report))}</h1>
<p class="${report.verdict.replaceAll(" ", "-")}">${escaped(report.baseUrl)}</p>
<dl>${facts(report)
    .map(([name, value]) => `<div><dt>${escaped(name)}</dt><dd>${escaped(value)}</dd></div>`)
    .join("")}</dl>
${
  report.verdict === "conforms"
    ? ""
    : `<ul>${report.reasons
        .slice(0, 30)
        .map((reason) => `<li>${escaped(reason)}</li>`)
        .join("")}</ul>`
}
</header>
<main>
<form id="filters" role="search">
<label>Find <input id="text" type="search" placeholder="check, clause or words"></label>
<label>Status <select id="status"><option value="">all</option>${statuses.map((status) => `<option>${status}</option>`).join("")}</select></label>
<label>Level <select id="level"><option value="">all</option><option>stated</option><option>chosen</option></select></label>
<output id="shown"></output>
</form>
<h2>Checks</h2>
${report.checks.map((check) => checkPart(report, check)).join("\n")}
<h2>Clauses</h2>
${report.clauses.map((clause) => `<article class="clause" data-level="${clause.level}"><h3>${escaped(clause.id)} <small>${escaped(clause.status)}</small></h3><p>${escaped(clause.text)}</p><p>${clause.checks.map((id) => `<a href="#${escaped(id)}">${escaped(id)}</a>`).join(" ") || escaped(clause.unseen ?? "")}</p></article>`).join("\n")}
<h2>Exchanges</h2>
${report.exchanges.map(exchangePart).join("\n")}
</main>
<script>${behaviour}</script>
</body>
</html>
`;
}

function facts(report: Report): [string, string][] {
  return [
    ["Coverage", coverageLine(report)],
    ...(declaredText(report) === "" ? [] : ([["Declared", declaredText(report)]] as [string, string][])),
    ["Stated", tally(report.counts.stated)],
    ...(report.profile === "reference" ? ([["Chosen", tally(report.counts.chosen)]] as [string, string][]) : []),
    ["Requests", spending(report.requests)],
    [
      "Run",
      `${report.run}, ${report.startedAt}, ${(report.milliseconds / 1000).toFixed(1)} s, profile ${report.profile}, ${report.mode}`,
    ],
    ["Suite", `${report.suite.name} ${report.suite.version}, requirements ${report.requirements}`],
    ["Contract", report.suite.contract],
    ["Checks", report.suite.checks],
    ["Digest", report.digest],
  ];
}

function checkPart(report: Report, check: CheckResult): string {
  const words = check.clauses
    .map(
      (id) => `<p><b>${escaped(id)}</b> ${escaped(report.clauses.find((clause) => clause.id === id)?.text ?? "")}</p>`,
    )
    .join("");
  const both =
    check.expected === undefined
      ? ""
      : `<h4>Expected</h4><pre>${escaped(shown(check.expected))}</pre><h4>Seen</h4><pre>${escaped(shown(check.seen))}</pre>`;
  const script = check.script === undefined ? "" : `<h4>Shell script</h4><pre>${escaped(check.script)}</pre>`;
  const exchanges = check.exchanges.map((number) => `<a href="#exchange-${number}">${number}</a>`).join(" ");
  const known = check.known ? `<p>Known until ${escaped(check.known.until)}: ${escaped(check.known.reason)}</p>` : "";
  return `<details class="check" id="${escaped(check.id)}" data-status="${check.status}" data-level="${check.level}"${check.status === "fail" ? " open" : ""}>
<summary><span class="status ${check.status.replaceAll(" ", "-")}">${check.status}</span> <b>${escaped(check.id)}</b> <span>${escaped(check.title)}</span></summary>
${check.reason ? `<p>${escaped(check.reason)}</p>` : ""}${known}${words}${both}${script}${exchanges ? `<p>Exchanges ${exchanges}</p>` : ""}
</details>`;
}

function exchangePart({ number, payer, request, response, milliseconds }: PublishedExchange): string {
  const headers = (all: Readonly<Record<string, string>>) =>
    Object.entries(all)
      .map(([name, value]) => `${name}: ${value}`)
      .join("\n");
  return `<details class="exchange" id="exchange-${number}"><summary>${number} <b>${request.method} ${escaped(request.target)}</b> → ${response.status} <small>${payer}, ${milliseconds} ms</small></summary>
<pre>${escaped(headers(request.headers))}\n\n${escaped(request.body ?? "")}</pre><pre>${escaped(headers(response.headers))}\n\n${escaped(response.body)}</pre></details>`;
}
