// `pnpm release:monitoring`: holds every query of the dashboard and of the alerts against the metrics of a real server.
// Prometheus itself scrapes it and answers the queries. Needs Debian's package prometheus, with promtool.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parse } from "yaml";
import { freePort, launcherOf, runJson, startServer } from "./installed-server.ts";
import { repository } from "./repository.ts";

const job = "project-feedback";
/** Labels that Prometheus adds, or that every histogram has. */
const added = ["job", "instance", "le", "alertname"];
const monitoring = join(repository, "deploy", "monitoring");
const folder = mkdtempSync(join(tmpdir(), "project-feedback-monitoring-"));

interface Query {
  readonly of: string;
  readonly expression: string;
}

/** An answer of Prometheus, as far as it is read here. */
interface Answer {
  readonly status: string;
  readonly error?: string;
  readonly data: {
    readonly result?: readonly unknown[];
    readonly groups?: { rules: { name: string; health: string; state: string; lastError?: string }[] }[];
  };
}

function queries(): { dashboard: Query[]; alerts: Query[] } {
  const { panels } = JSON.parse(readFileSync(join(monitoring, "dashboard.json"), "utf8")) as {
    panels: { title: string; targets: { expr: string }[] }[];
  };
  const { groups } = parse(readFileSync(join(monitoring, "alerts.yaml"), "utf8")) as {
    groups: { rules: { alert: string; expr: string }[] }[];
  };
  const concrete = (expression: string) =>
    expression.replaceAll("$__rate_interval", "1m").replaceAll("$job", job).replaceAll("$instance", ".*");
  return {
    dashboard: panels.flatMap(({ title, targets }) =>
      targets.map(({ expr }) => ({ of: `panel "${title}"`, expression: concrete(expr) })),
    ),
    alerts: groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => ({ of: alert, expression: expr }))),
  };
}

/** Metric → its labels, of a text in Prometheus' format. */
function metricsIn(text: string): ReadonlyMap<string, ReadonlySet<string>> {
  const metrics = new Map<string, Set<string>>();
  for (const [, name = "", labels = ""] of text.matchAll(/^([a-z_]\w*)(?:\{(.*)\})? \S+$/gm)) {
    const known = metrics.get(name) ?? new Set();
    metrics.set(name, known);
    for (const [, label = ""] of labels.matchAll(/(\w+)="/g)) known.add(label);
  }
  return metrics;
}

/** Each metric and label that a query names and the server does not have. */
function unknownIn({ of, expression }: Query, metrics: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const problems: string[] = [];
  const named = [...expression.matchAll(/\b((?:project_feedback|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)];
  const labels = new Set(added);
  for (const [, name = "", selector = ""] of named) {
    const known = metrics.get(name);
    if (!known) problems.push(`${of} names ${name}, which /metrics does not have.`);
    for (const label of known ?? []) labels.add(label);
    for (const [, label = ""] of selector.matchAll(/(\w+)\s*(?:=|!=|=~|!~)"/g)) {
      if (known && !known.has(label) && !added.includes(label)) problems.push(`${of}: ${name} has no label ${label}.`);
    }
  }
  for (const [, list = ""] of expression.matchAll(/\bby \(([^)]*)\)/g)) {
    for (const label of list.split(",").map((each) => each.trim())) {
      if (!labels.has(label)) problems.push(`${of} groups by ${label}, which its metrics do not have.`);
    }
  }
  return problems;
}

/** Sends requests with several answers, so that every metric has a value. */
async function use(origin: string, key: string): Promise<void> {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  for (let round = 0; round < 5; round += 1) {
    const body = JSON.stringify({ title: "Atlas", description: "Maps.", category: "web" });
    await fetch(`${origin}/v1/projects`, { method: "POST", headers, body });
    await fetch(`${origin}/v1/projects`, { headers });
    await fetch(`${origin}/v1/projects/none`, { headers });
  }
}

const problems: string[] = [];
const { dashboard, alerts } = queries();
const run = (...args: string[]) => execFileSync("promtool", args, { cwd: monitoring, stdio: "inherit" });
run("check", "rules", "alerts.yaml");
run("test", "rules", "alerts.test.yaml");
const rules = dashboard.map(({ expression }, index) => ({ record: `panel:${index}`, expr: expression }));
writeFileSync(join(folder, "panels.json"), JSON.stringify({ groups: [{ name: "panels", rules }] }));
run("check", "rules", join(folder, "panels.json"));

const launcher = launcherOf(join(repository, "packages", "server", "bin", "project-feedback"), repository);
const settings = { DATA_DIR: join(folder, "data"), WORKERS: "2" };
const server = await startServer(launcher, settings);
let prometheus: ReturnType<typeof spawn> | undefined;
try {
  const account = ["accounts", "create", "--name", "Ada", "--role", "developer", "--plan", "team"];
  const { id } = await runJson<{ id: string }>(launcher, account, settings);
  const { key } = await runJson<{ key: string }>(launcher, ["keys", "create", "--account", id], settings);
  await use(server.origin, key);
  await sleep(1_500);
  const text = await (await fetch(`${server.origin}/metrics`)).text();
  execFileSync("promtool", ["check", "metrics"], { input: text, stdio: ["pipe", "inherit", "inherit"] });
  const metrics = metricsIn(text);
  for (const query of [...dashboard, ...alerts]) problems.push(...unknownIn(query, metrics));

  const port = await freePort();
  writeFileSync(
    join(folder, "prometheus.json"),
    JSON.stringify({
      global: { scrape_interval: "1s", evaluation_interval: "1s" },
      rule_files: [join(monitoring, "alerts.yaml")],
      scrape_configs: [{ job_name: job, static_configs: [{ targets: [new URL(server.origin).host] }] }],
    }),
  );
  prometheus = spawn(
    "prometheus",
    [
      `--config.file=${join(folder, "prometheus.json")}`,
      `--storage.tsdb.path=${join(folder, "tsdb")}`,
      `--web.listen-address=127.0.0.1:${port}`,
      "--log.level=error",
    ],
    { stdio: ["ignore", "ignore", "inherit"] },
  );
  for (let round = 0; round < 8; round += 1) {
    await use(server.origin, key);
    await sleep(1_000);
  }
  const ask = async (path: string): Promise<Answer> =>
    (await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)).json() as Promise<Answer>;
  for (const { of, expression } of dashboard) {
    const { status, error, data } = await ask(`query?query=${encodeURIComponent(expression)}`);
    if (status !== "success") problems.push(`${of}: ${error}`);
    else if (data.result?.length === 0) problems.push(`${of} shows nothing: ${expression}`);
  }
  const { data } = await ask("rules");
  const evaluated = data.groups?.flatMap(({ rules }) => rules) ?? [];
  if (evaluated.length !== alerts.length) problems.push("Prometheus did not load every alert.");
  for (const rule of evaluated) {
    if (rule.health !== "ok") problems.push(`${rule.name} cannot be evaluated: ${rule.lastError ?? rule.health}`);
    if (rule.state !== "inactive") problems.push(`${rule.name} is ${rule.state} on a healthy server.`);
  }
} finally {
  prometheus?.kill();
  server.signal("SIGTERM");
  await server.exited;
  rmSync(folder, { recursive: true, force: true });
}
for (const problem of problems) console.error(problem);
console.log(`${dashboard.length} queries of the dashboard and ${alerts.length} alerts: ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;
