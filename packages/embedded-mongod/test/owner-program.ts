// A process that opens a database, for tests to kill. Arguments: data directory; purpose, or "temporary" for a temporary
// database; optionally "load". Writes one JSON line to stdout when the database is open. On SIGINT it writes a document,
// stops and exits. With "load" it inserts documents with majority, one after another, and prints each acknowledged id.
import { MongoClient } from "mongodb";
import { openEmbedded } from "../src/open-embedded.ts";
import { openTemporary } from "../src/open-temporary.ts";

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
  // By then a terminal's Ctrl-C has ended every process that it reaches.
  await new Promise((resolve) => setTimeout(resolve, 300));
  await records.insertOne({ _id: "after SIGINT" }, { writeConcern: { w: "majority" } });
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
