import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Majority writes, retryable writes and transactions as the store uses them: 6.0 and later. */
export const oldestVersion = 6;

/**
 * Runs a mongod to learn its version, such as "6.0.5"; takes about 25 ms.
 * @throws Error with the reason in half a sentence, when it doesn't run or is too old
 */
export async function versionOf(path: string): Promise<string> {
  let output: string;
  try {
    output = (await run(path, ["--version"], { timeout: 10_000, encoding: "utf8" })).stdout;
  } catch (error) {
    throw new Error(`does not run (${whyNot(error)})`, { cause: error });
  }
  const version = /^db version v(\d+\.\d+\.\d+\S*)/m.exec(output)?.[1];
  if (version === undefined) throw new Error("is not a mongod (it tells no version)");
  if (Number.parseInt(version, 10) < oldestVersion)
    throw new Error(`is version ${version}, older than ${oldestVersion}.0`);
  return version;
}

function whyNot(error: unknown): string {
  const { code, killed, stderr } = error as { code?: unknown; killed?: boolean; stderr?: string };
  if (killed === true) return "no answer within 10 s";
  const firstLine = stderr?.trim().split("\n")[0];
  if (firstLine) return firstLine;
  return typeof code === "number" ? `exit code ${code}` : String(code);
}
