import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findMongod, watchOwner } from "@project-feedback/embedded-mongod";
import { MongoClient } from "mongodb";
import { freePort, freshFolder, until } from "./processes.ts";

/** A mongod that asks for passwords. Its users are `writer` and `reader`, both of the database `feedback`. */
export interface SecuredMongod {
  /** `127.0.0.1:49152` */
  readonly host: string;
  remove(): Promise<void>;
}

/** The password of all users. */
export const password = "correct-horse";

export async function startSecuredMongod(): Promise<SecuredMongod> {
  const { path } = await findMongod({ env: process.env, report: () => undefined });
  const folder = freshFolder();
  const dbPath = join(folder.path, "mongo");
  mkdirSync(dbPath);
  const keyFile = join(folder.path, "key");
  writeFileSync(keyFile, randomBytes(60).toString("base64"), { mode: 0o400 });
  const host = `127.0.0.1:${await freePort()}`;
  const args = ["--port", host.split(":")[1] ?? "", "--bind_ip", "127.0.0.1", "--nounixsocket", "--quiet"];
  args.push("--dbpath", dbPath, "--replSet", "secured", "--keyFile", keyFile, "--logpath", join(folder.path, "log"));
  const mongod = spawn(path, args, { stdio: "ignore", detached: true });
  watchOwner(mongod.pid ?? 0);
  await createUsers(host);
  return {
    host,
    async remove() {
      const exited = once(mongod, "exit");
      mongod.kill("SIGKILL");
      await exited;
      folder.remove();
    },
  };
}

/** Until there is a user, a client of this machine may do without (MongoDB's localhost exception). */
async function createUsers(host: string): Promise<void> {
  const client = new MongoClient(`mongodb://${host}/?directConnection=true`);
  const admin = client.db("admin");
  await admin.command({ replSetInitiate: { _id: "secured", members: [{ _id: 0, host }] } });
  await until(async () => (await admin.command({ hello: 1 })).isWritablePrimary === true, "it has no primary", 30_000);
  await admin.command({ createUser: "root", pwd: password, roles: ["root"] });
  await client.close();
  const root = new MongoClient(`mongodb://root:${password}@${host}/?directConnection=true`);
  for (const [user, role] of Object.entries({ writer: "readWrite", reader: "read" })) {
    await root.db("feedback").command({ createUser: user, pwd: password, roles: [{ role, db: "feedback" }] });
  }
  await root.close();
}
