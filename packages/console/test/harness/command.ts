import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { inject } from "vitest";

const program = fileURLToPath(new URL("../../../server/src/cli/main.js", import.meta.url));

/** What a command of the server's command line prints with `--json`. */
export async function command(...words: string[]): Promise<Record<string, string>> {
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...words, "--json"], {
    env: { ...process.env, DATA_DIR: inject("dataDir") },
  });
  return JSON.parse(stdout);
}

/** Id and key of a new account on the team plan. */
export async function newAccount(role: "developer" | "tester"): Promise<{ id: string; key: string }> {
  const { id = "" } = await command("accounts", "create", "--name", `A ${role}`, "--role", role, "--plan", "team");
  const { key = "" } = await command("keys", "create", "--account", id);
  return { id, key };
}
