import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

const here = fileURLToPath(new URL("..", import.meta.url));
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "project-feedback-spec-"));
  await promisify(execFile)(process.execPath, [join(here, "generate.ts"), folder]);
}, 120_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

test.each([
  "openapi.yaml",
  "generated/openapi.json",
  "generated/openapi.d.ts",
  "account/openapi.yaml",
  "generated/account.json",
  "generated/account.d.ts",
])("%s is what the sources compile to", async (name) => {
  const [committed, fresh] = await Promise.all([here, folder].map((place) => readFile(join(place, name), "utf8")));
  expect(committed === fresh, `spec/${name} is stale. Run \`pnpm generate\` and commit what it changes.`).toBe(true);
});
