import { execFile, spawn } from "node:child_process";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { host } from "./program.ts";

/** The peers, by the names of their programs. */
export const peerNames = ["fastify", "fastify-tuned", "express", "nest", "hono"] as const;
export type PeerName = (typeof peerNames)[number];
export type ProgramName = PeerName | "floor";

/** A program that listens. */
export interface StartedProgram {
  readonly pid: number;
  readonly port: number;
  /** Stops it, and waits until it has ended. */
  stop(): Promise<void>;
}

const pathTo = (path: string) => fileURLToPath(new URL(path, import.meta.url));
let nestBuilt: Promise<unknown> | undefined;

/** The program to run with Node. TypeScript compiles Nest's decorators first, once per process. */
export async function programOf(name: ProgramName): Promise<string> {
  if (name !== "nest") return pathTo(`./${name}.ts`);
  nestBuilt ??= promisify(execFile)(pathTo("../node_modules/.bin/tsc"), ["--build", pathTo("./nest")]);
  await nestBuilt;
  return pathTo("../dist/bench/servers/nest/main.js");
}

/**
 * Starts a peer or the floor on a port of 127.0.0.1, and waits until it listens. Its log is written to /dev/null.
 * @throws Error with its messages where it ends before
 */
export async function startProgram(
  name: ProgramName,
  port: number,
  settings: Readonly<Record<"MONGODB_URI", string>> & Readonly<Record<string, string>>,
): Promise<StartedProgram> {
  const env = { ...process.env, NODE_ENV: "production", ...settings, PORT: String(port) };
  const child = spawn(process.execPath, [await programOf(name)], { env, stdio: ["ignore", "ignore", "pipe"] });
  const kill = () => void child.kill("SIGKILL");
  process.once("exit", kill);
  let ended = false;
  const end = new Promise<void>((resolve) => child.once("close", () => resolve())).then(() => {
    ended = true;
    process.off("exit", kill);
  });
  let messages = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    if (messages.length < 10_000) messages += text;
  });
  while (!(await listens(port))) {
    if (ended) throw new Error(`${name} did not start: ${messages}`);
    await sleep(25);
  }
  const stop = async () => {
    const late = setTimeout(kill, 5_000);
    child.kill("SIGTERM");
    await end;
    clearTimeout(late);
  };
  return { pid: child.pid ?? 0, port, stop };
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}
