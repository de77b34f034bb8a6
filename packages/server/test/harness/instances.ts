import { randomUUID } from "node:crypto";
import type { CommandStartedEvent } from "mongodb";
import type { RateLimitResult } from "../../src/allowances/allowance.ts";
import { Allowances } from "../../src/allowances/allowances.ts";
import { AllowanceRepository } from "../../src/store/allowance-repository.ts";
import { connect, type Database } from "../../src/store/database.ts";
import { makeIndexes } from "../../src/store/indexes.ts";
import { uriOf } from "./server.ts";

/** The allowances of one process, with its own connection. */
export interface Instance {
  readonly allowances: Allowances;
  readonly database: Database;
  /** Names of the commands that were sent to the database. */
  readonly commands: string[];
  readonly errors: unknown[];
  spend(subject: string, limit: number): Promise<RateLimitResult>;
  /** Stops as a server does. */
  close(): Promise<void>;
  /** Closes the connection without returning its leases, as a killed process does. */
  crash(): Promise<void>;
}

/** The allowances of several processes that share a new database. */
export async function startInstances(number: number, windowMs = 3_600_000): Promise<Instance[]> {
  const name = `test_${randomUUID().slice(0, 8)}`;
  const instances = await Promise.all(Array.from({ length: number }, () => startInstance(name, windowMs)));
  const [first] = instances;
  if (first) await makeIndexes(first.database);
  return instances;
}

async function startInstance(databaseName: string, windowMs: number): Promise<Instance> {
  const database = await connect(`${uriOf(databaseName)}&monitorCommands=true`);
  const commands: string[] = [];
  database.client.on("commandStarted", ({ commandName }: CommandStartedEvent) => void commands.push(commandName));
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const allowances = new Allowances(new AllowanceRepository(database, randomUUID(), windowMs), { windowMs, onError });
  return {
    ...{ allowances, database, commands, errors },
    spend: async (subject, limit) => allowances.spend(subject, limit),
    async close() {
      await allowances.close();
      await database.client.close();
    },
    crash: () => database.client.close(true),
  };
}
