import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { findMongod, replicaSetName, startMongod, watchOwner } from "@project-feedback/embedded-mongod";
import { MongoClient } from "mongodb";
import { freshFolder, until } from "./processes.ts";

/** A mongod of one test, which may be stopped, killed and started again on the same port and data. */
export interface OwnMongod {
  readonly uri: string;
  /** Stops its process, as a machine does that hangs; `thaw` lets it go on. */
  freeze(): void;
  thaw(): void;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** After `kill`: starts it on the same port and data. */
  revive(): Promise<void>;
  /** Ends it and removes its data. */
  end(): Promise<void>;
}

export async function startOwnMongod(): Promise<OwnMongod> {
  const report = () => undefined;
  const { path: binary } = await findMongod({ env: process.env, report });
  const folder = freshFolder();
  const dbPath = join(folder.path, "mongo");
  mkdirSync(dbPath);
  const start = { binary, dbPath, logPath: join(folder.path, "mongod.log"), durable: true, env: process.env, report };
  const first = await startMongod(start);
  const { uri, port } = first;
  let pid = first.pid;
  let again: ChildProcess | undefined;
  const kill = async () => {
    if (!again) return first.stop("SIGKILL");
    if (again.exitCode !== null || again.signalCode !== null) return;
    const exited = once(again, "exit");
    again.kill("SIGKILL");
    await exited;
  };
  return {
    ...{ uri, kill },
    freeze: () => void process.kill(pid, "SIGSTOP"),
    thaw: () => void process.kill(pid, "SIGCONT"),
    async revive() {
      const args = ["--port", String(port), "--bind_ip", "127.0.0.1", "--nounixsocket", "--quiet"];
      args.push("--dbpath", dbPath, "--replSet", replicaSetName, "--logpath", start.logPath);
      again = spawn(binary, args, { stdio: "ignore", detached: true });
      pid = again.pid ?? 0;
      watchOwner(pid);
      await until(() => isPrimary(uri), "mongod did not come back", 30_000);
    },
    async end() {
      await kill();
      folder.remove();
    },
  };
}

async function isPrimary(uri: string): Promise<boolean> {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 500 });
  try {
    return (await client.db("admin").command({ hello: 1 })).isWritablePrimary === true;
  } catch {
    return false;
  } finally {
    await client.close();
  }
}
