import { inspect } from "node:util";
import { expect, inject, test } from "vitest";
import { createClient } from "../src/index.ts";
import { randomOf, startChaos } from "./harness/chaos.ts";

const calls = 2000;
const concurrency = 20;
const seed = Number(process.env.CHAOS_SEED ?? Math.floor(Math.random() * 2 ** 31));

test("with faults in 30 % of requests, no call fails, no write is repeated, and no key is logged", async () => {
  console.log(`CHAOS_SEED=${seed}`);
  const apiKey = inject("developerKey");
  const chaos = await startChaos(inject("baseUrl"), seed, 0.3);
  const logged: string[] = [];
  const log = (event: object) =>
    void logged.push(inspect(event, { depth: 9, showHidden: true }) + JSON.stringify(event));
  const client = createClient({
    baseUrl: chaos.baseUrl,
    apiKey,
    onRequest: log,
    onResponse: log,
    onRetry: log,
    onError: log,
    debug: false,
  });
  const random = randomOf(seed + 1);

  const word = `chaos${seed}`;
  const titles = new Map<string, string>();
  const failures: unknown[] = [];
  let made = 0;
  let done = 0;

  /** Each worker has its own projects, so that the expected result of every call is known. */
  const worker = async () => {
    const mine: string[] = [];
    const create = async () => {
      const title = `${word} created ${++made}`;
      const { id } = await client.projects.create({ title, description: "Chaos.", category: "other" });
      mine.push(id);
      titles.set(id, title);
    };
    const update = async (id: string) => {
      const title = `${word} changed ${++made}`;
      expect((await client.projects.update(id, { title })).title).toBe(title);
      titles.set(id, title);
    };
    const get = async (id: string) => expect((await client.projects.get(id)).title).toBe(titles.get(id));
    const list = async () => expect((await client.projects.list({ search: word, perPage: 5 })).data).toBeDefined();
    const feedback = async (id: string) => {
      const { id: sent } = await client.feedback.create(id, { overallRating: 4 });
      expect((await client.feedback.approve(sent)).status).toBe("approved");
    };
    const remove = async (id: string) => {
      expect((await client.projects.delete(id)).success).toBe(true);
      mine.splice(mine.indexOf(id), 1);
      titles.delete(id);
    };
    while (done < calls) {
      const id = mine[Math.floor(random() * mine.length)];
      const choice = random();
      done += id && choice >= 0.8 && choice < 0.9 ? 2 : 1;
      try {
        if (!id || choice < 0.25) await create();
        else if (choice < 0.5) await update(id);
        else if (choice < 0.7) await get(id);
        else if (choice < 0.8) await list();
        else if (choice < 0.9) await feedback(id);
        else await remove(id);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  await chaos.stop();
  console.log(`${done} calls in ${chaos.requests()} requests, with these faults:`, chaos.faults);

  expect(failures).toEqual([]);
  expect(done).toBeGreaterThanOrEqual(calls);
  // One response for each key: a write that is done twice gives another id or updatedAt.
  for (const distinct of chaos.responses.values()) expect(distinct.size).toBe(1);
  expect(chaos.responses.size).toBeGreaterThan(calls / 3);

  const direct = createClient({ baseUrl: inject("baseUrl"), apiKey });
  const found = new Map<string, string>();
  for await (const { id, title } of direct.projects.list({ search: word, perPage: 100 })) found.set(id, title);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(titles));

  expect(logged.length).toBeGreaterThan(calls * 2);
  expect(logged.filter((line) => line.includes(apiKey))).toEqual([]);
}, 180_000);
