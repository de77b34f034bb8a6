import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { inject } from "vitest";

const program = fileURLToPath(new URL("../../../server/src/cli/main.js", import.meta.url));

/** What a command of the server's command line prints with `--json`. */
export async function command(...words: string[]): Promise<Record<string, string>> {
  const origin = inject("origin");
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...words, "--json"], {
    env: { ...process.env, DATA_DIR: inject("dataDir"), PORT: new URL(origin).port },
  });
  return JSON.parse(stdout);
}

interface NewAccount {
  readonly role: "developer" | "tester";
  readonly name?: string;
}

/** Id of a new account on the team plan. */
export async function newAccount({ role, name = `A ${role}` }: NewAccount): Promise<string> {
  const { id = "" } = await command("accounts", "create", "--name", name, "--role", role, "--plan", "team");
  return id;
}

/** A key of a new account. */
export async function newKey(role: NewAccount["role"]): Promise<string> {
  const { key = "" } = await command("keys", "create", "--account", await newAccount({ role }));
  return key;
}

/** A sign-in link for an account. */
export async function invite(accountId: string): Promise<string> {
  const { link = "" } = await command("accounts", "invite", "--account", accountId);
  return link;
}
