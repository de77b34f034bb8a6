import { AccountRecords } from "../store/account-records.ts";
import type { Database } from "../store/database.ts";
import { createAccount } from "./accounts.ts";
import { createKey } from "./keys.ts";

/** Keys of the demo accounts, which can't be shown again. */
export interface DemoKeys {
  readonly developer: string;
  readonly tester: string;
}

/** A demo developer and a demo tester, on the team plan, in a database that has no accounts yet. */
export async function makeDemo(database: Database): Promise<DemoKeys | null> {
  const accounts = new AccountRecords(database);
  if (await accounts.any()) return null;
  const make = async (role: "developer" | "tester") => {
    const account = await createAccount(accounts, { name: `Demo ${role}`, role, plan: "team" });
    return (await createKey(accounts, account.id, "demo")).key;
  };
  return { developer: await make("developer"), tester: await make("tester") };
}
