import { randomInt } from "node:crypto";
import { checks as allChecks, unseen } from "../checks/index.ts";
import { binding, clauses } from "../contract.ts";
import { arrivals } from "../evidence/arrival.ts";
import { type ConformanceOptions, checkOptions, provisionsOf } from "../options.ts";
import type { Check, FalseKeys } from "./check.ts";
import { cleanUp } from "./cleanup.ts";
import { Client } from "./client.ts";
import { RunContext } from "./context.ts";
import { type Exchange, published } from "./exchange.ts";
import type { Payer } from "./keys.ts";
import { applyKnown, checkKnown } from "./known-failures.ts";
import { defaultLedgerFolder, Ledger } from "./ledger.ts";
import { HarnessError, NotApplicable, NotTestable, Unmet, Violation } from "./outcome.ts";
import { Pacer } from "./pacer.ts";
import { costOf, type Planned, plan } from "./plan.ts";
import { Redactor } from "./redactor.ts";
import { type CheckResult, type ClauseResult, count, digestOf, type Report } from "./report.ts";
import { scriptOf } from "./script.ts";
import { verdictOf } from "./verdict.ts";

const letters = "abcdefghijklmnopqrstuvwxyz";
const word = (length: number) => Array.from({ length }, () => letters[randomInt(letters.length)]).join("");

/** A key of the same look as another one, that nobody was given. */
function alike(key: string): string {
  const digit = () => String(randomInt(10));
  return key
    .replace(/[a-z]/g, () => word(1))
    .replace(/[A-Z]/g, () => word(1).toUpperCase())
    .replace(/[0-9]/g, digit);
}

function falseKeysFor(key: string): FalseKeys {
  return { unknown: alike(key), altered: key.slice(0, -1) + (key.endsWith("A") ? "B" : "A"), extended: `${key}A` };
}

/** The plan of a run with these options, without a request. @throws ConfigurationError */
export function planFor(options: ConformanceOptions, checks: readonly Check[] = allChecks): Planned[] {
  checkOptions(options);
  checkKnown(options.knownFailures ?? [], checks);
  const { profile = "stated", readOnly = false } = options;
  return plan(checks, { profile, readOnly, provided: provisionsOf(options) });
}

/**
 * Runs the checks against a deployment, deletes what they made, and answers the report.
 *
 * @throws ConfigurationError where the options cannot be meant; nothing was sent then
 */
export async function runConformance(options: ConformanceOptions): Promise<Report> {
  const planned = planFor(options);
  const { onEvent = () => {}, profile = "stated", readOnly = false } = options;
  const started = Date.now();
  const baseUrl = options.baseUrl.replace(/\/+$/, "");
  const run = `pfc${word(11)}`;
  const redactor = redactorFor(options);
  const falseKeys = falseKeysFor(options.keys.developer);
  redactor.hide(falseKeys.unknown, "UNKNOWN_KEY");
  redactor.hide(falseKeys.altered, "ALTERED_KEY");
  redactor.hide(falseKeys.extended, "EXTENDED_KEY");
  const ledger = Ledger.begin(
    options.ledger === false ? undefined : (options.ledger ?? defaultLedgerFolder()),
    run,
    baseUrl,
  );
  const exchanges: Exchange[] = [];
  const client = new Client({
    baseUrl,
    fetch: options.fetch ?? fetch,
    pacer: new Pacer(
      options.maxWait ?? 3660,
      (payer, seconds, why) => onEvent({ type: "wait", payer, seconds, why }),
      (seconds) => pause(seconds, options.signal),
    ),
    timeout: options.timeout ?? 15,
    userAgent: `project-feedback-conformance (run ${run})`,
    signal: options.signal,
    onExchange: (exchange) => exchanges.push(exchange),
  });
  const context = new RunContext({ run, options, falseKeys, redactor, exchanges, client, ledger });

  const cost = costOf(planned);
  onEvent({ type: "plan", run, checks: planned.filter(({ skip }) => !skip).length, requests: cost });

  const results: CheckResult[] = [];
  let stop: string | undefined = await turnedAway(context);
  const perform = async (phase: Check["phase"]) => {
    for (const one of planned.filter(({ check }) => (check.phase ?? "main") === phase)) {
      const result = await resultOf(context, one, stop, baseUrl);
      if (result.stop) stop ??= result.stop;
      results.push(applyKnown(result.result, options.knownFailures ?? [], new Date()));
      onEvent({ type: "check", result: results.at(-1) as CheckResult, number: results.length, of: planned.length });
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
  const stale = results.filter((check) => check.known && check.status === "pass").map(({ id }) => id);
  const { verdict, reasons } = verdictOf(results, stale);
  const spent = (payer: Payer) => exchanges.filter((exchange) => exchange.payer === payer).length;
  const content: Omit<Report, "digest"> = {
    suite: binding(),
    run,
    baseUrl,
    profile,
    mode: readOnly ? "read-only" : "full",
    startedAt: new Date(started).toISOString(),
    milliseconds: Date.now() - started,
    verdict,
    reasons,
    counts: count(results),
    requests: {
      developer: spent("developer"),
      tester: spent("tester"),
      otherDeveloper: spent("otherDeveloper"),
      spare: spent("spare"),
      nobody: spent("nobody"),
    },
    planned: cost,
    checks: results,
    clauses: clauseResults(results),
    stale,
    leftBehind,
    exchanges: exchanges.map((exchange) => published(exchange, redactor.redact)),
  };
  // Once through JSON: what cannot be written there must not be in the digest either.
  const plain: Omit<Report, "digest"> = JSON.parse(JSON.stringify(content));
  const report = { ...plain, digest: digestOf(plain) };
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
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, seconds * 1000);
    const wake = () => {
      clearTimeout(timer);
      resolve();
    };
    signal?.addEventListener("abort", wake, { once: true });
  });
}

/** Why nothing can be run: nobody answers, or a key is refused however it is sent. Undefined: go on. */
async function turnedAway(context: RunContext): Promise<string | undefined> {
  for (const holder of ["developer", "tester"] as const) {
    try {
      const answer = await context.use(arrivals[holder]);
      if (answer.status !== 401) continue;
      // A server that takes the key in another way only has a defect; one that takes it in no way was given a wrong key.
      const otherwise = await context.sendRaw(holder, `bearer ${context.options.keys[holder]}`, "GET", "/projects");
      if (otherwise.status === 401)
        return `The ${holder}'s key is refused (401). Is it right, and meant for this address?`;
    } catch (error) {
      if (error instanceof HarnessError || context.exchanges.length === 0) return (error as Error).message;
    }
  }
  return undefined;
}

async function resultOf(
  context: RunContext,
  { check, skip }: Planned,
  stop: string | undefined,
  baseUrl: string,
): Promise<{ result: CheckResult; stop?: string }> {
  const { id, title, clauses, level } = check;
  const about = { id, title, clauses: [...clauses], level };
  const idle = { milliseconds: 0, exchanges: [] };
  if (skip) return { result: { ...about, ...skip, ...idle } };
  if (stop) return { result: { ...about, status: "harness error", reason: stop, ...idle } };
  const { redact } = context.redactor;
  const started = Date.now();
  const needs = check.needs;
  const { exchanges, error } = await context.within({ name: `Check ${id}`, needs }, () => check.prove(context));
  const measured = { milliseconds: Date.now() - started, exchanges: exchanges.map(({ number }) => number) };
  if (error === undefined) return { result: { ...about, status: "pass", ...measured } };
  const script = redact(scriptOf(baseUrl, exchanges, redact));
  const clean = (value: unknown): unknown => JSON.parse(redact(JSON.stringify(value ?? null)));
  const reason = redact(error instanceof Error ? error.message : String(error));
  if (error instanceof Violation) {
    const status = level === "stated" ? "fail" : "differs";
    return {
      result: {
        ...about,
        status,
        reason,
        expected: clean(error.expected),
        seen: clean(error.seen),
        ...measured,
        script,
      },
    };
  }
  if (error instanceof Unmet)
    return { result: { ...about, status: "not testable", reason, unmet: true, ...measured, script } };
  if (error instanceof NotApplicable) return { result: { ...about, status: "not applicable", reason, ...measured } };
  if (error instanceof NotTestable)
    return { result: { ...about, status: "not testable", reason: `Needs ${reason}.`, ...measured } };
  const result = { ...about, status: "harness error" as const, reason, ...measured };
  return error instanceof HarnessError ? { result, stop: reason } : { result };
}

function clauseResults(results: readonly CheckResult[]): ClauseResult[] {
  return clauses.map(({ id, level, text }) => {
    const mine = results.filter((result) => result.clauses.includes(id));
    const seen = new Set(mine.map(({ status }) => status));
    const status = seen.has("fail")
      ? "broken"
      : seen.has("differs")
        ? "differs"
        : seen.has("pass")
          ? "holds"
          : "not shown";
    const reason = unseen[id];
    return {
      id,
      level,
      text,
      checks: mine.map((result) => result.id),
      ...(reason === undefined ? {} : { unseen: reason }),
      status,
    };
  });
}
