import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { selfSigned } from "@project-feedback/server/testing/certificate";
import { clausesUrl } from "@project-feedback/spec";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Report } from "../src/engine/report.ts";
import { runConformance } from "../src/engine/run.ts";
import { ExampleServer } from "../zoo/example/server.ts";
import { Reference, type Served } from "../zoo/reference.ts";
import { askAt, fetchThrough, type WireRequest, type WireResponse } from "../zoo/wire.ts";

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
): Promise<{ code: number | null; out: string; stdout: string }> {
  const child = spawn(process.execPath, [cli, ...args], { env });
  let [out, stdout] = ["", ""];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (out += chunk));
  child.stdout.on("data", (chunk) => (stdout += chunk));
  const code = await new Promise<number | null>((resolve) => child.once("exit", resolve));
  return { code, out, stdout };
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
    expect(out).toContain("Remove it from the list");
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

test("an unwritable report path is reported before anything is sent", async () => {
  const { code, out } = await run(
    ["--base-url", "http://127.0.0.1:1/v1", "--ledger", folder, "--report", "json=/nowhere/at/all.json"],
    await environment(),
  );
  expect(out).toContain("does not exist");
  expect(out).not.toContain("Cannot reach");
  expect(code).toBe(2);
});

test("a wrong key is told in one sentence, before any check, with exit code 2", async () => {
  const env = { ...(await environment()), PROJECT_FEEDBACK_TESTER_KEY: "pfs_wrong" };
  const { code, stdout } = await run(["--base-url", served.baseUrl, "--ledger", ledger], env);
  expect(stdout.trimEnd().split("\n")).toEqual([
    "The tester's key is refused (401). Check that the key is right and belongs to this address.",
    "Verdict: could not run",
  ]);
  expect(code).toBe(2);
});

test("what is not declared is told with what to put into the configuration", async () => {
  const { code, out } = await run(["--base-url", served.baseUrl, "--ledger", ledger], await environment());
  expect(out).toContain("drafts not declared: Put `draft: { fields: { status: draft } }` into conformance.yaml");
  expect(code).toBe(0);
});

test("without --profile reference no chosen check is printed", async () => {
  const { out } = await run(["--base-url", served.baseUrl, "--ledger", ledger], await environment());
  expect(out).not.toContain("chosen");
  expect(out).toMatch(/\d+ of \d+ stated checks/);
});

test("a self-signed certificate is reported with its remedy, and accepted with --ca", async () => {
  const certificate = selfSigned();
  const tls = await reference.serve({}, certificate);
  const authority = join(folder, "authority.pem");
  writeFileSync(authority, certificate.cert);
  const refused = await run(["--base-url", tls.baseUrl, "--ledger", folder], await environment());
  expect(refused.out).toContain("--ca FILE");
  expect(refused.code).toBe(2);
  const accepted = await run(["--base-url", tls.baseUrl, "--ledger", ledger, "--ca", authority], await environment());
  expect(accepted.out).toContain("Verdict: conforms");
  expect(accepted.code).toBe(0);
  await tls.stop();
});

test("a limited run is exit code 3", async () => {
  const { code } = await run(["--base-url", served.baseUrl, "--ledger", ledger, "--only", "base"], await environment());
  expect(code).toBe(3);
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
    child.stdout.on("data", (chunk) => void (String(chunk).includes("auth.createProject") && resolve())),
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

/** Runs a script with keys of new accounts; not synchronously, because the server is in this process. */
async function runScript(script: string): Promise<{ status: number | null; stdout: string; stderr: string }> {
  const { keys } = await reference.keys();
  const env = { ...process.env, DEVELOPER_KEY: keys.developer, TESTER_KEY: keys.tester, BASE_URL: served.baseUrl };
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
  return { status, stdout, stderr };
}

/** Runs the suite against the reference with a defect. */
async function reportOn(change: (request: WireRequest, response: WireResponse) => WireResponse): Promise<Report> {
  const { keys } = await reference.keys();
  const ask = askAt(served.baseUrl);
  const broken = fetchThrough(served.baseUrl, async (request) => change(request, await ask(request)));
  return runConformance({ baseUrl: served.baseUrl, keys, ledger: false, maxWait: 0, fetch: broken });
}

test("the script of a failure sends the requests again, on records of its own", async () => {
  const report = await reportOn((request, response) =>
    request.method === "PATCH" && response.status === 200 ? { ...response, body: { success: true } } : response,
  );
  const script = report.checks.find(({ id }) => id === "projects.patch-answer")?.script ?? "";
  const { status, stdout, stderr } = await runScript(script);
  expect(stderr).toBe("");
  expect(status).toBe(0);
  expect(stdout).toContain("HTTP/1.1 201");
  expect(stdout).toContain("> PATCH /projects/");
  expect(stdout).not.toContain("HTTP/1.1 404");
});

test("the script of an end-of-run check creates what it needs, and deletes it", async () => {
  const report = await reportOn((request, response) =>
    request.query.sort === "rating" && response.status === 200 ? { ...response, status: 400, body: {} } : response,
  );
  const script = report.checks.find(({ id }) => id === "feedback.sort-rating")?.script ?? "";
  const { status, stdout, stderr } = await runScript(script);
  expect(stderr).toBe("");
  expect(status).toBe(0);
  expect(stdout).toContain("HTTP/1.1 201");
  expect(stdout).toMatch(/> GET \/projects\/\w+\/feedback\?sort=rating/);
  expect(stdout).toContain("> DELETE /projects/");
  expect(stdout).not.toContain("HTTP/1.1 404");
});

test("scripts follow ids with characters that an address must encode", async () => {
  const server = new ExampleServer({ ids: "encoded" });
  const listener = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://any");
    let text = "";
    request.on("data", (chunk) => {
      text += chunk;
    });
    request.on("end", async () => {
      const { status, headers, body } = await server.ask({
        method: request.method ?? "GET",
        path: url.pathname.replace(/^\/v1/, ""),
        query: Object.fromEntries(url.searchParams),
        headers: { authorization: request.headers.authorization ?? "" },
        body: text === "" ? undefined : JSON.parse(text),
      });
      response
        .writeHead(status, headers)
        .end(JSON.stringify(body).replace(/[^ -~]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`));
    });
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const { port } = listener.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const { developer, tester } = server.keys;
  const ask = askAt(baseUrl);
  const broken = fetchThrough(baseUrl, async (request) => {
    const response = await ask(request);
    return request.method === "POST" && request.path.endsWith("/reply") && response.status === 200
      ? { ...response, body: {} }
      : response;
  });
  const report = await runConformance({
    baseUrl,
    keys: { developer, tester },
    ledger: false,
    maxWait: 0,
    fetch: broken,
  });
  const script = report.checks.find(({ id }) => id === "reply.answer")?.script ?? "";
  const child = spawn("sh", ["-s"], {
    env: { ...process.env, BASE_URL: baseUrl, DEVELOPER_KEY: developer, TESTER_KEY: tester },
  });
  let out = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (out += chunk));
  child.stdin.end(script);
  await new Promise((resolve) => child.once("close", resolve));
  listener.close();
  expect(out).toContain("/reply");
  expect(out).not.toContain("HTTP/1.1 404");
  expect(out).toContain("developerResponse");
});

test("SIGHUP deletes what was created, as Ctrl-C does", async () => {
  const env = await environment();
  const folderOfRun = join(folder, "hangup");
  const child = spawn(process.execPath, [cli, "--base-url", served.baseUrl, "--ledger", folderOfRun], { env });
  const created = new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const [name] = existsSync(folderOfRun) ? readdirSync(folderOfRun) : [];
      if (!name || !readFileSync(join(folderOfRun, name), "utf8").includes('"made"')) return;
      clearInterval(timer);
      resolve();
    }, 5);
  });
  await created;
  child.kill("SIGHUP");
  const code = await new Promise<number | null>((resolve) => child.once("exit", resolve));
  expect(code).toBe(2);
  expect(readdirSync(folderOfRun)).toEqual([]);
});

test("proxy variables are obeyed", async () => {
  const asked: string[] = [];
  const proxy = createServer();
  proxy.on("connect", (request, socket: Socket, head) => {
    asked.push(request.url ?? "");
    const [host, port] = (request.url ?? "").split(":");
    const target = connect(Number(port), host, () => {
      socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
      target.write(head);
      target.pipe(socket).pipe(target);
    });
    target.on("error", () => socket.destroy());
    socket.on("error", () => target.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const { port } = proxy.address() as AddressInfo;
  const env = { ...(await environment()), HTTP_PROXY: `http://127.0.0.1:${port}`, NO_PROXY: "", no_proxy: "" };
  const { out } = await run(["--base-url", served.baseUrl, "--ledger", ledger, "--only", "auth.valid-keys"], env);
  proxy.closeAllConnections();
  proxy.close();
  expect(out).toContain("✓ auth.valid-keys");
  expect(asked).toContain(new URL(served.baseUrl).host);
});
