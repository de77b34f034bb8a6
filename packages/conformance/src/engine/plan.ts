import type { Check, Evidence } from "./check.ts";
import type { Cost, Payer, Provision } from "./keys.ts";

/** Why a check will not be run, known before anything is sent. */
export type Skip =
  | { readonly status: "not applicable"; readonly reason: string }
  | { readonly status: "not testable"; readonly reason: string };

export interface Planned {
  readonly check: Check;
  /** Undefined: it will be run. */
  readonly skip: Skip | undefined;
}

export interface Circumstances {
  readonly profile: "stated" | "reference";
  readonly readOnly: boolean;
  /** What the deployment's configuration gives. */
  readonly provided: ReadonlySet<Provision>;
}

const payers: readonly Payer[] = ["developer", "tester", "otherDeveloper", "spare", "nobody"];

const wanted: Record<Provision, string> = {
  draft: "to know how a draft of feedback is made: `draft` in conformance.yaml",
  otherDeveloper: "the key of a second developer: --other-developer-key",
  spare: "a key whose allowance may be used up: --spare-key",
};

/** All evidence that a check needs, directly or not. */
export function allNeeds(
  needs: readonly Evidence<unknown>[],
  found = new Set<Evidence<unknown>>(),
): Set<Evidence<unknown>> {
  for (const one of needs) {
    if (found.has(one)) continue;
    found.add(one);
    allNeeds(one.needs, found);
  }
  return found;
}

const free = (check: Check) => payers.every((payer) => !check.cost[payer]);

/** Says of every check whether it will be run. */
export function plan(checks: readonly Check[], circumstances: Circumstances): Planned[] {
  const stated = new Set(
    checks.flatMap((check) =>
      check.level === "stated" && !skip(check, circumstances) ? [...allNeeds(check.needs)] : [],
    ),
  );
  return checks.map((check) => {
    // A chosen check that costs no request beyond the stated suite's own is told in passing.
    const rides = free(check) && [...allNeeds(check.needs)].every((one) => stated.has(one));
    if (check.level === "chosen" && circumstances.profile === "stated" && !rides) {
      const reason = "A choice of the reference; compared with `--profile reference`.";
      return { check, skip: { status: "not applicable" as const, reason } };
    }
    return { check, skip: skip(check, circumstances) };
  });
}

function skip(check: Check, { readOnly, provided }: Circumstances): Skip | undefined {
  const roots = [...allNeeds(check.needs)];
  const needed = [...(check.provisions ?? []), ...roots.flatMap((one) => one.provisions ?? [])];
  const missing = needed.find((provision) => !provided.has(provision));
  if (missing !== undefined) return { status: "not testable", reason: `Needs ${wanted[missing]}.` };
  if (readOnly && (check.writes || roots.some((one) => one.writes))) {
    return { status: "not testable", reason: "Needs to write; this run only reads." };
  }
  return undefined;
}

/** The requests that the planned checks make at most, with everything they need, by whose allowance they draw on. */
export function costOf(planned: readonly Planned[]): Record<Payer, number> {
  const running = planned.flatMap(({ check, skip }) => (skip ? [] : [check]));
  const evidence = new Set<Evidence<unknown>>();
  for (const check of running) allNeeds(check.needs, evidence);
  const costs: Cost[] = [...running.map(({ cost }) => cost), ...[...evidence].map(({ cost }) => cost)];
  const sum = (payer: Payer) => costs.reduce((total, cost) => total + (cost[payer] ?? 0), 0);
  return Object.fromEntries(payers.map((payer) => [payer, sum(payer)])) as Record<Payer, number>;
}
