import { spawn } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

export interface FetchProgram {
  command: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  /** The folder the program fills and runs in. */
  into: string;
  /** What a person is told is being fetched. */
  label: string;
  report(line: string): void;
  /** Milliseconds without a new byte in `into` after which the program is ended. */
  stallMs: number;
}

const reportEveryMs = 3000;

/**
 * Runs a program that downloads, tells a person how far it is, and ends it when it makes no progress. A program rather
 * than a promise, because it can be ended at any point and what it prints stays away from our own output.
 * @returns what it wrote to stdout
 * @throws Error with the reason in one line; `code` is ENOENT when there is no such program
 */
export function runFetch(program: FetchProgram): Promise<string> {
  return new Promise((resolve, reject) => {
    const began = Date.now();
    const child = spawn(program.command, program.args, {
      cwd: program.into,
      env: program.env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));

    let size = 0;
    let grewAt = began;
    let reportedAt = began;
    let stalled = false;
    const timer = setInterval(() => {
      const now = Date.now();
      const newSize = sizeOf(program.into);
      if (newSize !== size) grewAt = now;
      size = newSize;
      if (now - reportedAt >= reportEveryMs) {
        reportedAt = now;
        program.report(`${program.label}: ${megabytes(size)} after ${seconds(now - began)}`);
      }
      if (now - grewAt >= program.stallMs) {
        stalled = true;
        child.kill("SIGKILL");
        // A program of its own may still hold these; "close" would wait for it.
        child.stdout.destroy();
        child.stderr.destroy();
      }
    }, 500);

    child.on("error", (error) => {
      clearInterval(timer);
      reject(error);
    });
    child.on("close", (code) => {
      clearInterval(timer);
      if (code === 0) return resolve(stdout);
      reject(new Error(stalled ? `no progress for ${seconds(program.stallMs)}` : lastComplaint(stderr, code)));
    });
  });
}

function lastComplaint(stderr: string, code: number | null): string {
  const lines = stderr
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const errors = lines.filter((line) => line.startsWith("ERROR:"));
  return (errors.at(-1) ?? lines.at(-1))?.replace(/^ERROR:\s*/, "").slice(0, 300) ?? `exit code ${code}`;
}

/** Bytes of all files in a folder. Files that vanish while it is read count nothing. */
function sizeOf(folder: string): number {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false })?.size ?? 0)
      .reduce((sum, bytes) => sum + bytes, 0);
  } catch {
    return 0;
  }
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1_000_000)} MB`;
const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`;
