import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { TestContext } from "vitest";
import type { OwnerState } from "../src/ownership.ts";
import { birthTimeOf } from "../src/process-identity.ts";

/** Another process with an open database; killed at the end of the test. */
export interface Owner {
  child: ChildProcess;
  pid: number;
  uri: string;
  /** Ids of documents whose insertion was acknowledged to it. */
  acknowledged: string[];
  exited: Promise<number | null>;
}

/** Starts a process, in its own group, that opens `dataDir`, and waits until it is open. @throws Error with its stderr */
export async function startOwner(
  t: TestContext,
  dataDir: string,
  purpose: "serve" | "command" | "temporary",
  load?: "load",
): Promise<Owner> {
  const program = fileURLToPath(new URL("./owner-program.ts", import.meta.url));
  const child = spawn(process.execPath, [program, dataDir, purpose, ...(load ? [load] : [])], { detached: true });
  t.onTestFinished(() => void child.kill("SIGKILL"));
  let stderr = "";
  let rest = "";
  const acknowledged: string[] = [];
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const uri = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const said = JSON.parse(line) as { uri?: string; acknowledged?: string };
        if (said.acknowledged !== undefined) acknowledged.push(said.acknowledged);
        if (said.uri !== undefined) resolve(said.uri);
      }
    });
    void exited.then(() => reject(new Error(stderr)));
  });
  return { child, pid: child.pid ?? 0, uri, acknowledged, exited };
}

/** A data directory, removed at the end of the test. */
export function freshDataDir(t: TestContext): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "embedded-test-")));
  t.onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));
  return folder;
}

export function readState(dataDir: string): OwnerState {
  return JSON.parse(readFileSync(join(dataDir, "mongod.json"), "utf8")) as OwnerState;
}

/** A port of 127.0.0.1 that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

/** Waits until a process has ended. @throws Error after 10 s */
export async function hasEnded(pid: number): Promise<void> {
  await until(() => birthTimeOf(pid) === undefined, `process ${pid} still runs`);
}

/** Waits for a condition. @throws Error with `message` after 10 s */
export async function until(condition: () => boolean | Promise<boolean>, message: string): Promise<void> {
  for (const began = Date.now(); !(await condition()); await pause(20)) {
    if (Date.now() - began > 10_000) throw new Error(message);
  }
}
