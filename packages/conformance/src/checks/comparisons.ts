import { equal, type Json, type Rule } from "../engine/assertions.ts";
import type { Context, Evidence } from "../engine/check.ts";
import { type Exchange, summary } from "../engine/exchange.ts";
import { Violation } from "../engine/outcome.ts";
import { fieldsOf } from "../evidence/lists.ts";

/** Rules that the fields of a record equal what was sent. */
export const asSent = (sent: Json, names: readonly string[]): Record<string, Rule> =>
  Object.fromEntries(names.map((name) => [name, equal(sent[name])]));

/** Whether a status differs between two readings. It may have changed by itself. */
const statusDiffers = (before: Exchange, after: Exchange): boolean => {
  const [one, other] = [fieldsOf(before.json).status, fieldsOf(after.json).status];
  return one !== undefined && other !== undefined && one !== other;
};

/**
 * @throws Violation where a request moved the status of a record. A status that differs is seen again on a record that
 * was given time to settle: only there it is the request that moved it.
 */
export async function assertStatusKept(
  context: Context,
  before: Exchange,
  after: Exchange,
  settled: Evidence<{ readonly before: Exchange; readonly after: Exchange } | undefined>,
): Promise<void> {
  if (!statusDiffers(before, after)) return;
  const again = await context.use(settled);
  if (again === undefined || !statusDiffers(again.before, again.after)) return;
  throw new Violation(`${summary(again.after)}: the status was changed.`, {
    expected: fieldsOf(again.before.json).status,
    seen: fieldsOf(again.after.json).status,
    exchange: again.after,
  });
}
