// The servers that are measured: how each is started, and how each is asked.

import { fileURLToPath } from "node:url";
import { type ProgramName, programOf } from "../servers/start.ts";
import { type BuildRequest, contractRequest, pocketBaseRequest } from "./requests.ts";
import type { Cell } from "./results.ts";

/** What `pnpm start` runs. */
const launcher = fileURLToPath(import.meta.resolve("@project-feedback/server/launcher"));

/** A server as the bench knows it. */
export interface ServerDefinition {
  readonly name: string;
  /** One sentence for the report. */
  readonly about: string;
  readonly buildRequest: BuildRequest;
  /** Whether it is measured in every round; others are measured in every second one. */
  readonly everyRound: boolean;
  /** Processes, each listening on a port of its own; one if left out. */
  readonly instances?: number;
  /** Whether it is not measured there. */
  skips?(cell: Cell): boolean;
  /** The program that serves the data on a port. */
  command(port: number, location: DataLocation): Promise<Command>;
}

/** Where a server finds its data. */
export interface DataLocation {
  /** A database of MongoDB. */
  readonly uri: string;
  /** PocketBase's program and the folder of its data. */
  readonly pocketbase?: { readonly binary: string; readonly dir: string } | undefined;
}

export interface Command {
  /** The program and its arguments. */
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** A process of our server, started by words that end with the program's name. */
export function ourServer(
  name: string,
  about: string,
  words: readonly string[] = [launcher],
  settings: Readonly<Record<string, string>> = {},
): ServerDefinition {
  return {
    ...{ name, about, buildRequest: contractRequest, everyRound: true },
    command: async (port, { uri }) => ({
      words: [...words, "serve"],
      env: { PORT: String(port), MONGODB_URI: uri, DEMO: "0", ...settings },
    }),
  };
}

function peer(name: ProgramName, about: string, everyRound = false): ServerDefinition {
  return {
    ...{ name, about, buildRequest: contractRequest, everyRound },
    command: async (port, { uri }) => ({
      words: [process.execPath, await programOf(name)],
      env: { PORT: String(port), MONGODB_URI: uri },
    }),
  };
}

const pocketbase: ServerDefinition = {
  name: "pocketbase",
  about: "PocketBase 0.34.0 on SQLite: no keys, no allowances",
  buildRequest: pocketBaseRequest,
  everyRound: false,
  // It reads every row for a search: at 100,000 projects 32 at once took 12 s each, at 1,000,000 they failed.
  skips: ({ work, projects }) => work === "search" && projects > 1_000,
  command: async (port, { pocketbase: location }) => ({
    words: [location?.binary ?? "", "serve", `--http=127.0.0.1:${port}`, `--dir=${location?.dir}`],
    env: {},
  }),
};

/** Several processes are measured at one size, under load: what they share does not grow with the data. */
const severalProcesses = {
  everyRound: false,
  skips: ({ projects, connections }: Cell) => projects > 1_000 || connections < 64,
} as const;

const all: readonly ServerDefinition[] = [
  ourServer("ours", "this server, everything on"),
  peer("floor", "node:http and the driver: no keys, allowances, validation, logs", true),
  peer("fastify-tuned", "Fastify 5 for one process: keys cached for 3 s and allowances counted in its memory", true),
  peer("fastify", "Fastify 5, schemas, bearer keys, @fastify/rate-limit"),
  peer("hono", "Hono on Node, bearer keys, hono-rate-limiter"),
  peer("express", "Express 5, express-openapi-validator, express-rate-limit"),
  peer("nest", "NestJS on Fastify, its throttler"),
  pocketbase,
  { ...ourServer("workers", "this server, WORKERS=2", [launcher], { WORKERS: "2" }), ...severalProcesses },
  { ...ourServer("pair", "two of this server on one database"), ...severalProcesses, instances: 2 },
];

/** Every server, by name. */
export const servers: ReadonlyMap<string, ServerDefinition> = new Map(all.map((server) => [server.name, server]));

/** The server that all others are compared with. */
export const ours = all[0] as ServerDefinition;
