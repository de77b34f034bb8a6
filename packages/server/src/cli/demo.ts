import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { AccountRepository } from "../store/account-repository.ts";
import type { Database } from "../store/database.ts";
import { createAccount } from "./create-account.ts";
import { createKey } from "./create-key.ts";

/** The keys of the demo accounts. They cannot be shown again. */
export interface DemoKeys {
  readonly developer: string;
  readonly tester: string;
}

export async function needsDemo(database: Database): Promise<boolean> {
  return !(await new AccountRepository(database).any());
}

/** Creates a demo developer and a demo tester, on the team plan. */
export async function createDemo(database: Database): Promise<DemoKeys> {
  const create = async (role: "developer" | "tester") => {
    const account = await createAccount(database, { name: `Demo ${role}`, role, plan: "team" });
    return (await createKey(database, account.id, "demo")).key;
  };
  return { developer: await create("developer"), tester: await create("tester") };
}

/** A file that takes the demo keys where no terminal shows them: variables of a shell, for this user's eyes alone. */
export interface DemoKeyFile {
  readonly path: string;
  write(base: string, keys: DemoKeys): void;
}

/** Creates `demo-keys.env` in DATA_DIR, empty: a file that cannot be written must be noticed before keys are created. */
export function createDemoKeyFile({ dataDir }: Pick<Config, "dataDir">): DemoKeyFile {
  const path = join(dataDir, "demo-keys.env");
  mkdirSync(dataDir, { recursive: true });
  rmSync(path, { force: true });
  writeFileSync(path, "", { mode: 0o600, flag: "wx" });
  return {
    path,
    write(base, { developer, tester }) {
      writeFileSync(path, `BASE=${base}\nDEVELOPER=${developer}\nTESTER=${tester}\n`);
    },
  };
}
