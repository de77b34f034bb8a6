// The servers that are measured: how each is started, and how each is asked.

import { spawn } from "node:child_process";
import { closeSync, mkdirSync, openSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { freePort } from "@project-feedback/server/testing/processes";
import { type ProgramName, programOf } from "../servers/start.ts";
import { type Ask, askContract, askPocketBase } from "./ask.ts";
import { familyOf } from "./processes.ts";
import type { Work } from "./work.ts";

/** What `pnpm start` runs. */
const launcher = fileURLToPath(import.meta.resolve("@project-feedback/server/launcher"));
const startWithinMs = 60_000;

/** A server as the bench knows it. */
export interface Contestant {
  readonly name: string;
  /** One sentence for the table. */
  readonly about: string;
  readonly ask: Ask;
  /** Processes that listen on a port of their own; one if left out. */
  readonly instances?: number;
  /** Whether it is left out of a work with so many projects. */
  readonly leavesOut?: (work: Work, projects: number) => boolean;
  /** The program and its arguments, for a port. */
  command(port: number, place: Place): Promise<Command>;
}

/** Where a server finds its data. */
export interface Place {
  /** Database of MongoDB. */
  readonly uri: string;
  /** Folder of PocketBase. */
  readonly pocketbase: { readonly binary: string; readonly dir: string } | undefined;
}

/** A server that runs. */
export interface Running {
  readonly contestant: Contestant;
  readonly origins: readonly string[];
  /** From the start of the process to its first answer, in milliseconds. */
  readonly startMs: number;
  /** Its processes, workers included. */
  processes(): number[];
  stop(): Promise<void>;
}

interface Command {
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const ours =
  (settings: Record<string, string>) =>
  async (port: number, { uri }: Place): Promise<Command> => ({
    words: [launcher, "serve"],
    env: { PORT: String(port), MONGODB_URI: uri, DEMO: "0", ...settings },
  });
const peer =
  (name: ProgramName) =>
  async (port: number, { uri }: Place): Promise<Command> => ({
    words: [process.execPath, await programOf(name)],
    env: { PORT: String(port), MONGODB_URI: uri },
  });

/** What is measured of several processes differs little with the data. */
const onlySmall = (_work: Work, projects: number) => projects > 1_000;

const all = {
  ours: { about: "this server, everything on", ask: askContract, command: ours({}) },
  floor: {
    about: "node:http and the driver: no keys, allowances, validation, logs",
    ask: askContract,
    command: peer("floor"),
  },
  fastify: {
    about: "Fastify 5, schemas, bearer keys, @fastify/rate-limit",
    ask: askContract,
    command: peer("fastify"),
  },
  hono: { about: "Hono on Node, bearer keys, hono-rate-limiter", ask: askContract, command: peer("hono") },
  express: {
    about: "Express 5, express-openapi-validator, express-rate-limit",
    ask: askContract,
    command: peer("express"),
  },
  nest: { about: "NestJS on Fastify, its throttler", ask: askContract, command: peer("nest") },
  pocketbase: {
    about: "PocketBase 0.34.0 on SQLite: no keys, no allowances",
    ask: askPocketBase,
    // It reads every row for a search: at 100,000 projects 32 at once took 12 s each, at 1,000,000 they failed.
    leavesOut: (work: Work, projects: number) => work === "search" && projects > 1_000,
    command: async (port: number, { pocketbase }: Place): Promise<Command> => ({
      words: [pocketbase?.binary ?? "", "serve", `--http=127.0.0.1:${port}`, `--dir=${pocketbase?.dir}`],
      env: {},
    }),
  },
  workers: {
    about: "this server, WORKERS=2",
    ask: askContract,
    command: ours({ WORKERS: "2" }),
    leavesOut: onlySmall,
  },
  pair: {
    about: "two of this server on one database",
    ask: askContract,
    command: ours({}),
    instances: 2,
    leavesOut: onlySmall,
  },
} satisfies Record<string, Omit<Contestant, "name">>;

/** Every server there is, by name. */
export const contestants: ReadonlyMap<string, Contestant> = new Map(
  Object.entries(all).map(([name, rest]) => [name, { name, ...rest }]),
);

/** Starts a server and waits for its first answer. Its log goes to /dev/null, and its errors to a file in `logs`. @throws Error where it does not start */
export async function start(contestant: Contestant, place: Place, logs: string): Promise<Running> {
  mkdirSync(logs, { recursive: true });
  const instances = await Promise.all(
    Array.from({ length: contestant.instances ?? 1 }, async (_, which) => {
      const port = await freePort();
      const { words, env } = await contestant.command(port, place);
      const began = performance.now();
      const log = join(logs, `${contestant.name}-${which}.log`);
      const file = openSync(log, "w");
      // Production is what these frameworks are fast in.
      const settings = { ...withoutSettings(process.env), NODE_ENV: "production", ...env };
      const child = spawn(words[0] ?? "", words.slice(1), {
        env: settings,
        stdio: ["ignore", "ignore", file],
      });
      closeSync(file);
      const exited = new Promise<void>((resolve) =>
        child.once("close", () => resolve()).once("error", () => resolve()),
      );
      const kill = () => child.kill("SIGKILL");
      process.once("exit", kill);
      void exited.then(() => process.off("exit", kill));
      const origin = `http://127.0.0.1:${port}`;
      while (!(await answers(origin))) {
        if (child.exitCode !== null || child.pid === undefined || performance.now() - began > startWithinMs) {
          child.kill("SIGKILL");
          throw new Error(`${contestant.name} did not start. See ${log}.`);
        }
        await sleep(5);
      }
      return { child, origin, exited, pid: child.pid ?? 0, startMs: performance.now() - began };
    }),
  );
  return {
    contestant,
    origins: instances.map(({ origin }) => origin),
    startMs: Math.max(...instances.map((instance) => instance.startMs)),
    processes: () => instances.flatMap(({ pid }) => familyOf(pid)),
    async stop() {
      for (const { child } of instances) child.kill("SIGINT");
      await Promise.all(instances.map(({ exited }) => exited));
    },
  };
}

/** Whether anything answers; what it says is of no matter. */
async function answers(origin: string): Promise<boolean> {
  try {
    const response = await fetch(`${origin}/healthz`, { headers: { Connection: "close" } });
    await response.arrayBuffer();
    return true;
  } catch {
    return false;
  }
}

/** Settings of the shell that runs the bench are not meant for the servers. */
function withoutSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const foreign =
    /^(PORT|HOST|TLS_|TRUST_PROXY|WORKERS|MONGODB_URI|DATA_DIR|LOG_LEVEL|ALLOWANCES|ADDRESS_|DRAIN_|DEMO|NODE_)/;
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !foreign.test(name)));
}
