import type { KnownFailure } from "../options.ts";
import type { Check } from "./check.ts";
import { ConfigurationError } from "./outcome.ts";
import type { CheckResult } from "./report.ts";

/** @throws ConfigurationError where an entry names no check, gives no reason, or has no date */
export function checkKnown(known: readonly KnownFailure[], checks: readonly Check[]): void {
  for (const { check, reason, until } of known) {
    if (!checks.some(({ id }) => id === check))
      throw new ConfigurationError(`knownFailures names the check "${check}", which does not exist.`);
    if (!reason?.trim()) throw new ConfigurationError(`The known failure of ${check} gives no reason.`);
    if (!/^\d{4}-\d\d-\d\d$/.test(until) || Number.isNaN(Date.parse(until))) {
      throw new ConfigurationError(`The known failure of ${check} needs a date "until", written YYYY-MM-DD.`);
    }
  }
}

/** Marks a result as known where the list names its check and the date is not past; on a pass, the entry is stale. */
export function applyKnown(result: CheckResult, known: readonly KnownFailure[], now: Date): CheckResult {
  const entry = known.find(({ check }) => check === result.id);
  if (!entry) return result;
  const lasts = now.toISOString().slice(0, 10) <= entry.until;
  if (result.status === "pass" || (result.status === "fail" && lasts)) {
    return { ...result, known: { reason: entry.reason, until: entry.until } };
  }
  return result;
}
