import { execFile, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** The peers, and the floor, by the name of their program. */
export const peerNames = ["fastify", "express", "nest", "hono"] as const;
export type PeerName = (typeof peerNames)[number];
export type ProgramName = PeerName | "floor";

/** A program that answers. */
export interface Started {
  readonly pid: number;
  readonly port: number;
  /** Ends it and waits for its end. */
  stop(): Promise<void>;
}

const pathTo = (path: string) => fileURLToPath(new URL(path, import.meta.url));
let nestBuilt: Promise<unknown> | undefined;

/** The program to run with Node. Nest's decorators are compiled first, by TypeScript, once in this process. */
async function programOf(name: ProgramName): Promise<string> {
  if (name !== "nest") return pathTo(`./${name}.ts`);
  nestBuilt ??= promisify(execFile)(pathTo("../node_modules/.bin/tsc"), ["--build", pathTo("./nest")]);
  await nestBuilt;
  return pathTo("../dist/bench/servers/nest/main.js");
}

/**
 * Starts a peer or the floor on a port of 127.0.0.1 and waits until it says that it listens. What it prints is dropped,
 * but read.
 * @throws Error with what it printed where it ends before
 */
export async function startProgram(
  name: ProgramName,
  port: number,
  settings: Readonly<Record<"MONGODB_URI", string>> & Readonly<Record<string, string>>,
): Promise<Started> {
  const env = { ...process.env, NODE_ENV: "production", ...settings, PORT: String(port) };
  const child = spawn(process.execPath, [await programOf(name)], { env, stdio: ["ignore", "pipe", "pipe"] });
  const kill = () => void child.kill("SIGKILL");
  process.once("exit", kill);
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  void ended.then(() => process.off("exit", kill));
  let printed = "";
  await new Promise<void>((resolve, reject) => {
    const read = (text: string) => {
      if (printed.length < 10_000) printed += text;
      if (/^listening$/m.test(printed)) resolve();
    };
    child.stdout.setEncoding("utf8").on("data", read);
    child.stderr.setEncoding("utf8").on("data", read);
    void ended.then(() => reject(new Error(`${name} did not start: ${printed}`)));
  });
  return {
    pid: child.pid ?? 0,
    port,
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
