import { openTemporary } from "@project-feedback/embedded-mongod";
import { freePort, serve } from "@project-feedback/server/testing/processes";
import { type ProgramName, peerNames, startProgram } from "../servers/start.ts";
import { type Answered, ask } from "./ask.ts";
import type { Asked } from "./requests.ts";
import { makeWorld, type World } from "./world.ts";

export type ServerName = "ours" | ProgramName;

/** Our server, the floor and all peers, each on its own copy of one world. */
export interface Fleet {
  readonly world: World;
  ask(server: ServerName, asked: Asked): Promise<Answered>;
  /** Starts one more process of a peer, on the peer's database. */
  another(peer: ProgramName): Promise<{ ask(asked: Asked): Promise<Answered> }>;
  stop(): Promise<void>;
}

/** @throws Error where one of them does not start; the others are ended */
export async function startFleet(): Promise<Fleet> {
  const programs = ["floor", ...peerNames] as const;
  const stops: (() => unknown)[] = [];
  const stop = async () => {
    for (const stopOne of stops.splice(0).reverse()) await stopOne();
  };
  const mongod = await openTemporary();
  stops.push(() => mongod.stop());
  try {
    const world = await makeWorld(mongod.uri, ["ours", ...programs]);
    stops.push(() => world.close());
    const start = async (name: ServerName): Promise<number> => {
      const settings = { MONGODB_URI: world.uriFor(name), LOG_LEVEL: "info" };
      if (name === "ours") {
        const server = await serve(settings);
        stops.push(() => server.killGroup());
        return server.port;
      }
      const started = await startProgram(name, await freePort(), settings);
      stops.push(() => started.stop());
      return started.port;
    };
    const names = ["ours", ...programs] as const;
    const started = await Promise.allSettled(names.map(start));
    const ports = new Map(
      started.map((result, place) => {
        if (result.status === "rejected") throw result.reason;
        return [names[place], result.value];
      }),
    );
    return {
      world,
      ask: (server, asked) => ask(ports.get(server) ?? 0, world, asked),
      another: async (peer) => {
        const port = await start(peer);
        return { ask: (asked) => ask(port, world, asked) };
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
