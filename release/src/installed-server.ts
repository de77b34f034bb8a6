import { execFile, spawn } from "node:child_process";
import { createServer } from "node:net";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

const run = promisify(execFile);
const startMs = 60_000;
/** As often as a balancer asks. */
const probeMs = 200;

/** A launcher, and the environment that it needs. */
export interface Launcher {
  readonly path: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** @param clone where it runs from sources, the repository, whose Node it needs */
export function launcherOf(path: string, clone?: string): Launcher {
  if (clone === undefined) return { path, environment: process.env };
  const bin = join(clone, "node_modules", ".bin");
  return { path, environment: { ...process.env, PATH: [bin, process.env.PATH].join(delimiter) } };
}

/** A server that runs. */
export interface Server {
  readonly origin: string;
  readonly exited: Promise<number | null>;
  signal(signal: NodeJS.Signals): void;
  output(): string;
  /** What /readyz said last. */
  readonly state: { ready: boolean };
}

export const isReady = ({ state }: Server): boolean => state.ready;

/** Starts a server and waits until it is ready. @throws Error with its output where it ends before */
export async function startServer(launcher: Launcher, settings: Readonly<Record<string, string>>): Promise<Server> {
  const port = await freePort();
  const env = { ...launcher.environment, LOG_LEVEL: "warn", DEMO: "0", ...settings, PORT: String(port) };
  const child = spawn(launcher.path, ["serve"], { env, stdio: "pipe" });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (more: string) => {
      text += more;
    });
  }
  const state = { ready: false };
  const exited = new Promise<number | null>((resolve) => child.once("close", resolve));
  const origin = `http://127.0.0.1:${port}`;
  const server: Server = {
    ...{ origin, exited, state },
    signal: (signal) => void child.kill(signal),
    output: () => text,
  };
  void watch(server);
  for (const timeoutAt = Date.now() + startMs; !state.ready; await sleep(50)) {
    if (child.exitCode === null && Date.now() < timeoutAt) continue;
    child.kill("SIGKILL");
    throw new Error(`The server did not start: ${text}`);
  }
  return server;
}

/** Asks the server whether it is ready, until it has ended. */
async function watch({ origin, state, exited }: Server): Promise<void> {
  let ended = false;
  void exited.then(() => (ended = true));
  for (; !ended; await sleep(probeMs)) {
    state.ready = await fetch(`${origin}/readyz`, { headers: { Connection: "close" } }).then(
      ({ status }) => status === 200,
      () => false,
    );
  }
  state.ready = false;
}

/** Runs a command with `--json`. @returns what it printed, as its help describes it */
export async function runJson<Result>(
  launcher: Launcher,
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
): Promise<Result> {
  const { stdout } = await run(launcher.path, [...args, "--json"], { env: { ...launcher.environment, ...settings } });
  return JSON.parse(stdout);
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}
