import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { MongoClient } from "mongodb";
import { beforeAll, expect, test } from "vitest";
import { findMongod } from "../src/binary/find-mongod.ts";
import { openTemporary } from "../src/open-temporary.ts";
import { freshDataDir, startOwner, until } from "./owner.ts";

async function dbPathOf(client: MongoClient): Promise<string> {
  const { parsed } = await client.db("admin").command({ getCmdLineOpts: 1 });
  return parsed.storage.dbPath;
}

beforeAll(() => findMongod({ env: process.env, report: () => undefined }), 600_000);

test.concurrent("temporary databases are separate, support transactions, and stop removes their folders", async () => {
  const databases = await Promise.all([1, 2].map(() => openTemporary()));
  for (const { uri, stop } of databases) {
    const client = new MongoClient(uri);
    const records = client.db("test").collection("records");
    await client.withSession((session) =>
      session.withTransaction(async () => {
        await records.insertOne({ a: 1 }, { session, writeConcern: { w: "majority" } });
      }),
    );
    expect(await records.countDocuments()).toBe(1);
    const dbPath = await dbPathOf(client);
    await client.close();
    await Promise.all([stop(), stop()]);
    expect(existsSync(dbPath)).toBe(false);
  }
});

test.concurrent("a test run that is killed leaves neither mongod nor folder", async (t) => {
  const owner = await startOwner(t, freshDataDir(t), "temporary");
  const client = new MongoClient(owner.uri);
  const dbPath = await dbPathOf(client);
  await client.close();
  process.kill(-owner.pid, "SIGKILL");
  await until(() => !existsSync(dirname(dbPath)), "the folder is still there");
});
