import { execFileSync, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(import.meta.resolve("@project-feedback/server/cli"));

/** How often each operation returned each status: `{ operationId: { status: count } }`. */
export type Counts = Record<string, Record<string, number>>;

/** A server process with its own database. */
export interface Server {
  /** The base address, which ends in `/v1`. */
  readonly base: string;
  /** Creates an account on the Team plan and returns a key of it. */
  keyOf(name: string, role: "developer" | "tester"): string;
  /** Reads the counts from the server's metrics. */
  counts(): Promise<Counts>;
  /** Stops the server. Resolves with its exit code or the signal that ended it. */
  stop(): Promise<number | string | null>;
}

/**
 * Starts a server with an empty database in `dataDir` and practically unlimited allowances. Its warnings and errors are
 * printed. `settings` are further variables of its environment.
 *
 * @throws Error if the server ends before it listens
 */
export async function startServer(dataDir: string, settings: Readonly<Record<string, string>> = {}): Promise<Server> {
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    ...settings,
    PORT: "0",
    DATA_DIR: dataDir,
    DEMO: "0",
    LOG_LEVEL: "warn",
    ALLOWANCES: "team=100000000",
    ADDRESS_ALLOWANCE: "100000000",
  };
  // The tools write to the database, so a database of the caller must not be used.
  delete env.MONGODB_URI;
  // The log names the port that the server chose. A port chosen here could be taken before the server starts.
  const child = spawn(process.execPath, [program, "serve"], {
    env: { ...env, LOG_LEVEL: "info" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise<number | string | null>((resolve) => {
    child.once("exit", (code, signal) => resolve(code ?? signal));
  });
  process.once("exit", () => child.kill("SIGTERM"));
  const port = await new Promise<number>((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const listening = /"port":(\d+).*"msg":"listening"/.exec(line);
      if (listening) resolve(Number(listening[1]));
      if (!line.startsWith('{"level":30,')) console.log(line);
    });
    ended.then((how) => reject(new Error(`The server ended with ${how} before it listened. Its log says why.`)));
  });
  const origin = `http://127.0.0.1:${port}`;
  const command = (...words: string[]) =>
    JSON.parse(execFileSync(process.execPath, [program, ...words, "--json"], { env, encoding: "utf8" }));
  return {
    base: `${origin}/v1`,
    keyOf(name, role) {
      const account = command("accounts", "create", "--name", name, "--role", role, "--plan", "team");
      return command("keys", "create", "--account", account.id).key;
    },
    async counts() {
      const metrics = await (await fetch(`${origin}/metrics`)).text();
      const counts: Counts = {};
      for (const [, name = "", status = "", count] of metrics.matchAll(
        /^project_feedback_requests_total\{operation="(\w+)",status="(\d+)"\} (\d+)$/gm,
      )) {
        counts[name] = { ...counts[name], [status]: Number(count) };
      }
      return counts;
    },
    async stop() {
      child.kill("SIGTERM");
      return ended;
    },
  };
}
