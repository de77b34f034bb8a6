import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The base URL of the real server. */
    baseUrl: string;
    /** A developer's key. */
    developerKey: string;
    /** A tester's key. */
    testerKey: string;
  }
}

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const program = join(root, "packages/server/src/cli/main.js");
const run = promisify(execFile);

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

/** Starts the real server with its own database, a developer and a tester, both with large allowances. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "project-feedback-client-"));
  const port = await freePort();
  const environment = {
    ...process.env,
    PORT: String(port),
    DATA_DIR: join(folder, "data"),
    ALLOWANCES: "team=1000000",
    LOG_LEVEL: "warn",
    DRAIN_SECONDS: "0",
    DEMO: "0",
  };
  const server = spawn(process.execPath, [program, "serve"], { cwd: root, env: environment, stdio: "inherit" });
  const ended = once(server, "exit");
  const origin = `http://127.0.0.1:${port}`;
  await ready(origin, ended);

  const command = async (...words: string[]) => {
    const { stdout } = await run(process.execPath, [program, ...words, "--json"], { cwd: root, env: environment });
    return JSON.parse(stdout) as { id: string; key: string };
  };
  const keyOf = async (role: string) => {
    const account = await command("accounts", "create", "--name", role, "--role", role, "--plan", "team");
    return (await command("keys", "create", "--account", account.id)).key;
  };
  project.provide("baseUrl", `${origin}/v1`);
  project.provide("developerKey", await keyOf("developer"));
  project.provide("testerKey", await keyOf("tester"));

  return async () => {
    server.kill("SIGTERM");
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
}

async function ready(origin: string, ended: Promise<unknown>): Promise<void> {
  const failed = ended.then(() => {
    throw new Error("The server exited before it was ready. Its output is above.");
  });
  const answers = async () => {
    while (
      !(await fetch(`${origin}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ))
    ) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  await Promise.race([answers(), failed]);
  failed.catch(() => {});
}
