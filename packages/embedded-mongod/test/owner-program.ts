// A process that opens a data directory, for the tests to kill. Arguments: data directory, purpose ("temporary" for a
// temporary database, whatever the directory).
// Writes one JSON line to stdout when it has the database; on SIGINT writes a document, stops and ends.
// "load" as third argument: inserts documents with majority, one after another, and prints each that is acknowledged.
import { MongoClient } from "mongodb";
import { openEmbedded } from "../src/embedded.ts";
import { openTemporary } from "../src/temporary.ts";

const [dataDir = "", purpose, load] = process.argv.slice(2);
const report = (line: string): void => void process.stderr.write(`${line}\n`);
const database =
  purpose === "temporary"
    ? await openTemporary({ report })
    : await openEmbedded({ dataDir, purpose: purpose === "serve" ? "serve" : "command", report });
process.stdout.write(`${JSON.stringify({ uri: database.uri })}\n`);

const client = new MongoClient(database.uri);
const records = client.db("owner").collection<{ _id: string }>("records");

process.once("SIGINT", async () => {
  // As long as a terminal's Ctrl-C takes to end everything it reaches.
  await new Promise((resolve) => setTimeout(resolve, 300));
  await records.insertOne({ _id: "last words" }, { writeConcern: { w: "majority" } });
  await client.close();
  await database.stop();
  process.exit(0);
});

if (load === "load") {
  for (let i = 0; ; i++) {
    const _id = `${process.pid}-${i}`;
    await records.insertOne({ _id }, { writeConcern: { w: "majority" } });
    process.stdout.write(`${JSON.stringify({ acknowledged: _id })}\n`);
  }
}
setInterval(() => undefined, 60_000);
