import type { Account, Plan, Role } from "../domain/account.ts";
import type { AccountDocument, Database } from "./database.ts";

function toAccount({ _id, keysChanged: _keysChanged, ...fields }: AccountDocument): Account {
  return { id: _id, ...fields };
}

/** Accounts in the database (C-KEY-2). */
export class AccountRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async insert({ id, ...fields }: Account): Promise<void> {
    await this.#database.accounts.insertOne({ _id: id, ...fields });
  }

  /** All accounts, oldest first. */
  async list(): Promise<Account[]> {
    return (await this.#database.accounts.find().sort({ createdAt: 1 }).toArray()).map(toAccount);
  }

  /** Whether there is an account. */
  async any(): Promise<boolean> {
    return (await this.#database.accounts.findOne({}, { projection: { _id: 1 } })) !== null;
  }

  /** Changes the plan, or disables or enables; null where there is no such account. */
  async change(id: string, fields: { plan: Plan } | { disabled: boolean }): Promise<Account | null> {
    const options = { returnDocument: "after" } as const;
    const document = await this.#database.accounts.findOneAndUpdate({ _id: id }, { $set: fields }, options);
    return document && toAccount(document);
  }

  /** Sets the role of an account that has none yet; null where it has one. */
  async chooseRole(id: string, role: Role): Promise<Account | null> {
    const options = { returnDocument: "after" } as const;
    const filter = { _id: id, role: null };
    const document = await this.#database.accounts.findOneAndUpdate(filter, { $set: { role } }, options);
    return document && toAccount(document);
  }

  async find(id: string): Promise<Account | null> {
    const document = await this.#database.accounts.findOne({ _id: id });
    return document && toAccount(document);
  }
}
