// Throws generated requests at a running server, by a developer's key and by a tester's, and holds every answer to
// the contract: `pnpm --filter @project-feedback/spec fuzz [SECONDS]`, the seconds being for each key.
// It brings its own server with an empty database, and its own Schemathesis (Python 3.11 or later must be there).
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import { openapiUrl } from "../index.js";
import { seed } from "./seed.js";

const version = "4.32.5";
const seconds = Number(process.argv[2] ?? 60);
const here = fileURLToPath(new URL(".", import.meta.url));
const program = fileURLToPath(import.meta.resolve("@project-feedback/server/cli"));

if (!Number.isInteger(seconds) || seconds < 1) {
  console.error(`"${process.argv[2]}" is not a number of seconds. Usage: node fuzz/run.js [SECONDS for each key]`);
  process.exit(2);
}

const scratch = mkdtempSync(join(tmpdir(), "project-feedback-fuzz-"));

/** Schemathesis, from a virtual environment that is made once and kept in the user's cache. */
function schemathesis() {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  const folder = join(cache, "project-feedback", `schemathesis-${version}`);
  const command = join(folder, "bin", "schemathesis");
  if (!existsSync(command)) {
    console.log(`Installing Schemathesis ${version} into ${folder}`);
    rmSync(folder, { recursive: true, force: true });
    execFileSync("python3", ["-m", "venv", folder], { stdio: "inherit" });
    const patience = ["--retries=10", "--timeout=60"];
    const install = ["install", "--quiet", "--disable-pip-version-check", ...patience, `schemathesis==${version}`];
    execFileSync(join(folder, "bin", "pip"), install, { stdio: "inherit" });
  }
  return command;
}

const children = new Set();

/** Starts a program that does not outlive this one. */
function start(...words) {
  const child = spawn(...words);
  children.add(child);
  return child;
}

for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    for (const child of children) child.kill("SIGTERM");
    rmSync(scratch, { recursive: true, force: true });
    process.exit(1);
  });
}

/** A server with a database of its own; its log, of warnings and worse, goes where this program's does. */
async function startServer(dataDir) {
  const env = {
    ...process.env,
    PORT: "0",
    DATA_DIR: dataDir,
    DEMO: "0",
    LOG_LEVEL: "warn",
    ALLOWANCES: "team=100000000",
    ADDRESS_ALLOWANCE: "100000000",
  };
  // A database that somebody uses is not to be fuzzed.
  delete env.MONGODB_URI;
  // It takes any free port and says which in its log: one that was looked for here could be taken before it starts.
  const child = start(process.execPath, [program, "serve"], {
    env: { ...env, LOG_LEVEL: "info" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("exit", (code, signal) => resolve(code ?? signal)));
  const port = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const listening = /"port":(\d+).*"msg":"listening"/.exec(line);
      if (listening) resolve(Number(listening[1]));
      if (!line.startsWith('{"level":30,')) console.log(line);
    });
    ended.then((how) => {
      reject(new Error(`The server ended with ${how} before it served. Mend what it says above.`));
    });
  });
  const origin = `http://127.0.0.1:${port}`;
  const command = (...words) =>
    JSON.parse(execFileSync(process.execPath, [program, ...words, "--json"], { env, encoding: "utf8" }));
  return {
    base: `${origin}/v1`,
    /** A key of a new account. */
    keyOf(name, role) {
      const account = command("accounts", "create", "--name", name, "--role", role, "--plan", "team");
      return command("keys", "create", "--account", account.id).key;
    },
    /** How often each operation gave each status, as `{ operation: { status: count } }`. */
    async counts() {
      const metrics = await (await fetch(`${origin}/metrics`)).text();
      const counts = {};
      for (const [, name, status, count] of metrics.matchAll(
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

/** Runs Schemathesis with one key, in a folder for its leavings; answers whether all checks passed. */
async function fuzz(command, folder, base, key) {
  const options = ["run", fileURLToPath(openapiUrl), "--url", base, "--header", `Authorization: Bearer ${key}`];
  const child = start(
    command,
    ["--config-file", join(here, "schemathesis.toml"), ...options, `--max-time=${seconds}`],
    {
      cwd: folder,
      env: {
        ...process.env,
        ...{ SCHEMATHESIS_HOOKS: "hooks", FUZZ_BASE: base, FUZZ_KEY: key },
        ...{ PYTHONPATH: here, PYTHONDONTWRITEBYTECODE: "1" },
      },
      stdio: "inherit",
    },
  );
  return (await new Promise((resolve) => child.once("exit", resolve))) === 0;
}

/** What the operations answered; one that never succeeded was not reached, and its checks proved nothing. */
function reach(counts) {
  const { paths } = parse(readFileSync(openapiUrl, "utf8"));
  const names = Object.values(paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
  return names.map((name) => {
    const statuses = Object.entries(counts[name] ?? {});
    const list = statuses.map(([status, count]) => `${status} × ${count}`).join(", ");
    return `${name}: ${statuses.some(([status]) => status.startsWith("2")) ? "" : "FAILED, it never succeeded: "}${list}`;
  });
}

const command = schemathesis();
const outcomes = [];
try {
  const server = await startServer(join(scratch, "data"));
  try {
    const keys = {
      developer: server.keyOf("Fuzzed developer", "developer"),
      tester: server.keyOf("Fuzzed tester", "tester"),
      other: server.keyOf("Another developer", "developer"),
    };
    for (const role of ["developer", "tester"]) {
      await seed(server.base, keys, role);
      console.log(`\n=== ${seconds} s by the key of a ${role} ===`);
      const passed = await fuzz(command, scratch, server.base, keys[role]);
      outcomes.push(`${role}: ${passed ? "all checks passed" : "FAILED"}`);
    }
    outcomes.push(...reach(await server.counts()));
  } finally {
    const code = await server.stop();
    outcomes.push(`server: ${code === 0 ? "stopped cleanly" : `FAILED, it ended with ${code}`}`);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
console.log(`\nSchemathesis ${version}, ${seconds} s by each key:\n${outcomes.map((line) => `  ${line}`).join("\n")}`);
process.exit(outcomes.every((line) => !line.includes("FAILED")) ? 0 : 1);
