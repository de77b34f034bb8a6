// Another checkout of this repository, whose server is compared with this one's.

import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Database } from "@project-feedback/server/store/database";
import { dataFolder, type Mongod } from "./database.ts";
import { BenchError } from "./run-program.ts";
import { ourServer, type ServerDefinition } from "./servers.ts";
import type { Targets } from "./work.ts";

const repository = fileURLToPath(new URL("../..", import.meta.url));

/** Its server, and its own code that makes the data: the layout of the database may differ between commits. */
export interface Checkout {
  readonly server: ServerDefinition;
  openSeeded(mongod: Mongod, projects: number, log: (line: string) => void): Promise<Database>;
  targetsOf(database: Database, projects: number): Promise<Targets>;
  /** @returns a function that removes what a measurement wrote */
  prepareReset(database: Database): Promise<() => Promise<void>>;
  /** Removes the worktree of a commit; a folder stays. */
  remove(): void;
}

/** @param wanted a folder with a checkout, or a commit, which gets a worktree of its own for as long as it is measured */
export async function openCheckout(wanted: string, log: (line: string) => void): Promise<Checkout> {
  if (existsSync(join(wanted, "bench", "package.json"))) {
    const folder = resolve(wanted);
    return load(folder, basename(folder), () => undefined);
  }
  const commit = commitOf(wanted);
  const folder = join(dataFolder, "worktrees", commit);
  const remove = () => void execFileSync("git", ["worktree", "remove", "--force", folder], { cwd: repository });
  if (existsSync(folder)) remove();
  log(`Checking out and installing ${wanted}.`);
  execFileSync("git", ["worktree", "add", "--detach", folder, commit], { cwd: repository, stdio: "ignore" });
  try {
    const install = ["-y", "pnpm@12", "install", "--frozen-lockfile", "--prefer-offline"];
    execFileSync("npx", install, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
    return await load(folder, commit.slice(0, 9), remove);
  } catch (error) {
    remove();
    throw error;
  }
}

function commitOf(wanted: string): string {
  try {
    const args = ["rev-parse", "--verify", "--quiet", `${wanted}^{commit}`];
    return execFileSync("git", args, { cwd: repository, encoding: "utf8" }).trim();
  } catch {
    throw new BenchError(`${wanted} is neither a checkout nor a commit. Give --compare one of them.`);
  }
}

async function load(folder: string, name: string, remove: () => void): Promise<Checkout> {
  const load = (file: string) => import(pathToFileURL(join(folder, "bench", "src", file)).href);
  const [{ openSeeded }, { targetsOf }, { prepareReset, keeperOf }] = await Promise.all([
    load("database.ts") as Promise<Pick<Checkout, "openSeeded">>,
    load("work.ts") as Promise<Pick<Checkout, "targetsOf">>,
    load("seed.ts") as Promise<Pick<Checkout, "prepareReset"> & { keeperOf?: Checkout["prepareReset"] }>,
  ]);
  return {
    server: ourServer(name, `the server of ${name}`, programIn(folder)),
    openSeeded: (mongod, projects, log) => openSeeded(withDatabases(mongod, name), projects, log),
    targetsOf,
    // Its name before November 22, 2026.
    prepareReset: prepareReset ?? keeperOf,
    remove,
  };
}

/** A mongod of the same process, whose databases have names of their own. */
function withDatabases(mongod: Mongod, name: string): Mongod {
  const uriOf = (projects: number) => {
    const uri = new URL(mongod.uriOf(projects));
    uri.pathname += `_${name.replaceAll(/\W/g, "_")}`;
    return uri.href;
  };
  return { ...mongod, uriOf };
}

function programIn(folder: string): readonly string[] {
  const server = join(folder, "packages", "server");
  const launcher = join(server, "bin", "project-feedback");
  if (existsSync(launcher)) return [launcher];
  // Commits before the launcher: what `pnpm start` ran.
  const program = join(server, "src", "cli", "main.js");
  return ["env", "MALLOC_ARENA_MAX=1", process.execPath, "--max-semi-space-size=16", program];
}
