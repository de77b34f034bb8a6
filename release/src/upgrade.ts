// `pnpm release:upgrade`: replaces two servers of the previous release by two of this one, one after the other, while the
// client sends requests, as docs/operations.md says. No call of the client may fail. It may see closed connections, which
// it retries, but no response with an error of the server.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { openTemporary } from "@project-feedback/embedded-mongod";
import { pack } from "./artifact.ts";
import { isReady, launcherOf, runJson, type Server, startServer } from "./installed-server.ts";
import { packages } from "./packages.ts";
import { readPrevious } from "./previous.ts";
import { git, repository } from "./repository.ts";
import { UpgradeLoad } from "./upgrade-load.ts";

/** The load before, between and after the replacements, in milliseconds. */
const steadyMs = 3_000;
const folder = mkdtempSync(join(tmpdir(), "project-feedback-upgrade-"));
const log = (line: string) => console.log(line);

/**
 * The launcher of the previous release: of its package, or of its clone where it had no package yet.
 * @returns its path, and a function that removes the clone
 */
function previousRelease(commit: string): { launcher: string; remove(): void } {
  const clone = join(folder, "previous");
  git("worktree", "add", "--detach", clone, commit);
  const remove = () => void git("worktree", "remove", "--force", clone);
  const run = (...args: string[]) =>
    execFileSync("npx", ["-y", "pnpm@12", ...args], { cwd: clone, stdio: ["ignore", "ignore", "inherit"] });
  try {
    run("install", "--frozen-lockfile", "--prefer-offline");
    const server = join(clone, "packages", "server");
    if (!existsSync(join(server, "build.ts"))) return { launcher: join(server, "bin", "project-feedback"), remove };
    run("--filter", "@project-feedback/server", "build");
    return { launcher: join(server, "dist", "bin", "project-feedback"), remove };
  } catch (error) {
    remove();
    throw error;
  }
}

function thisRelease(): string {
  const [server] = packages;
  if (!server) throw new Error("There is no server to pack.");
  const { file } = pack(server, folder);
  execFileSync("tar", ["-xzf", file, "-C", folder]);
  return join(folder, "package", "bin", "project-feedback");
}

/** Stops a server as a supervisor does. @throws Error where it does not end with 0 */
async function stop(server: Server): Promise<void> {
  server.signal("SIGTERM");
  const code = await server.exited;
  if (code !== 0) throw new Error(`A server ended with code ${code}: ${server.output()}`);
}

const { version, commit } = readPrevious();
const wanted = process.argv[2] ?? commit;
log(`From ${process.argv[2] ?? `the release ${version}`} to ${git("rev-parse", "--short", "HEAD")}`);
const previous = previousRelease(wanted);
const mongod = await openTemporary({ report: () => undefined });
const running = new Set<Server>();
try {
  const { before, after } = { before: launcherOf(previous.launcher, repository), after: launcherOf(thisRelease()) };
  const uri = new URL(mongod.uri);
  uri.pathname = "/upgrade";
  const settings = { MONGODB_URI: uri.href, ALLOWANCES: "team=100000000", DRAIN_SECONDS: "2" };
  const start = async (launcher: typeof after): Promise<Server> => {
    const server = await startServer(launcher, settings);
    running.add(server);
    return server;
  };
  const old = [await start(before), await start(before)];
  const keyOf = async (role: string): Promise<string> => {
    const account = await runJson<{ id: string }>(
      before,
      ["accounts", "create", "--name", role, "--role", role, "--plan", "team"],
      settings,
    );
    return (await runJson<{ key: string }>(before, ["keys", "create", "--account", account.id], settings)).key;
  };
  const keys = { developer: await keyOf("developer"), tester: await keyOf("tester") };
  const load = new UpgradeLoad(keys, async () => {
    // A balancer sends nothing to a server that says that it is not ready.
    const ready = [...running].filter(isReady);
    return ready[Math.floor(Math.random() * ready.length)]?.origin;
  });
  const sending = load.run();
  await sleep(steadyMs);
  for (const server of old) {
    const next = await start(after);
    await sleep(steadyMs);
    await stop(server);
    running.delete(server);
    log(`  replaced the server on ${new URL(server.origin).port} by one on ${new URL(next.origin).port}`);
  }
  await sleep(steadyMs);
  load.end();
  await sending;
  await runJson(after, ["upgrade"], settings);
  const missing = await load.missing();
  const counts = await runJson<{ clean: boolean; differences: unknown }>(after, ["counts", "verify"], settings);
  const problems = [...load.problems, ...missing];
  if (!counts.clean) problems.push(`Counts are wrong: ${JSON.stringify(counts.differences)}`);
  for (const problem of problems.slice(0, 20)) log(`  ${problem}`);
  log(
    `${problems.length === 0 ? "Nothing failed" : `${problems.length} PROBLEMS`}: ${load.calls} calls, ${load.created} records created and found again, ${load.closed} closed connections retried, counts right`,
  );
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  for (const server of running) server.signal("SIGKILL");
  await mongod.stop();
  previous.remove();
  rmSync(folder, { recursive: true, force: true });
}
