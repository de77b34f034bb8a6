import { execFile, execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, describe, expect, test } from "vitest";
import { Browser, tokenOf } from "../harness/browser.ts";
import { Caller } from "../harness/caller.ts";
import { freshFolder, run, type ServerProcess, serve, until } from "../harness/processes.ts";
import { uriOf } from "../harness/server.ts";

const program = fileURLToPath(new URL("../../src/cli/main.js", import.meta.url));

// What a test leaves is removed in the opposite order.
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

function folder(): string {
  const { path, remove } = freshFolder();
  cleanups.push(remove);
  return path;
}

async function start(settings: Readonly<Record<string, string>>): Promise<ServerProcess> {
  const server = await serve({ LOG_LEVEL: "info", ...settings });
  cleanups.push(async () => {
    server.killGroup();
    await server.exited;
  });
  await until(() => server.output.stdout.includes('"msg":"listening"'), "it does not listen");
  return server;
}

const uri = () => uriOf(`test_${randomUUID().slice(0, 8)}`);
const linesOf = ({ output }: ServerProcess) =>
  output.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

describe("the first start in a pipe", () => {
  test("prints JSON lines without a key, one of which names the file with the demo keys", async () => {
    const dataDir = folder();
    const server = await start({ DATA_DIR: dataDir, DEMO: "" });
    const file = `${dataDir}/demo-keys.env`;
    expect(linesOf(server)).toContainEqual(expect.objectContaining({ level: 30, file }));
    expect(server.output.stderr).toBe("");

    expect(statSync(file).mode & 0o777).toBe(0o600);
    const script = `. '${file}'; echo "$BASE $DEVELOPER $TESTER $DEVELOPER_LINK $TESTER_LINK"`;
    const [base, developer = "", tester = "", ...links] = execFileSync("sh", ["-c", script], { encoding: "utf8" })
      .trim()
      .split(" ");
    expect(base).toBe(`${server.origin}/v1`);
    for (const key of [developer, tester]) {
      expect(key).toMatch(/^pfs_\w{46}$/);
      expect(server.output.stdout).not.toContain(key.slice(4));
      expect((await new Caller(server.origin, { id: "", key }).get("/projects")).status).toBe(200);
    }
    // C-ACC-2: the links sign in, and are not in the log.
    expect(links).toHaveLength(2);
    for (const [number, link] of links.entries()) {
      expect(link).toMatch(new RegExp(`^http://localhost:${server.port}/settings#link=pfl_`));
      expect(server.output.stdout).not.toContain(tokenOf(link).slice(4));
      const browser = new Browser(server.origin);
      const { status, body } = await browser.post("/sign-in/link", { token: tokenOf(link) });
      expect([status, body.role]).toEqual([200, number === 0 ? "developer" : "tester"]);
    }
    server.signal("SIGINT");
    await server.exited;

    // A later start creates no others, and leaves the file alone.
    const before = readFileSync(file, "utf8");
    const second = await start({ DATA_DIR: dataDir, DEMO: "" });
    expect(readFileSync(file, "utf8")).toBe(before);
    expect(second.output.stdout).not.toContain("demo-keys");
  });

  test("creates no demo accounts in the database of MONGODB_URI, unless DEMO=1", async () => {
    const settings = { MONGODB_URI: uri(), DATA_DIR: `${folder()}/data`, DEMO: "" };
    const server = await start(settings);
    expect(existsSync(settings.DATA_DIR)).toBe(false);
    expect((await run(["accounts", "list", "--json"], settings)).stdout.trim()).toBe("[]");
    server.signal("SIGINT");
    await server.exited;
    await start({ ...settings, DEMO: "1" });
    expect(readFileSync(`${settings.DATA_DIR}/demo-keys.env`, "utf8")).toMatch(/^TESTER=pfs_/m);
    expect(JSON.parse((await run(["accounts", "list", "--json"], settings)).stdout)).toHaveLength(2);
  });
});

test("the first start on a terminal prints a banner with the keys, and no JSON", async () => {
  const dataDir = folder();
  const onTerminal = "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))";
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, PORT: "0", DATA_DIR: dataDir };
  const terminal = execFile("python3", ["-c", onTerminal, process.execPath, program, "serve"], { env });
  let output = "";
  terminal.stdout?.on("data", (text: string) => {
    output += text;
  });
  await until(() => output.includes("listening"), `it does not listen: ${output}`, 60_000);
  terminal.stdin?.write("\u0003");
  await until(() => terminal.exitCode !== null, "Ctrl-C does not stop it", 20_000);
  expect(output).toMatch(/ {2}developer {2}pfs_\w{46}\r?\n {2}tester {5}pfs_\w{46}/);
  expect(output).toMatch(
    / {2}developer {2}http:\/\/localhost:\d+\/settings#link=pfl_[\w-]{43}\r?\n {2}tester {5}http:/,
  );
  expect(output).not.toContain('{"level"');
  expect(existsSync(`${dataDir}/demo-keys.env`)).toBe(false);
  expect(terminal.exitCode).toBe(0);
});

test("a variable that is nearly a setting is named, and no other", async () => {
  const server = await start({ MONGODB_URI: uri(), WORKER: "4" });
  const warnings = linesOf(server).filter(({ level }) => level === 40);
  expect(warnings).toEqual([
    expect.objectContaining({ msg: "WORKER is not a setting. If you meant WORKERS, set that." }),
  ]);
});

test("MONGODB_URI_FILE has the address, for workers too", async () => {
  const file = `${folder()}/uri`;
  writeFileSync(file, `${uri()}\n`);
  const server = await start({ MONGODB_URI_FILE: file, WORKERS: "2", DRAIN_SECONDS: "0" });
  server.signal("SIGTERM");
  expect(await server.exited).toBe(0);
});

describe("serve --check", () => {
  test("says that all is well, and changes nothing", async () => {
    const settings = { MONGODB_URI: uri(), PORT: "1", LOG_LEVEL: "info" };
    const { code, stdout, stderr } = await run(["serve", "--check"], settings);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: "The settings and the database can be used.\n",
      stderr: "",
    });
  });

  test("works with the embedded database, also while a server has it", async () => {
    const settings = { DATA_DIR: folder() };
    expect(await run(["serve", "--check"], settings)).toMatchObject({ code: 0 });
    await start(settings);
    expect(await run(["serve", "--check"], settings)).toMatchObject({ code: 0 });
  });

  test.each([
    [2, "PORT", { PORT: "http" }],
    [2, "MONGODB_URI", { MONGODB_URI: "mongodb://127.0.0.1/?unheardOf=1" }],
    [3, "MONGODB_URI", { MONGODB_URI: "mongodb://127.0.0.1:1/?directConnection=true" }],
  ])("ends with code %i, and names %s", async (expected, name, settings) => {
    const { code, stderr } = await run(["serve", "--check"], settings);
    expect(stderr).toContain(name);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(code).toBe(expected);
  });
});

test("an old Node gets the version that is needed, not a SyntaxError", async () => {
  const { engines } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  // The file asks for the version before it loads anything that an old Node does not know.
  const script = `Object.defineProperty(process.versions, "node", { value: "20.19.0" }); await import(${JSON.stringify(program)});`;
  const failed = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script]).catch(
    (error) => error,
  );
  expect(failed.code).toBe(2);
  expect(failed.stderr).toBe(
    `This is Node 20.19.0, and the server needs Node ${engines.node}. Install that, or start a clone with: npx -y pnpm@12 start\n`,
  );
});
