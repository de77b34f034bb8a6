import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The oldest major version with majority writes, retryable writes and transactions as users of this package need them. */
export const oldestVersion = 6;

/**
 * Runs `mongod --version`, which takes about 25 ms.
 * @returns the version, such as "6.0.5"
 * @throws Error whose message completes "this mongod …", when it does not run or is too old
 */
export async function versionOf(path: string): Promise<string> {
  const version = /^db version v(\d+\.\d+\.\d+\S*)/m.exec(await versionOutput(path))?.[1];
  if (version === undefined) throw new Error("is not a mongod (it prints no version)");
  if (Number.parseInt(version, 10) < oldestVersion)
    throw new Error(`is version ${version}, older than ${oldestVersion}.0`);
  return version;
}

async function versionOutput(path: string): Promise<string> {
  try {
    return (await run(path, ["--version"], { timeout: 10_000, encoding: "utf8" })).stdout;
  } catch (error) {
    throw new Error(`does not run (${failureOf(error)})`, { cause: error });
  }
}

function failureOf(error: unknown): string {
  const { code, killed, stderr } = error as { code?: unknown; killed?: boolean; stderr?: string };
  if (killed === true) return "no answer within 10 s";
  const firstLine = stderr?.trim().split("\n")[0];
  if (firstLine) return firstLine;
  return typeof code === "number" ? `exit code ${code}` : String(code);
}
