import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTemporary } from "../../packages/server/src/embedded/temporary.ts";
import { freePort, type ServerProcess, serve } from "../../packages/server/test/harness/processes.ts";
import { peerNames, type Started, startProgram } from "../servers/start.ts";
import { ask, comparable } from "./ask.ts";
import { type Asked, requestsOn } from "./requests.ts";
import { makeWorld, type World } from "./world.ts";

const servers = ["ours", "floor", ...peerNames] as const;
const settings = { LOG_LEVEL: "info" };

let mongod: Awaited<ReturnType<typeof openTemporary>>;
let world: World;
let ours: ServerProcess;
const ports = new Map<string, number>();
const programs: Started[] = [];

const start = async (name: Exclude<(typeof servers)[number], "ours">) => {
  const started = await startProgram(name, await freePort(), { ...settings, MONGODB_URI: world.uriFor(name) });
  programs.push(started);
  return started.port;
};
const portOf = (name: string) => ports.get(name) ?? 0;
const askOf = (name: string, asked: Asked) => ask(portOf(name), world, asked);
const named = ({ as, method = "GET", path, body }: Asked) =>
  `${JSON.stringify(as)} ${method} ${path} ${JSON.stringify(body)?.slice(0, 120) ?? ""}`;

beforeAll(async () => {
  mongod = await openTemporary();
  world = await makeWorld(mongod.uri, servers);
  await Promise.all([
    serve({ MONGODB_URI: world.uriFor("ours") }).then((server) => {
      ours = server;
      ports.set("ours", server.port);
    }),
    ...(["floor", ...peerNames] as const).map(async (name) => ports.set(name, await start(name))),
  ]);
});

afterAll(async () => {
  ours?.killGroup();
  await Promise.all(programs.map((program) => program.stop()));
  await world?.close();
  await mongod?.stop();
});

describe("the same request gets the same answer", () => {
  const expected: object[] = [];

  beforeAll(async () => {
    for (const asked of requestsOn(world)) {
      const answered = await askOf("ours", asked);
      expect({ asked: named(asked), status: answered.status }).toEqual({ asked: named(asked), status: asked.status });
      expected.push(comparable(answered));
    }
  });

  test.each(peerNames)("from %s", async (peer) => {
    for (const [place, asked] of requestsOn(world).entries()) {
      const answer = comparable(await askOf(peer, asked));
      expect({ asked: named(asked), ...answer }).toEqual({ asked: named(asked), ...expected[place] });
    }
  });
});
