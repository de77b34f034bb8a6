import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const home = fileURLToPath(new URL("..", import.meta.url));

test("the committed API page is what `pnpm generate` writes", async () => {
  const folder = await mkdtemp(join(tmpdir(), "project-feedback-api-"));
  try {
    const typedoc = join(home, "node_modules/typedoc/bin/typedoc");
    await promisify(execFile)(process.execPath, [typedoc, "--out", folder], { cwd: home });
    const [fresh, committed] = await Promise.all([
      readFile(join(folder, "api.md"), "utf8"),
      readFile(join(home, "docs/generated/api.md"), "utf8"),
    ]);
    expect(fresh === committed).toBe(true);
  } finally {
    await rm(folder, { recursive: true });
  }
});
