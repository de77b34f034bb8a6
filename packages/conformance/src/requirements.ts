import { readFileSync } from "node:fs";
import type { Check } from "./engine/check.ts";
import { ConfigurationError } from "./engine/outcome.ts";

/** Frozen sets of required checks, the oldest first. A set never changes once it is released. */
const sets = ["2026-11"] as const;

export const latestRequirements: string = sets.at(-1) ?? "";

/** The ids of the stated checks that a set requires. @throws ConfigurationError where there is no such set */
export function requirementSet(name: string): readonly string[] {
  if (!sets.some((one) => one === name))
    throw new ConfigurationError(`There are no requirements "${name}". Choose one of ${sets.join(", ")}.`);
  const file = new URL(`../requirements/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")).checks;
}

/** The checks without the stated ones that the set does not require. */
export function requiredChecks(name: string | undefined, checks: readonly Check[]): readonly Check[] {
  // The latest set is the suite as it is; a test keeps the file equal to it.
  if (name === undefined) return checks;
  const required = requirementSet(name);
  return checks.filter(({ id, level }) => level === "chosen" || required.includes(id));
}
