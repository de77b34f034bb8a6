// `pnpm mutants`: every mutant and every variant against the stated suite; writes docs/matrix.md.
import { writeFileSync } from "node:fs";
import { faultsOf, page, type VariantTrial } from "./matrix.ts";
import { mutants } from "./mutants/index.ts";
import { Reference } from "./reference.ts";
import { type Trial, tryMutant } from "./trial.ts";
import { tryVariant } from "./trial-of-variant.ts";
import { variants } from "./variants/index.ts";

/** Trials at a time: while one waits for the database, another judges. */
const atOnce = 3;

async function each<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async () => {
    for (let n = next++; n < items.length; n = next++) results[n] = await work(items[n] as Item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results;
}

const began = Date.now();
const only = process.argv[2];
const chosen = <Item extends { readonly id: string }>(all: readonly Item[]) =>
  all.filter(({ id }) => !only || id.includes(only));
const reference = await Reference.open();
const right = await reference.serve();
await reference.crowd(right.baseUrl);
const trials: Trial[] = await each(chosen(mutants), async (mutant) => {
  const trial = await tryMutant(reference, right, mutant);
  const sign = trial.rightly.length > 0 && trial.wrongly.length === 0 ? "✓" : "✗";
  console.log(
    `${sign} ${mutant.id} (${mutant.breaks.join(", ")}): ${trial.failed.map(({ id }) => id).join(", ") || "not caught"}`,
  );
  return trial;
});
const varied: VariantTrial[] = await each(chosen(variants), async (variant) => {
  const report = await tryVariant(reference, right, variant);
  console.log(`${report.verdict === "conforms" ? "✓" : "✗"} variant ${variant.id}: ${report.verdict}`);
  return { variant, report };
});
await right.stop();
await reference.close();

const faults = faultsOf(trials, varied).filter((fault) => !only || !fault.startsWith("The check"));
for (const fault of faults) console.error(fault);
if (!only) writeFileSync(new URL("../docs/matrix.md", import.meta.url), page(trials, varied));
const caught = trials.filter(({ rightly }) => rightly.length > 0).length;
console.log(
  `${caught} of ${trials.length} mutants caught by their clause, ${varied.filter(({ report }) => report.verdict === "conforms").length} of ${varied.length} variants conform, ${faults.length} faults, ${Math.round((Date.now() - began) / 1000)} s`,
);
process.exitCode = faults.length > 0 ? 1 : 0;
