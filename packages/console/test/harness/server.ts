import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";
import { buildProgram, builtFolder, readFiles } from "../../build/files.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Such as `http://localhost:49152`. */
    origin: string;
    /** Folder of the server's database. */
    dataDir: string;
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

/** Builds the pages and starts the real server with its own database. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (!readFiles(builtFolder())) await run(process.execPath, [fileURLToPath(buildProgram)]);
  const folder = await mkdtemp(join(tmpdir(), "project-feedback-console-"));
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
  const origin = `http://localhost:${port}`;
  await Promise.race([
    ready(origin),
    ended.then(() => {
      throw new Error("The server exited before it was ready. Its output is above.");
    }),
  ]);
  project.provide("origin", origin);
  project.provide("dataDir", environment.DATA_DIR);
  return async () => {
    server.kill("SIGTERM");
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
}

async function ready(origin: string): Promise<void> {
  for (;;) {
    const response = await fetch(`${origin}/readyz`).catch(() => undefined);
    if (response?.ok) return;
    await sleep(100);
  }
}
