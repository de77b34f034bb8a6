import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";

const home = fileURLToPath(new URL("..", import.meta.url));
const run = promisify(execFile);
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "project-feedback-generated-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** Whether a generated file is the committed one. */
async function isFresh(generated: string, committed: string): Promise<boolean> {
  const [left, right] = await Promise.all(
    [join(folder, generated), join(home, committed)].map((file) => readFile(file, "utf8")),
  );
  return left === right;
}

test("the committed API page is what `pnpm generate` writes", async () => {
  await run(process.execPath, [join(home, "node_modules/typedoc/bin/typedoc"), "--out", folder], { cwd: home });
  expect(await isFresh("api.md", "docs/generated/api.md")).toBe(true);
});

test("the committed models and enums are what `pnpm generate` writes", async () => {
  await run(process.execPath, [join(home, "generate.ts"), folder]);
  expect(await isFresh("models.ts", "src/generated/models.ts")).toBe(true);
  expect(await isFresh("enums.ts", "src/generated/enums.ts")).toBe(true);
});

test("the API page shows the fields of what is sent", async () => {
  const page = await readFile(join(home, "docs/generated/api.md"), "utf8");
  const section = page.slice(page.indexOf("### ProjectCreate"));
  expect(section.slice(0, section.indexOf("\n***"))).toMatch(/title.*string.*Title, 1 to 200 characters/);
  const sections = page.split("\n### ").slice(1);
  const errors = sections.filter((section) => /^\w+Error\n/.test(section));
  expect(errors.length).toBeGreaterThan(15);
  // The base class lists the properties; the other classes do not repeat them.
  for (const error of errors)
    expect(error.split("\n").length).toBeLessThan(/^(Project|ApiError|Net)/.test(error) ? 60 : 30);
  expect(errors.join().length / page.length).toBeLessThan(0.2);
});
