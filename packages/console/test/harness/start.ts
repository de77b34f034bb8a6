import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { buildProgram, builtFolder, readFiles } from "../../build/files.ts";

/** A running server. */
export interface Started {
  /** Such as `http://localhost:49152`. */
  readonly origin: string;
  /** Folder of its database. */
  readonly dataDir: string;
  /** File with everything that it logs. */
  readonly logFile: string;
  stop(): Promise<void>;
}

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const program = join(root, "packages/server/src/cli/main.js");
const provider = fileURLToPath(new URL("provider.ts", import.meta.url));
const run = promisify(execFile);

/** Builds the pages and starts the real server with its own database, and an OpenID Connect provider beside it. */
export async function start(): Promise<Started> {
  if (!readFiles(builtFolder())) await run(process.execPath, [fileURLToPath(buildProgram)]);
  const folder = await mkdtemp(join(tmpdir(), "project-feedback-console-"));
  const [port, providerPort] = [await freePort(), await freePort()];
  const origin = `http://localhost:${port}`;
  const issuer = `http://localhost:${providerPort}`;
  const environment = {
    ...process.env,
    PORT: String(port),
    DATA_DIR: join(folder, "data"),
    ALLOWANCES: "team=1000000",
    ADDRESS_ALLOWANCE: "1000000",
    SIGN_IN_ALLOWANCE: "1000000",
    DRAIN_SECONDS: "0",
    DEMO: "1",
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: "project-feedback",
    OIDC_CLIENT_SECRET: "a-secret-of-the-tests",
  };
  const logFile = join(folder, "server.log");
  const log = openSync(logFile, "w");
  const callback = `${origin}/account/v1/sign-in/oidc/callback`;
  const processes = [
    spawn(process.execPath, [provider, String(providerPort), callback], { stdio: ["ignore", "ignore", "inherit"] }),
    spawn(process.execPath, [program, "serve"], { cwd: root, env: environment, stdio: ["ignore", log, "inherit"] }),
  ];
  const ends = processes.map((each) => once(each, "exit"));
  await Promise.race([
    Promise.all([ready(`${origin}/readyz`), ready(`${issuer}/.well-known/openid-configuration`)]),
    Promise.race(ends).then(() => {
      throw new Error("The server or the provider exited before it was ready. Its output is above.");
    }),
  ]);
  return {
    origin,
    dataDir: environment.DATA_DIR,
    logFile,
    async stop() {
      for (const each of processes as ChildProcess[]) each.kill("SIGTERM");
      await Promise.all(ends);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

async function ready(url: string): Promise<void> {
  for (;;) {
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok) return;
    await sleep(100);
  }
}
