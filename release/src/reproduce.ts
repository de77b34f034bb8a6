// `pnpm release:reproduce [FOLDER]`: two dry runs of a release must give the same bytes. The files of the first stay in the
// folder.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { repository } from "./repository.ts";

const program = fileURLToPath(new URL("./cli.ts", import.meta.url));
const first = resolve(process.argv[2] ?? join(repository, ".data", "release"));
const second = mkdtempSync(join(tmpdir(), "project-feedback-release-"));
try {
  for (const folder of [first, second]) {
    execFileSync(process.execPath, [program, "--dry-run", "--out", folder], { cwd: repository, stdio: "inherit" });
  }
  const names = new Set([first, second].flatMap((folder) => readdirSync(folder)));
  const different = [...names].filter((name) => !contentOf(first, name).equals(contentOf(second, name)));
  for (const name of different) console.error(`${name} differs between two runs on the same commit.`);
  console.log(`${names.size} files, ${different.length} of them different`);
  process.exitCode = different.length === 0 ? 0 : 1;
} finally {
  rmSync(second, { recursive: true });
}

/** @throws the file system's error where one run has not made the file */
function contentOf(folder: string, name: string): Buffer {
  return readFileSync(join(folder, name));
}
