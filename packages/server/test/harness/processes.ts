import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../../src/cli/main.js", import.meta.url));

/** Environment variables of the test run that started programs must not inherit. */
const notInherited =
  /^(PORT|HOST|TLS_|TRUST_PROXY|WORKERS|MONGODB_URI|DATA_DIR|LOG_LEVEL|ALLOWANCES|ADDRESS_|DRAIN_|DEMO|MAX_|PUBLIC_URL|SIGN_IN_|OIDC_|NODE_|VITEST)/;

function environment(settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const own = Object.fromEntries(Object.entries(process.env).filter(([name]) => !notInherited.test(name)));
  return { ...own, ...settings };
}

/** The result of a command. */
export interface CommandResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs the command line to its end.
 * @param meanwhile what is done while it runs
 */
export async function run(
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
  meanwhile?: (pid: number, output: Readonly<ServerProcess["output"]>) => Promise<void>,
): Promise<CommandResult> {
  const child = spawn(process.execPath, [program, ...args], { env: environment(settings), stdio: "pipe" });
  const { output, exited } = collect(child);
  await meanwhile?.(child.pid ?? 0, output);
  return { code: await exited, ...output };
}

/** Runs a command with `--json` and parses its output. @throws Error with its messages when it fails */
// biome-ignore lint/suspicious/noExplicitAny: tests read JSON of every shape, and assert on it
export async function runJson(args: readonly string[], settings: Readonly<Record<string, string>>): Promise<any> {
  const { code, stdout, stderr } = await run([...args, "--json"], settings);
  if (code !== 0) throw new Error(`${args.join(" ")} ended with code ${code}: ${stderr}`);
  return JSON.parse(stdout);
}

/** A server in its own process group. */
export interface ServerProcess {
  readonly pid: number;
  readonly port: number;
  readonly origin: string;
  readonly output: { stdout: string; stderr: string };
  readonly exited: Promise<number | null>;
  /** Sends a signal to the process only, as an operator does. */
  signal(signal: NodeJS.Signals): void;
  /** Kills the process and all processes that it started in its group. */
  killGroup(): void;
}

/** Starts `serve` and waits until it is ready. @throws Error with its output when it exits before */
export async function serve(settings: Readonly<Record<string, string>>, waitMs = 60_000): Promise<ServerProcess> {
  const port = settings.PORT ? Number(settings.PORT) : await freePort();
  const env = environment({ LOG_LEVEL: "silent", DEMO: "0", ...settings, PORT: String(port) });
  const child = spawn(process.execPath, [program, "serve"], { env, stdio: "pipe", detached: true });
  const { output, exited } = collect(child);
  const pid = child.pid ?? 0;
  const origin = `${settings.TLS_CERT ? "https" : "http"}://127.0.0.1:${port}`;
  const killGroup = () => {
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // It has already exited.
    }
  };
  process.once("exit", killGroup);
  void exited.then(() => process.off("exit", killGroup));
  const server: ServerProcess = {
    ...{ pid, port, origin, output, exited, killGroup },
    signal: (signal) => void process.kill(pid, signal),
  };
  const timeoutAt = Date.now() + waitMs;
  while ((await statusOf(`${origin}/readyz`)) !== 200) {
    if (child.exitCode !== null || child.signalCode !== null || Date.now() > timeoutAt) {
      killGroup();
      throw new Error(`the server did not start: ${output.stdout}${output.stderr}`);
    }
    await sleep(50);
  }
  return server;
}

/** The status of a GET; 0 when there is no response. */
export async function statusOf(url: string): Promise<number> {
  try {
    const response = await fetch(url, { headers: { Connection: "close" }, signal: AbortSignal.timeout(10_000) });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return 0;
  }
}

/** A new temporary folder, which the caller removes. */
export function freshFolder(): { path: string; remove(): void } {
  const path = realpathSync(mkdtempSync(join(tmpdir(), `project-feedback-test-${randomUUID().slice(0, 4)}-`)));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }) };
}

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

/** Waits for a condition. @throws Error with the message when it is not true in time */
export async function until(
  condition: () => boolean | Promise<boolean>,
  message: string,
  waitMs = 15_000,
): Promise<void> {
  for (const timeoutAt = Date.now() + waitMs; !(await condition()); await sleep(25)) {
    if (Date.now() > timeoutAt) throw new Error(message);
  }
}

function collect(child: ChildProcess): { output: { stdout: string; stderr: string }; exited: Promise<number | null> } {
  const output = { stdout: "", stderr: "" };
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  const exited = new Promise<number | null>((resolve) => child.once("close", resolve));
  return { output, exited };
}
