import type { Check } from "./check.ts";
import { ConfigurationError } from "./outcome.ts";

/** Which checks are run: ids, groups or clauses. Empty lists select everything. */
export interface Selection {
  readonly only: readonly string[];
  readonly skip: readonly string[];
}

const names = (check: Check): readonly string[] => [
  check.id,
  check.group,
  check.group.replaceAll(" ", "-"),
  ...check.clauses,
];

/** Whether a selection holds a check. */
export function matches(check: Check, { only, skip }: Selection): boolean {
  const named = (wanted: readonly string[]) => names(check).some((name) => wanted.includes(name));
  return (only.length === 0 || named(only)) && !named(skip);
}

/** @throws ConfigurationError where a name is neither a check, a group nor a clause */
export function checkSelection({ only, skip }: Selection, checks: readonly Check[]): void {
  const known = new Set(checks.flatMap(names));
  const groups = [...new Set(checks.map(({ group }) => group.replaceAll(" ", "-")))];
  for (const name of [...only, ...skip]) {
    if (known.has(name)) continue;
    throw new ConfigurationError(
      `"${name}" is no check, group or clause. The groups are ${groups.join(", ")}. Run \`clauses\` to list the checks of every clause.`,
    );
  }
}
