import { type ChildProcess, spawn } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";

export interface FetchProgram {
  command: string;
  args: readonly string[];
  env: NodeJS.ProcessEnv;
  /** The folder that the program runs in and writes to. */
  folder: string;
  /** What is fetched, for people. */
  label: string;
  report(line: string): void;
  /** The program is killed after this many milliseconds without a new byte in `folder`. */
  stallMs: number;
}

const reportEveryMs = 3000;

/**
 * Runs a program that downloads, reports its progress, and kills it when it makes none. A separate process, because it
 * can be killed at any point and its output stays out of ours.
 * @returns what it wrote to stdout
 * @throws Error with the reason in one line; `code` is ENOENT when there is no such program
 */
export async function runFetch(program: FetchProgram): Promise<string> {
  const { command, args, env, folder } = program;
  const child = spawn(command, args, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  const progress = watchProgress(program, child);
  try {
    const [stdout, stderr, code] = await Promise.all([readAll(child.stdout), readAll(child.stderr), exitOf(child)]);
    if (progress.stalled) throw new Error(`no progress for ${seconds(program.stallMs)}`);
    if (code !== 0) throw new Error(lastError(stderr) ?? `exit code ${code}`);
    return stdout;
  } finally {
    progress.end();
  }
}

/** Reads to the end, or to where the stream was destroyed. */
async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  return text(stream).catch(() => "");
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.once("exit", resolve);
    child.once("error", reject);
  });
}

interface Progress {
  readonly stalled: boolean;
  end(): void;
}

function watchProgress({ folder, label, report, stallMs }: FetchProgram, child: ChildProcess): Progress {
  const startedAt = Date.now();
  let size = 0;
  let grewAt = startedAt;
  let reportedAt = startedAt;
  let stalled = false;
  const timer = setInterval(() => {
    const now = Date.now();
    const newSize = sizeOf(folder);
    if (newSize !== size) grewAt = now;
    size = newSize;
    if (now - reportedAt >= reportEveryMs) {
      reportedAt = now;
      report(`${label}: ${megabytes(size)} after ${seconds(now - startedAt)}`);
    }
    if (now - grewAt >= stallMs) {
      stalled = true;
      child.kill("SIGKILL");
      // A grandchild may hold these open.
      child.stdout?.destroy();
      child.stderr?.destroy();
    }
  }, 500);
  return {
    get stalled() {
      return stalled;
    },
    end: () => clearInterval(timer),
  };
}

/** The last line that pip marks as an error, else the last line. */
function lastError(stderr: string): string | undefined {
  const lines = stderr
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const line = lines.findLast((candidate) => candidate.startsWith("ERROR:")) ?? lines.at(-1);
  return line?.replace(/^ERROR:\s*/, "").slice(0, 300);
}

/** Bytes of all files in a folder. Files that vanish meanwhile count as 0. */
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
