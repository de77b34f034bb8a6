import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The folder of the repository. */
export const repository = fileURLToPath(new URL("../..", import.meta.url));

/** Runs git in the repository. @returns its output */
export function git(...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: repository, encoding: "utf8", maxBuffer: 2 ** 26 }).trim();
}

/** Runs pnpm in the repository. Its output goes to standard error, which has the progress. */
export function pnpm(...args: readonly string[]): void {
  execFileSync("npx", ["-y", "pnpm@12", ...args], { cwd: repository, stdio: ["ignore", process.stderr, "inherit"] });
}
