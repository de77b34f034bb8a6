import { randomUUID } from "node:crypto";
import { ConnectionString } from "mongodb-connection-string-url";
import { afterAll, inject } from "vitest";
import { createAccount } from "../../src/cli/create-account.ts";
import { createKey } from "../../src/cli/create-key.ts";
import { listen } from "../../src/cli/listen.ts";
import type { Account, Plan, Role } from "../../src/domain/account.ts";
import { createService, type Service, type ServiceOptions } from "../../src/service.ts";
import { AccountRepository } from "../../src/store/account-repository.ts";
import { connect, type Database } from "../../src/store/database.ts";
import { makeIndexes } from "../../src/store/indexes.ts";
import { KeyRepository } from "../../src/store/key-repository.ts";
import type { Tracing } from "../../src/tracing.ts";
import { Caller } from "./caller.ts";

/** Options that a test may change. */
export type TestOptions = Partial<Omit<ServiceOptions, "database">> & {
  /** The database of another server, to run two servers on it. */
  readonly databaseName?: string;
  readonly tracing?: Tracing;
};

/** A real server with a real socket and its own real database. */
export interface TestServer {
  /** Such as `http://127.0.0.1:49152`. */
  readonly origin: string;
  readonly databaseName: string;
  readonly database: Database;
  readonly service: Service;
  readonly accounts: AccountRepository;
  readonly keys: KeyRepository;
  /** Everything that was logged, as JSON. */
  readonly logged: string[];
  /** A caller with a key of a new account. */
  account(fields?: { role?: Role; plan?: Plan; name?: string }): Promise<Caller>;
  /** A caller with another key of the same account. */
  anotherKey(account: Pick<Account, "id">): Promise<Caller>;
  /** A caller without a key. */
  stranger(): Caller;
  stop(): Promise<void>;
}

const generousAllowances = { free: 100_000, pro: 100_000, team: 100_000 };

/** Starts a server. Unless the test sets allowances, no request exceeds one. */
export async function startServer(options: TestOptions = {}): Promise<TestServer> {
  const databaseName = options.databaseName ?? `test_${randomUUID().slice(0, 8)}`;
  const { tracing } = options;
  const database = await connect(uriOf(databaseName), { monitorCommands: tracing !== undefined });
  tracing?.traceCommands(database.client);
  await makeIndexes(database);
  const logged: string[] = [];
  const write = (line: unknown, message?: string) => void logged.push(JSON.stringify({ line, message }));
  const service = createService({
    log: { info: write, warn: write, error: write, debug: write },
    traceRequests: tracing?.traceRequests,
    ...options,
    config: options.config ?? { allowances: generousAllowances, addressAllowance: 100_000, trustedProxies: 0 },
    database,
  });
  const listener = await listen(service, { host: "127.0.0.1", port: 0, tls: undefined });
  const origin = `http://127.0.0.1:${listener.port}`;
  const accounts = new AccountRepository(database);
  const keys = new KeyRepository(database);
  const anotherKey = async ({ id }: Pick<Account, "id">) => {
    const { key } = await createKey(database, id, "test");
    return new Caller(origin, { id, key });
  };
  return {
    ...{ origin, databaseName, database, service, accounts, keys, logged, anotherKey },
    async account({ role = "developer", plan = "team", name = "Somebody" } = {}) {
      return anotherKey(await createAccount(database, { name, role, plan }));
    },
    stranger: () => new Caller(origin, undefined),
    async stop() {
      await listener.close();
      await service.close();
      if (options.databaseName === undefined) await database.db.dropDatabase();
      await database.client.close();
    },
  };
}

/** Starts a server for the tests of one file, and stops it after them. */
export async function useServer(options?: TestOptions): Promise<TestServer> {
  const server = await startServer(options);
  afterAll(() => server.stop());
  return server;
}

/** The URI of a database on the replica set of this test run. */
export function uriOf(databaseName: string): string {
  const uri = new ConnectionString(inject("mongodbUri"));
  uri.pathname = `/${databaseName}`;
  return uri.href;
}
