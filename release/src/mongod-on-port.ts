// A mongod that every user of this machine can reach: prints its address, and runs until it is killed. The servers of the
// tests that run as other users need it.
import { mkdirSync, mkdtempSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findMongod, startMongod } from "@project-feedback/embedded-mongod";
import { freePort } from "./installed-server.ts";

const report = (line: string) => console.error(line);
const { path: binary } = await findMongod({ env: process.env, report });
const folder = realpathSync(mkdtempSync(join(tmpdir(), "project-feedback-mongod-")));
const dbPath = join(folder, "mongo");
mkdirSync(dbPath);
const port = await freePort();
await startMongod({
  ...{ binary, dbPath, port, env: process.env, report },
  logPath: join(folder, "mongod.log"),
  durable: false,
  removeIfOrphaned: folder,
});
console.log(`mongodb://127.0.0.1:${port}/?directConnection=true`);
// Until it is killed.
setInterval(() => undefined, 3_600_000);
