import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Keys } from "../wire.ts";

export interface RunningProgram {
  readonly baseUrl: string;
  readonly keys: Keys;
  stop(): Promise<void>;
}

/** Starts a Python program of this folder, which prints its port and keys on its first line. */
export async function startProgram(
  name: string,
  options: readonly string[],
  allowance: number,
): Promise<RunningProgram> {
  const child = spawn(
    "python3",
    [new URL(name, import.meta.url).pathname, "--allowance", String(allowance), ...options],
    { stdio: ["pipe", "pipe", "inherit"] },
  );
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const lines = createInterface(child.stdout);
  const line = await new Promise<string>((resolve, reject) => {
    lines.once("line", resolve);
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`${name} ended before it served.`)));
  });
  const [port = "", developer = "", tester = "", spare = ""] = line.split(" ");
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    keys: { developer, tester, spare },
    async stop() {
      child.stdin.end();
      child.kill();
      await ended;
    },
  };
}
