import { openTemporary } from "@project-feedback/embedded-mongod";
import { freePort, serve } from "@project-feedback/server/testing/processes";
import { type ProgramName, peerNames, startProgram } from "../servers/start.ts";
import { createFixture, type Fixture } from "./fixture.ts";
import type { TestRequest } from "./requests.ts";
import { send, type TestResponse } from "./send.ts";

export type ServerName = "ours" | ProgramName;

/** Our server, the floor and all peers, each on its own copy of one fixture. */
export interface Fleet {
  readonly fixture: Fixture;
  send(server: ServerName, request: TestRequest): Promise<TestResponse>;
  /** Starts one more process of a peer, on the peer's database. */
  another(peer: ProgramName): Promise<{ send(request: TestRequest): Promise<TestResponse> }>;
  stop(): Promise<void>;
}

/** @throws Error where one of them does not start; the others are stopped */
export async function startFleet(): Promise<Fleet> {
  const programs = ["floor", ...peerNames] as const;
  const stops: (() => unknown)[] = [];
  const stop = async () => {
    for (const stopOne of stops.splice(0).reverse()) await stopOne();
  };
  const mongod = await openTemporary();
  stops.push(() => mongod.stop());
  try {
    const fixture = await createFixture(mongod.uri, ["ours", ...programs]);
    stops.push(() => fixture.close());
    const start = async (name: ServerName): Promise<number> => {
      const settings = { MONGODB_URI: fixture.uriFor(name), LOG_LEVEL: "info" };
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
      fixture,
      send: (server, request) => send(ports.get(server) ?? 0, fixture, request),
      another: async (peer) => {
        const port = await start(peer);
        return { send: (request) => send(port, fixture, request) };
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
