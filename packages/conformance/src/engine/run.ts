import { checks as allChecks } from "../checks/index.ts";
import { scenario } from "../checks/scenario.ts";
import { type ConformanceOptions, checkOptions, provisionsOf } from "../options.ts";
import { requiredChecks } from "../requirements.ts";
import type { Check } from "./check.ts";
import { cleanUp } from "./cleanup.ts";
import { Client } from "./client.ts";
import { RunContext } from "./context.ts";
import type { Exchange } from "./exchange.ts";
import { randomLetters } from "./false-keys.ts";
import { applyKnown, checkKnown } from "./known-failures.ts";
import { defaultLedgerFolder, Ledger } from "./ledger.ts";
import { SetupError } from "./outcome.ts";
import { Pacer } from "./pacer.ts";
import { costOf, neededEvidence, type Planned, plan } from "./plan.ts";
import { affordableDepth, preflight } from "./preflight.ts";
import { Redactor } from "./redactor.ts";
import type { CheckResult, Report } from "./report.ts";
import { reportOf } from "./report-of.ts";
import { judgeCheck } from "./results.ts";
import { checkSelection, type Selection } from "./selection.ts";

/** The plan of a run with these options, without a request. @throws ConfigurationError */
export function planFor(options: ConformanceOptions, checks: readonly Check[] = allChecks): Planned[] {
  checkOptions(options);
  checkKnown(options.knownFailures ?? [], checks);
  const selection: Selection = { only: options.only ?? [], skip: options.skip ?? [] };
  checkSelection(selection, checks);
  const { profile = "stated", readOnly = false } = options;
  const required = requiredChecks(options.requirements, checks);
  return plan(required, { profile, readOnly, provided: provisionsOf(options), selection });
}

/**
 * Runs the checks against a deployment, deletes what they created, and returns the report.
 *
 * @throws ConfigurationError where the options are wrong; nothing was sent then
 */
export async function runConformance(options: ConformanceOptions): Promise<Report> {
  const planned = planFor(options);
  const { onEvent = () => {} } = options;
  const started = Date.now();
  const baseUrl = options.baseUrl.replace(/\/+$/, "");
  const run = `pfc${randomLetters(11)}`;
  const redactor = redactorFor(options);
  const folder = options.ledger === false ? undefined : (options.ledger ?? defaultLedgerFolder());
  const ledger = Ledger.begin(folder, run, baseUrl);
  const exchanges: Exchange[] = [];
  const wait = (seconds: number) => pause(seconds, options.signal);
  const client = new Client({
    baseUrl,
    fetch: options.fetch ?? fetch,
    pacer: new Pacer(
      options.maxWait ?? 3660,
      (payer, seconds, why) => onEvent({ type: "wait", payer, seconds, why }),
      wait,
    ),
    timeout: options.timeout ?? 15,
    userAgent: `project-feedback-conformance (run ${run})`,
    signal: options.signal,
    onExchange: (exchange) => exchanges.push(exchange),
  });
  const needed = neededEvidence(planned);
  const context = new RunContext({
    run,
    options,
    redactor,
    exchanges,
    client,
    ledger,
    planned: [
      ...Array.from(needed, ({ name, cost, reads = 0 }) => ({ name, cost, reads })),
      ...planned.flatMap(({ check, skip }) => (skip ? [] : [{ name: check.id, cost: check.cost, reads: 0 }])),
    ],
    pause: wait,
  });

  let turnedAway = await preflight(context);
  context.depth = options.depth ?? affordableDepth(exchanges);
  const cost = costOf(planned, context.depth);
  const count = planned.filter(({ skip }) => !skip).length;
  if (turnedAway === undefined) onEvent({ type: "plan", run, checks: count, depth: context.depth, requests: cost });

  // Evidence is gathered in the order of the scenario; whatever fails is judged by the checks that need it.
  for (const one of turnedAway === undefined ? scenario : []) {
    if (!needed.has(one)) continue;
    onEvent({ type: "evidence", name: one.name });
    const obstacle = await context.prepare(one);
    if (obstacle === undefined) continue;
    context.stop(obstacle.message);
    if (obstacle instanceof SetupError) turnedAway = obstacle.message;
    break;
  }
  const results: CheckResult[] = [];
  const perform = async (phase: Check["phase"]) => {
    for (const one of planned.filter(({ check }) => (check.phase ?? "main") === phase)) {
      if (one.check.level === "chosen") context.closeObservation();
      const interrupted = options.signal?.aborted ? "The run was interrupted." : undefined;
      const judged = await judgeCheck(context, one, turnedAway ?? interrupted, baseUrl);
      if (judged.stop !== undefined) context.stop(judged.stop);
      const result = applyKnown(judged.result, options.knownFailures ?? [], new Date());
      results.push(result);
      // Why nothing can be judged is told once, at the end.
      if (turnedAway === undefined) onEvent({ type: "check", result, number: results.length, of: planned.length });
    }
  };
  await perform("main");
  client.finish();
  const leftBehind = await cleanUp(ledger, run, (holder, method, path, query) =>
    context.send(holder, method, path, query ? { query } : {}),
  );
  if (leftBehind.length === 0) ledger.close();
  else onEvent({ type: "notice", text: `Left behind: ${leftBehind.join(", ")}. Delete it with \`sweep ${run}\`.` });
  await perform("end");
  if (!options.signal?.aborted) await perform("exhaust");

  const order = new Map(planned.map(({ check }, index) => [check.id, index]));
  results.sort((one, other) => (order.get(one.id) ?? 0) - (order.get(other.id) ?? 0));
  const report = reportOf({
    run,
    baseUrl,
    options,
    depth: context.depth,
    started,
    results,
    planned: cost,
    leftBehind,
    exchanges,
    redactor,
  });
  onEvent({ type: "end", report });
  return report;
}

function redactorFor({ keys }: ConformanceOptions): Redactor {
  const redactor = new Redactor();
  redactor.hide(keys.developer, "DEVELOPER_KEY");
  redactor.hide(keys.tester, "TESTER_KEY");
  if (keys.otherDeveloper) redactor.hide(keys.otherDeveloper, "OTHER_DEVELOPER_KEY");
  if (keys.spare) redactor.hide(keys.spare, "SPARE_KEY");
  return redactor;
}

async function pause(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted) return;
  await new Promise<void>((resolve) => {
    const wake = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", wake);
      resolve();
    };
    const timer = setTimeout(wake, seconds * 1000);
    signal?.addEventListener("abort", wake, { once: true });
  });
}
