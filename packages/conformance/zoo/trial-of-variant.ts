import type { Report } from "../src/engine/report.ts";
import { runConformance } from "../src/engine/run.ts";
import type { ConformanceOptions } from "../src/options.ts";
import type { Reference, Served } from "./reference.ts";
import { startProgram } from "./variants/program.ts";
import type { Variant } from "./variants/variant.ts";
import { askAt, distorted } from "./wire.ts";

/** Runs the stated suite against a variant. */
export async function tryVariant(reference: Reference, right: Served, variant: Variant): Promise<Report> {
  const deployment = variant.deployment ?? { draft: { fields: { status: "draft" } } };
  const common = { ...deployment, ledger: false, maxWait: 0, timeout: 5 } as const;
  if (variant.program) {
    const program = await startProgram(variant.program);
    try {
      return await runConformance({ ...common, baseUrl: program.baseUrl, keys: program.keys });
    } finally {
      await program.stop();
    }
  }
  const served = variant.alter ? await reference.serve(variant.alter()) : right;
  try {
    return await runConformance({ ...common, ...(await given(reference, served, variant)) });
  } finally {
    if (served !== right) await served.stop();
  }
}

async function given(
  reference: Reference,
  { baseUrl }: Served,
  { distort }: Variant,
): Promise<Pick<ConformanceOptions, "baseUrl" | "keys" | "fetch">> {
  // What a variant asks for itself must not use up an allowance.
  const { keys } = await reference.keys("reference");
  const { spare: _, ...sparing } = keys;
  const ask = askAt(baseUrl);
  return { baseUrl, keys: sparing, fetch: distorted(baseUrl, distort ? distort(ask, sparing) : ask) };
}
