// The servers that share no code with ours; `pnpm mutants` runs the rest of the zoo.
import { afterAll, beforeAll, expect, test } from "vitest";
import { mutants } from "../zoo/mutants/index.ts";
import { Reference, type Served } from "../zoo/reference.ts";
import { tryMutant } from "../zoo/trial.ts";
import { tryVariant } from "../zoo/trial-of-variant.ts";
import { variants } from "../zoo/variants/index.ts";

let reference: Reference;
let served: Served;
beforeAll(async () => {
  reference = await Reference.open();
  served = await reference.serve();
});
afterAll(async () => {
  await served.stop();
  await reference.close();
});

test.each(variants.filter(({ program }) => program))("the legal server $id conforms", async (variant) => {
  const report = await tryVariant(reference, served, variant);
  expect(report.reasons.join(" ")).toContain("none failed");
  expect(report.verdict).toBe("conforms");
});

test.each(mutants.filter((_, n) => n % 40 === 0))("the mutant $id is caught by its clause", async (mutant) => {
  const { rightly, wrongly } = await tryMutant(reference, served, mutant);
  expect(rightly.length).toBeGreaterThan(0);
  expect(wrongly).toEqual([]);
});

test("there are at least 80 mutants and 12 variants", () => {
  expect(new Set(mutants.map(({ id }) => id)).size).toBeGreaterThanOrEqual(80);
  expect(new Set(variants.map(({ id }) => id)).size).toBeGreaterThanOrEqual(12);
});
