import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createAccount } from "../../src/cli/create-account.ts";
import { createKey } from "../../src/cli/create-key.ts";
import type { Plan } from "../../src/domain/account.ts";
import { connect, type Database } from "../../src/store/database.ts";
import { type ServerProcess, serve } from "../harness/processes.ts";
import { uriOf } from "../harness/server.ts";

let database: Database;
let servers: ServerProcess[];

beforeAll(async () => {
  const settings = { MONGODB_URI: uriOf(`test_${randomUUID().slice(0, 8)}`) };
  database = await connect(settings.MONGODB_URI);
  servers = await Promise.all([serve(settings), serve(settings)]);
});
afterAll(async () => {
  for (const server of servers) server.signal("SIGINT");
  await Promise.all(servers.map(({ exited }) => exited));
  await database.client.close();
});

async function aKey(plan: Plan): Promise<string> {
  const { id } = await createAccount(database, { name: "A", role: "developer", plan });
  return (await createKey(database, id, "")).key;
}

/** Sends requests to a server in so many lanes at once; answers how many were not refused. */
async function hammer(origin: string, key: string, lanes: number): Promise<{ admitted: number; refused: number }> {
  const headers = { Authorization: `Bearer ${key}` };
  const count = { admitted: 0, refused: 0 };
  const lane = async () => {
    for (let refusals = 0; refusals < 5; ) {
      const { status, body, headers: received } = await fetch(`${origin}/v1/projects?perPage=1`, { headers });
      await body?.cancel();
      expect([200, 429]).toContain(status);
      if (status === 429) expect(received.get("X-RateLimit-Remaining")).toBe("0");
      if (status === 429) count.refused += 1;
      else count.admitted += 1;
      refusals = status === 429 ? refusals + 1 : 0;
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return count;
}

describe("C-RATE-1: two server processes that are hammered together", () => {
  test.each([
    ["free", 100],
    ["pro", 1_000],
  ] as const)("admit exactly the requests of the %s plan, %i", async (plan, limit) => {
    const [one, other] = servers as [ServerProcess, ServerProcess];
    const both = await aKey(plan);
    const counts = await Promise.all([hammer(one.origin, both, 8), hammer(other.origin, both, 8)]);
    expect(counts[0].admitted + counts[1].admitted).toBe(limit);

    // Most of it here, then all the rest there, while this one is idle.
    const turns = await aKey(plan);
    const headers = { Authorization: `Bearer ${turns}` };
    let first = 0;
    for (let request = 0; request < limit * 0.4; request += 1) {
      const { status } = await fetch(`${one.origin}/v1/projects?perPage=1`, { headers });
      first += Number(status === 200);
    }
    const rest = await hammer(other.origin, turns, 4);
    expect(first + rest.admitted).toBe(limit);
  });
});
