import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The peers, and the floor, by the name of their program. */
export const peerNames = ["fastify", "express", "hono"] as const;
export type PeerName = (typeof peerNames)[number];
export type ProgramName = PeerName | "floor";

/** A program that answers. */
export interface Started {
  readonly pid: number;
  readonly port: number;
  /** Ends it and waits for its end. */
  stop(): Promise<void>;
}

/** The program to run with Node. */
async function programOf(name: ProgramName): Promise<string> {
  return fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
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
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
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
