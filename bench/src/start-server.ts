// Starts a server in processes of its own, and waits for its first response.

import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "@project-feedback/server/testing/processes";
import { familyOf } from "./processes.ts";
import type { DataLocation, ServerDefinition } from "./servers.ts";

const startWithinMs = 60_000;
const pollMs = 5;

export interface RunningServer {
  readonly definition: ServerDefinition;
  readonly origins: readonly string[];
  /** From the start of the process to its first response, in milliseconds. */
  readonly startMs: number;
  /** Its process ids, those of workers included. */
  processes(): number[];
  stop(): Promise<void>;
}

/**
 * Starts a server. Its log goes to /dev/null, and its errors to a file in the folder `logs`.
 * @throws Error where it does not answer within a minute
 */
export async function startServer(
  definition: ServerDefinition,
  location: DataLocation,
  logs: string,
): Promise<RunningServer> {
  mkdirSync(logs, { recursive: true });
  const numbers = Array.from({ length: definition.instances ?? 1 }, (_, number) => number);
  const instances = await Promise.all(
    numbers.map((number) => startInstance(definition, location, join(logs, `${definition.name}-${number}.log`))),
  );
  return {
    definition,
    origins: instances.map(({ origin }) => origin),
    startMs: Math.max(...instances.map(({ startMs }) => startMs)),
    processes: () => instances.flatMap(({ pid }) => familyOf(pid)),
    stop: async () => void (await Promise.all(instances.map(({ stop }) => stop()))),
  };
}

async function startInstance(definition: ServerDefinition, location: DataLocation, logFile: string) {
  const port = await freePort();
  const { words, env } = await definition.command(port, location);
  const log = openSync(logFile, "w");
  const began = performance.now();
  const child = spawn(words[0] ?? "", words.slice(1), {
    env: { ...environment(), ...env },
    stdio: ["ignore", "ignore", log],
  });
  closeSync(log);
  const exited = new Promise<void>((resolve) => child.once("close", () => resolve()).once("error", () => resolve()));
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  void exited.then(() => process.off("exit", kill));
  const origin = `http://127.0.0.1:${port}`;
  while (!(await answers(origin))) {
    if (child.exitCode !== null || child.pid === undefined || performance.now() - began > startWithinMs) {
      kill();
      throw new Error(`${definition.name} did not start. See ${logFile}.`);
    }
    await sleep(pollMs);
  }
  const stop = async () => {
    child.kill("SIGINT");
    await exited;
  };
  return { origin, pid: child.pid ?? 0, startMs: performance.now() - began, stop };
}

/** Whether there is a response, whatever its status. */
async function answers(origin: string): Promise<boolean> {
  try {
    const response = await fetch(`${origin}/healthz`, { headers: { Connection: "close" } });
    await response.arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

/** The environment without settings of the bench's shell, and with the bench's own Node first on the PATH. */
function environment(): NodeJS.ProcessEnv {
  const settings =
    /^(PORT|HOST|TLS_|TRUST_PROXY|WORKERS|MONGODB_URI|DATA_DIR|LOG_LEVEL|ALLOWANCES|ADDRESS_|DRAIN_|DEMO|NODE_)/;
  const others = Object.entries(process.env).filter(([name]) => !settings.test(name));
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
  // Express and Nest are faster with NODE_ENV=production, as they are run in production.
  return { ...Object.fromEntries(others), PATH: path, NODE_ENV: "production" };
}
