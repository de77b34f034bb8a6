import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { findMongod, replicaSetName, startMongod, watchOwner } from "@project-feedback/embedded-mongod";
import { MongoClient } from "mongodb";
import { freshFolder, until } from "./processes.ts";

/** A mongod for one test, which can be suspended, killed, and started again on the same address and data. */
export interface OwnMongod {
  readonly uri: string;
  /** Suspends its process, as if the machine hangs, until `resume`. */
  suspend(): void;
  resume(): void;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** After `kill`: starts it again on the same address and data. */
  restart(): Promise<void>;
  /** Kills it and removes its data. */
  remove(): Promise<void>;
}

export async function startOwnMongod(): Promise<OwnMongod> {
  const report = () => undefined;
  const { path: binary } = await findMongod({ env: process.env, report });
  const folder = freshFolder();
  const dbPath = join(folder.path, "mongo");
  mkdirSync(dbPath);
  const start = { binary, dbPath, logPath: join(folder.path, "mongod.log"), durable: true, env: process.env, report };
  const first = await startMongod(start);
  const { uri, socketPath } = first;
  let pid = first.pid;
  let restarted: ChildProcess | undefined;
  const kill = async () => {
    if (!restarted) return first.stop("SIGKILL");
    if (restarted.exitCode !== null || restarted.signalCode !== null) return;
    const exited = once(restarted, "exit");
    restarted.kill("SIGKILL");
    await exited;
  };
  return {
    ...{ uri, kill },
    suspend: () => void process.kill(pid, "SIGSTOP"),
    resume: () => void process.kill(pid, "SIGCONT"),
    async restart() {
      const args = ["--bind_ip", socketPath, "--nounixsocket", "--quiet"];
      args.push("--dbpath", dbPath, "--replSet", replicaSetName, "--logpath", start.logPath);
      restarted = spawn(binary, args, { stdio: "ignore", detached: true });
      pid = restarted.pid ?? 0;
      watchOwner(pid);
      await until(() => isPrimary(uri), "mongod did not come back", 30_000);
    },
    async remove() {
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
