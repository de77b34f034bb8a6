import { AccountRepository } from "../store/account-repository.ts";
import type { Database } from "../store/database.ts";
import { createAccount } from "./create-account.ts";
import { createKey } from "./create-key.ts";

/** The keys of the demo accounts. They cannot be shown again. */
export interface DemoKeys {
  readonly developer: string;
  readonly tester: string;
}

/** A demo developer and a demo tester, on the team plan, in a database that has no accounts yet. */
export async function makeDemo(database: Database): Promise<DemoKeys | null> {
  if (await new AccountRepository(database).any()) return null;
  const make = async (role: "developer" | "tester") => {
    const account = await createAccount(database, { name: `Demo ${role}`, role, plan: "team" });
    return (await createKey(database, account.id, "demo")).key;
  };
  return { developer: await make("developer"), tester: await make("tester") };
}
