import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config.ts";
import type { Role } from "../domain/account.ts";
import { AccountRepository } from "../store/account-repository.ts";
import type { Database } from "../store/database.ts";
import { createAccount } from "./create-account.ts";
import { createKey } from "./create-key.ts";
import { invite } from "./invite.ts";

/** A key and a sign-in link of a demo account. They cannot be shown again. */
export interface DemoAccount {
  readonly key: string;
  readonly link: string;
}

/** The demo accounts, one of each role. */
export type DemoAccounts = Readonly<Record<Role, DemoAccount>>;

export async function needsDemo(database: Database): Promise<boolean> {
  return !(await new AccountRepository(database).any());
}

/** Creates a demo developer and a demo tester, on the team plan. @param origin of the pages, for the links */
export async function createDemo(database: Database, origin: string): Promise<DemoAccounts> {
  const create = async (role: Role): Promise<DemoAccount> => {
    const account = await createAccount(database, { name: `Demo ${role}`, role, plan: "team" });
    const { key } = await createKey(database, account.id, "demo");
    const { link } = await invite(database, account.id, origin);
    return { key, link };
  };
  return { developer: await create("developer"), tester: await create("tester") };
}

/** A file that takes the demo keys where no terminal shows them: variables of a shell, for this user's eyes alone. */
export interface DemoFile {
  readonly path: string;
  write(base: string, accounts: DemoAccounts): void;
}

/** Creates `demo-keys.env` in DATA_DIR, empty: a file that cannot be written must be noticed before keys are created. */
export function createDemoFile({ dataDir }: Pick<Config, "dataDir">): DemoFile {
  const path = join(dataDir, "demo-keys.env");
  mkdirSync(dataDir, { recursive: true });
  rmSync(path, { force: true });
  writeFileSync(path, "", { mode: 0o600, flag: "wx" });
  return {
    path,
    write(base, { developer, tester }) {
      const lines = [
        `BASE=${base}`,
        `DEVELOPER=${developer.key}`,
        `TESTER=${tester.key}`,
        // Links have a # in them, which would begin a comment after a space only; quoted, nobody need know that.
        `DEVELOPER_LINK='${developer.link}'`,
        `TESTER_LINK='${tester.link}'`,
      ];
      writeFileSync(path, `${lines.join("\n")}\n`);
    },
  };
}
