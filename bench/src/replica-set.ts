// A replica set of three mongod on this machine, whose members can be killed and started again.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { findMongod, watchOwner } from "@project-feedback/embedded-mongod";
import { freePort, freshFolder, until } from "@project-feedback/server/testing/processes";
import { type Document, MongoClient, ReadPreference } from "mongodb";

const setName = "failover";
const size = 3;

/** One mongod of the set, with a folder of its own. */
export interface Member {
  readonly host: string;
  /** SIGKILL, sent before this returns. @returns when the process is gone */
  kill(): Promise<void>;
  /** After `kill`: starts it again on the same port and data. */
  start(): void;
}

export interface ReplicaSet {
  readonly version: string;
  /** The address of a database, by all three members. */
  uriOf(database: string): string;
  primary(): Promise<Member>;
  /** Waits until there is one primary and two secondaries. @throws Error after a minute */
  healthy(): Promise<void>;
  /** When the primary that was elected last could acknowledge majority writes, by this machine's clock. */
  electedAt(): Promise<Date>;
  /** Ends all members and removes their data. */
  end(): Promise<void>;
}

/** Starts three members as a set, with MongoDB's default settings for elections. */
export async function startReplicaSet(log: (line: string) => void): Promise<ReplicaSet> {
  const { path: binary, version } = await findMongod({ env: process.env, report: log });
  const ports: number[] = [];
  // A free port is not reserved, so the same one may be given twice.
  while (ports.length < size) ports.push(...[await freePort()].filter((port) => !ports.includes(port)));
  const members = ports.map((port) => startMember(binary, port));
  const hosts = members.map(({ host }) => host);
  const directs = hosts.map((host) => new MongoClient(`mongodb://${host}/?directConnection=true`));
  const client = new MongoClient(`mongodb://${hosts.join(",")}/?replicaSet=${setName}`);
  const status = () =>
    client
      .db("admin")
      .command({ replSetGetStatus: 1 }, { readPreference: ReadPreference.primary }) as Promise<Document>;
  const states = async () =>
    ((await status()).members as { name: string; stateStr: string }[]).map(({ name, stateStr }) => ({
      name,
      stateStr,
    }));
  const set: ReplicaSet = {
    version,
    uriOf: (database) => `mongodb://${hosts.join(",")}/${database}?replicaSet=${setName}`,
    async primary() {
      const found = (await states()).find(({ stateStr }) => stateStr === "PRIMARY");
      const member = members.find(({ host }) => host === found?.name);
      if (!member) throw new Error("The set has no primary.");
      return member;
    },
    async healthy() {
      const isHealthy = async () => {
        const found = (await states().catch(() => [])).map(({ stateStr }) => stateStr);
        return found.toSorted().join() === "PRIMARY,SECONDARY,SECONDARY";
      };
      await until(isHealthy, "the set did not become healthy", 60_000);
    },
    electedAt: async () => (await status()).electionCandidateMetrics.wMajorityWriteAvailabilityDate as Date,
    async end() {
      await client.close();
      await Promise.all(members.map((member) => member.end()));
    },
  };
  try {
    // The set is refused while one of its members does not answer.
    await Promise.all(directs.map((direct) => direct.connect()));
    await directs[0]?.db("admin").command({
      replSetInitiate: { _id: setName, members: hosts.map((host, place) => ({ _id: place, host })) },
    });
    await set.healthy();
    return set;
  } catch (error) {
    await set.end();
    throw error;
  } finally {
    await Promise.all(directs.map((direct) => direct.close()));
  }
}

function startMember(binary: string, port: number): Member & { end(): Promise<void> } {
  const folder = freshFolder();
  const dbPath = join(folder.path, "mongo");
  mkdirSync(dbPath);
  const launch = (): ChildProcess => {
    const args = [
      ...["--port", String(port), "--bind_ip", "127.0.0.1", "--nounixsocket", "--quiet"],
      ...["--dbpath", dbPath, "--replSet", setName, "--oplogSize", "1024", "--wiredTigerCacheSizeGB", "0.25"],
      ...["--logpath", join(folder.path, "mongod.log"), "--logappend"],
      ...["--setParameter", "diagnosticDataCollectionEnabled=false"],
    ];
    // In a session of its own: Ctrl-C reaches the bench alone, which then stops it.
    const started = spawn(binary, args, { stdio: "ignore", detached: true });
    started.on("error", () => undefined);
    if (started.pid !== undefined) {
      // Stops it where the bench is killed and cannot clean up.
      const watch = watchOwner(started.pid, { signal: "KILL", removeFolders: [folder.path] });
      started.once("exit", () => watch.end());
    }
    return started;
  };
  let child = launch();
  const kill = async () => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  };
  const killNow = () => {
    child.kill("SIGKILL");
    folder.remove();
  };
  process.once("exit", killNow);
  return {
    host: `127.0.0.1:${port}`,
    kill,
    start() {
      child = launch();
    },
    async end() {
      await kill();
      folder.remove();
      process.off("exit", killNow);
    },
  };
}
