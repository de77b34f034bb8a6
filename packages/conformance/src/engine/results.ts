import type { RunContext } from "./context.ts";
import { HarnessError, NotApplicable, NotTestable, Unmet, Violation } from "./outcome.ts";
import type { Planned, Skip } from "./plan.ts";
import type { CheckResult } from "./report.ts";
import { scriptOf } from "./script.ts";

export interface Judgement {
  readonly result: CheckResult;
  /** Why no further request can be sent. */
  readonly stop?: string;
}

/** Runs a check, or says why it is not run. */
export async function judgeCheck(
  context: RunContext,
  { check, skip }: Planned,
  stop: string | undefined,
  baseUrl: string,
): Promise<Judgement> {
  const { id, title, clauses, group, level } = check;
  const about = { id, title, clauses: [...clauses], group, level };
  const idle = { milliseconds: 0, exchanges: [] };
  if (skip) return { result: { ...about, ...skipped(skip), ...idle } };
  if (stop) return { result: { ...about, status: "harness error", reason: stop, ...idle } };
  const { redactor } = context;
  const started = Date.now();
  const { exchanges, error } = await context.within({ name: id, needs: check.needs }, () => check.prove(context));
  const measured = { milliseconds: Date.now() - started, exchanges: exchanges.map(({ number }) => number) };
  if (error === undefined) return { result: { ...about, status: "pass", ...measured } };
  const reason = redactor.redact(error instanceof Error ? error.message : String(error));
  if (error instanceof Violation) {
    const status = level === "stated" ? "fail" : "differs";
    const { expected, seen, exchange } = error;
    const shown = exchange
      ? [...new Set([...measured.exchanges, exchange.number])].sort((a, b) => a - b)
      : measured.exchanges;
    return {
      result: {
        ...about,
        status,
        reason,
        expected: redactor.redactValue(expected ?? null),
        seen: redactor.redactValue(seen ?? null),
        ...measured,
        exchanges: shown,
        script: scriptOf(baseUrl, exchange ?? exchanges.at(-1), exchanges, context.exchanges, redactor),
      },
    };
  }
  if (error instanceof Unmet) {
    const remedy = error.remedy === undefined ? {} : { remedy: error.remedy };
    const script = scriptOf(baseUrl, error.exchange, exchanges, context.exchanges, redactor);
    return { result: { ...about, status: "not testable", reason, unmet: true, ...remedy, ...measured, script } };
  }
  if (error instanceof NotApplicable) return { result: { ...about, status: "not applicable", reason, ...measured } };
  if (error instanceof NotTestable)
    return { result: { ...about, status: "not testable", reason: `Needs ${reason}.`, ...measured } };
  const result = { ...about, status: "harness error" as const, reason, ...measured };
  return error instanceof HarnessError ? { result, stop: reason } : { result };
}

const skipped = ({ status, reason, remedy, undeclared }: Skip) => ({
  status,
  reason,
  ...(remedy === undefined ? {} : { remedy }),
  ...(undeclared === undefined ? {} : { undeclared }),
});
