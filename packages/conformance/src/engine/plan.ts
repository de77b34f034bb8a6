import type { Check, Evidence } from "./check.ts";
import { matches, type Selection } from "./selection.ts";
import { budgets, type Cost, type Depth, type Payer, type Provision } from "./terms.ts";

/** Why a check will not be run, known before anything is sent. */
export interface Skip {
  readonly status: "not applicable" | "not testable";
  readonly reason: string;
  /** What would make it testable. */
  readonly remedy?: string;
  /** What the caller may leave undeclared without losing the verdict `conforms`. */
  readonly undeclared?: string;
}

export interface Planned {
  readonly check: Check;
  /** Undefined: it will be run. */
  readonly skip: Skip | undefined;
}

export interface Circumstances {
  readonly profile: "stated" | "reference";
  readonly readOnly: boolean;
  /** What the configuration of the deployment gives. */
  readonly provided: ReadonlySet<Provision>;
  readonly selection: Selection;
}

export const payers: readonly Payer[] = ["developer", "tester", "otherDeveloper", "spare", "nobody"];

const provisions: Readonly<
  Record<Provision, { readonly reason: string; readonly remedy: string; readonly undeclared: string }>
> = {
  draft: {
    reason: "How a draft of feedback is created is not declared.",
    remedy:
      "Put `draft: { fields: { status: draft } }` into conformance.yaml, with the fields that make a submission a draft, or `draft: { feedbackId: ID }` with a draft of the tester, and give the file with --config.",
    undeclared: "drafts not declared",
  },
  otherDeveloper: {
    reason: "There is no key of a second developer.",
    remedy: "Give one with --other-developer-key.",
    undeclared: "no second developer",
  },
  spare: {
    reason: "There is no key whose allowance may be used up.",
    remedy: "Give one with --spare-key.",
    undeclared: "no allowance to exhaust",
  },
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

/** Says of every check of the profile whether it will be run. */
export function plan(checks: readonly Check[], circumstances: Circumstances): Planned[] {
  const { profile } = circumstances;
  return checks
    .filter(({ level }) => level === "stated" || profile === "reference")
    .map((check) => ({ check, skip: skipOf(check, circumstances) }));
}

function skipOf(check: Check, { readOnly, provided, selection }: Circumstances): Skip | undefined {
  const needs = [...allNeeds(check.needs)];
  const needed = [...(check.provisions ?? []), ...needs.flatMap((one) => one.provisions ?? [])];
  const missing = needed.find((provision) => !provided.has(provision));
  if (missing !== undefined) return { status: "not testable", ...provisions[missing] };
  if (!matches(check, selection)) {
    return {
      status: "not testable",
      reason: "The run was limited with --only or --skip.",
      remedy: "Run without --only and --skip.",
    };
  }
  if (readOnly && (check.writes || needs.some((one) => one.writes))) {
    return {
      status: "not testable",
      reason: "The check writes, and this run is read-only.",
      remedy: "Run without --read-only.",
    };
  }
  return undefined;
}

/** The evidence that the planned checks need. */
export function neededEvidence(planned: readonly Planned[]): Set<Evidence<unknown>> {
  const found = new Set<Evidence<unknown>>();
  for (const { check, skip } of planned) if (!skip) allNeeds(check.needs, found);
  return found;
}

/** The requests that the planned checks make at most, with everything they need, by payer. */
export function costOf(planned: readonly Planned[], depth: Depth): Record<Payer, number> {
  const running = planned.flatMap(({ check, skip }) => (skip ? [] : [check]));
  const evidence = neededEvidence(planned);
  const fixed: Cost[] = [...running.map(({ cost }) => cost), ...Array.from(evidence, ({ cost }) => cost)];
  const optional: Cost[] = Array.from(evidence, (one) => one.optional?.[depth] ?? {});
  const sum = (costs: readonly Cost[], payer: Payer) => costs.reduce((total, cost) => total + (cost[payer] ?? 0), 0);
  const reads = Array.from(evidence, (one) => one.reads ?? 0).reduce((total, count) => total + count, 0);
  const most = (payer: Payer) => {
    const needed = sum(fixed, payer) + (payer === "tester" ? reads : 0);
    // Where testers may not read feedback, the developer does.
    const wanted = needed + sum(optional, payer) + (payer === "developer" ? reads : 0);
    return payer === "nobody" || payer === "spare" ? wanted : Math.max(needed, Math.min(wanted, budgets[depth]));
  };
  return Object.fromEntries(payers.map((payer) => [payer, most(payer)])) as Record<Payer, number>;
}
