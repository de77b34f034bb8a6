import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { clausesUrl } from "@project-feedback/spec";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Reference, type Served } from "../zoo/reference.ts";

const cli = new URL("../src/cli.ts", import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), "conformance-cli-"));
const ledger = join(folder, "ledger");
let reference: Reference;
let served: Served;

beforeAll(async () => {
  reference = await Reference.open();
  served = await reference.serve();
});
afterAll(async () => {
  await served.stop();
  await reference.close();
  rmSync(folder, { recursive: true, force: true });
});

async function environment(): Promise<NodeJS.ProcessEnv> {
  const { keys } = await reference.keys();
  return { ...process.env, PROJECT_FEEDBACK_DEVELOPER_KEY: keys.developer, PROJECT_FEEDBACK_TESTER_KEY: keys.tester };
}

async function run(
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<{ code: number | null; out: string }> {
  const child = spawn(process.execPath, [cli, ...args], { env });
  let out = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (out += chunk));
  const code = await new Promise<number | null>((resolve) => child.once("exit", resolve));
  return { code, out };
}

describe("exit codes", () => {
  test("0 where it conforms, with every kind of report", async () => {
    const reports = ["json", "junit", "html", "markdown", "badge"].flatMap((kind) => [
      "--report",
      `${kind}=${join(folder, kind)}`,
    ]);
    const { code, out } = await run(
      ["--base-url", served.baseUrl, "--ledger", ledger, ...reports],
      await environment(),
    );
    expect(out).toContain("Verdict: conforms");
    expect(code).toBe(0);
    expect(readFileSync(join(folder, "junit"), "utf8")).toContain('failures="0"');
    expect((await run(["verify", join(folder, "json")])).code).toBe(0);
  });

  test("1 where it does not, told with the clause's words and a script", async () => {
    const configuration = join(folder, "stale.yaml");
    writeFileSync(configuration, "knownFailures: [{check: base.version, reason: none, until: 2999-01-01}]\n");
    const { code, out } = await run(
      ["--base-url", served.baseUrl, "--ledger", ledger, "--config", configuration],
      await environment(),
    );
    expect(out).toContain("take it off the list");
    expect(code).toBe(1);
  });

  test.each([
    ["no base address", []],
    ["no keys", ["--base-url", "https://host/v1"]],
    ["a base address that is none", ["--base-url", "host", "--developer-key", "one", "--tester-key", "two"]],
    ["an unknown flag", ["--base-url", "https://host/v1", "--speed", "9"]],
    [
      "an unknown kind of report",
      ["--base-url", "https://host/v1", "--developer-key", "one", "--tester-key", "two", "--report", "pdf=x"],
    ],
    [
      "a configuration that is not there",
      ["--base-url", "https://host/v1", "--developer-key", "one", "--tester-key", "two", "--config", "/nowhere.yaml"],
    ],
    ["a run that never was", ["sweep", "pfcnothing", "--ledger", folder]],
    [
      "nobody there",
      [
        "--base-url",
        "http://127.0.0.1:1/v1",
        "--developer-key",
        "one-key",
        "--tester-key",
        "other-key",
        "--ledger",
        folder,
      ],
    ],
  ])("2 with %s", async (_, args) => {
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !name.startsWith("PROJECT_FEEDBACK")),
    );
    expect((await run(args, env)).code).toBe(2);
  });
});

test("a wrong configuration is named with its place, and nothing is sent", async () => {
  const configuration = join(folder, "wrong.yaml");
  writeFileSync(configuration, "drafts: {fields: {}}\n");
  const { code, out } = await run(["--base-url", served.baseUrl, "--config", configuration], await environment());
  expect(out).toContain('"drafts"');
  expect(code).toBe(2);
});

test("--plan tells the requests and sends none, without keys", async () => {
  const { code, out } = await run(["--base-url", "http://127.0.0.1:1/v1", "--plan"], {});
  expect(out).toMatch(/at most \d+ requests with the developer's key/);
  expect(code).toBe(0);
});

test("clauses lists every clause", async () => {
  const { out } = await run(["clauses", "--json"]);
  expect(JSON.parse(out)).toHaveLength(readFileSync(clausesUrl, "utf8").match(/^[SC]-/gm)?.length ?? 0);
});

test("killed in the middle, it leaves nothing behind once it is swept", async () => {
  const env = await environment();
  const child = spawn(process.execPath, [cli, "--base-url", served.baseUrl, "--ledger", ledger], { env });
  await new Promise<void>((resolve) =>
    child.stdout.on("data", (chunk) => void (String(chunk).includes("projects.search") && resolve())),
  );
  child.kill("SIGKILL");
  await new Promise((resolve) => child.once("exit", resolve));
  const [name = ""] = readdirSync(ledger);
  const pfc = name.replace(".jsonl", "");
  const left = async () => {
    const found = await fetch(`${served.baseUrl}/projects?search=${pfc}`, {
      headers: { authorization: `Bearer ${env.PROJECT_FEEDBACK_DEVELOPER_KEY}` },
    });
    return ((await found.json()) as { pagination: { total: number } }).pagination.total;
  };
  expect(await left()).toBeGreaterThan(0);
  expect(readFileSync(join(ledger, name), "utf8")).not.toContain(env.PROJECT_FEEDBACK_DEVELOPER_KEY);
  const swept = await run(["sweep", pfc, "--ledger", ledger], env);
  expect(swept.out).toContain(`Nothing of run ${pfc} is left.`);
  expect(swept.code).toBe(0);
  expect(await left()).toBe(0);
  expect(readdirSync(ledger)).toEqual([]);
});

test("a failure's script is a shell script that sends the requests again", async () => {
  const { keys } = await reference.keys();
  const { scriptOf } = await import("../src/engine/script.ts");
  const { runConformance } = await import("../src/engine/run.ts");
  expect(scriptOf).toBeTypeOf("function");
  const { askAt, distorted } = await import("../zoo/wire.ts");
  const ask = askAt(served.baseUrl);
  const broken = distorted(served.baseUrl, async (sent) => {
    const got = await ask(sent);
    return sent.method === "PATCH" && got.status === 200 ? { ...got, body: { success: true } } : got;
  });
  const report = await runConformance({ baseUrl: served.baseUrl, keys, ledger: false, maxWait: 0, fetch: broken });
  const script = report.checks.find(({ id }) => id === "projects.patch-answer")?.script ?? "";
  expect(script).not.toContain(keys.developer);
  const fresh = await reference.keys();
  const env = {
    ...process.env,
    DEVELOPER_KEY: fresh.keys.developer,
    TESTER_KEY: fresh.keys.tester,
    UNKNOWN_KEY: "unknown",
    BASE_URL: served.baseUrl,
  };
  // Not spawnSync: the server is in this process.
  const child = spawn("sh", ["-s"], { env });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  child.stdin.end(script);
  const status = await new Promise<number | null>((resolve) => child.once("close", resolve));
  expect(stderr).toBe("");
  expect(status).toBe(0);
  expect(stdout.match(/HTTP\/1.1 201/g)?.length).toBe(4);
  expect(stdout).toContain("orchard planner, renamed");
  expect(stdout).not.toContain("HTTP/1.1 404");
});
