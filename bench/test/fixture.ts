import { Deadline } from "@project-feedback/server";
import type { Account, Plan, Role } from "@project-feedback/server/domain/account";
import { newKey, prefixOf } from "@project-feedback/server/domain/key";
import type { Project } from "@project-feedback/server/domain/project";
import { digestOf } from "@project-feedback/server/domain/secret";
import { AccountRepository } from "@project-feedback/server/store/account-repository";
import { connect, type Database } from "@project-feedback/server/store/database";
import { makeIndexes } from "@project-feedback/server/store/indexes";
import { KeyRepository } from "@project-feedback/server/store/key-repository";
import type { Repositories } from "@project-feedback/server/store/repositories";
import { Store } from "@project-feedback/server/store/store";
import { randomFrom, realisticFeedback, realisticProject } from "@project-feedback/server/testing/realistic-data";

/** Accounts by name, each with a key. */
const accounts = {
  owner: { role: "developer", plan: "team", disabled: false },
  other: { role: "developer", plan: "team", disabled: false },
  tester: { role: "tester", plan: "team", disabled: false },
  reader: { role: "tester", plan: "team", disabled: false },
  free: { role: "tester", plan: "free", disabled: false },
  disabled: { role: "developer", plan: "team", disabled: true },
  revoked: { role: "developer", plan: "team", disabled: false },
} as const satisfies Record<string, { role: Role; plan: Plan; disabled: boolean }>;
export type AccountName = keyof typeof accounts;

export const idOf = (name: AccountName) => `acc_${name}`;
const createdAt = new Date(Date.UTC(2025, 0, 1));

/** A database for each server, all with the same documents. */
export interface Fixture {
  readonly keys: Readonly<Record<AccountName, string>>;
  /** Ids of projects by what is special about them. */
  readonly projects: Readonly<Record<"busy" | "quiet" | "private" | "draft" | "completed", string>>;
  uriFor(server: string): string;
  databaseFor(server: string): Database;
  close(): Promise<void>;
}

/** Fills the database of the first server through our own server's store, and copies it for the others. */
export async function createFixture(uri: string, servers: readonly string[]): Promise<Fixture> {
  const uriFor = (server: string) => uri.replace(/\/(\?|$)/, `/bench_${server}$1`);
  const databases = new Map<string, Database>();
  await Promise.all(servers.map(async (server) => databases.set(server, await connect(uriFor(server)))));
  const databaseFor = (server: string) => databases.get(server) as Database;
  const [first = "", ...others] = servers;
  await makeIndexes(databaseFor(first));
  const store = new Store(databaseFor(first));
  const keys = Object.fromEntries(Object.keys(accounts).map((name) => [name, newKey()])) as Record<AccountName, string>;
  for (const name of Object.keys(accounts) as AccountName[]) await insertAccount(databaseFor(first), name, keys[name]);
  const projects = await store.transaction(insertRecords, { deadline: new Deadline(10_000) });
  const copies = others.map(databaseFor);
  await Promise.all(copies.map((database) => makeIndexes(database).then(() => copy(databaseFor(first), database))));
  return {
    ...{ keys, projects, uriFor, databaseFor },
    close: async () => void (await Promise.all([...databases.values()].map(({ client }) => client.close()))),
  };
}

async function insertAccount(database: Database, name: AccountName, key: string): Promise<void> {
  const account: Account = { id: idOf(name), name, ...accounts[name], createdAt };
  await new AccountRepository(database).insert(account);
  const revokedAt = name === "revoked" ? createdAt : null;
  const later = { ending: key.slice(-4), expiresAt: null, lastUsedFrom: null, replacedBy: null };
  const record = { id: `key_${name}`, accountId: account.id, name, prefix: prefixOf(key), ...later };
  await new KeyRepository(database).insert({ ...record, createdAt, lastUsedAt: null, revokedAt }, digestOf(key));
}

/** Projects of both developers, and feedback of three authors on two of them. */
async function insertRecords({ projects, feedback }: Repositories): Promise<Fixture["projects"]> {
  const random = randomFrom(7);
  const made: Project[] = [];
  for (let number = 1; number <= 50; number += 1) {
    const project = realisticProject(number, random, [idOf("owner"), idOf("other")]);
    made.push(project);
    projects.insert(project);
  }
  const special = (fields: Partial<Project>) => {
    const found = made.find((project) =>
      Object.entries({ isPublic: true, ownerId: idOf("owner"), ...fields }).every(
        ([name, value]) => project[name as keyof Project] === value,
      ),
    );
    if (!found) throw new Error(`the fixture has no project with ${JSON.stringify(fields)}`);
    made.splice(made.indexOf(found), 1);
    return found.id;
  };
  const fixture = {
    busy: special({ status: "active" }),
    quiet: special({ status: "active" }),
    private: special({ status: "active", isPublic: false }),
    draft: special({ status: "draft" }),
    completed: special({ status: "completed" }),
  };
  const authors = [idOf("owner"), idOf("other"), idOf("tester")];
  for (let number = 1; number <= 45; number += 1) {
    const projectId = number % 9 === 0 ? fixture.completed : fixture.busy;
    feedback.insert(realisticFeedback(number, random, projectId, authors));
  }
  return fixture;
}

async function copy(from: Database, to: Database): Promise<void> {
  for (const { name } of await from.db.listCollections().toArray()) {
    const documents = await from.db.collection(name).find().toArray();
    if (documents.length > 0) await to.db.collection(name).insertMany(documents);
  }
}
