import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { type NamedOperation, operationsOf } from "../build/operations.ts";
import { referenceDocument, referenceSources } from "../build/reference-documents.ts";
import type { Sample } from "../build/samples.ts";
import { invite, newAccount, newKey } from "./harness/command.ts";

const run = promisify(execFile);
const origin = inject("origin");
const [v1 = [], account = []] = referenceSources().map((source) =>
  casesOf(operationsOf({ ...source, document: referenceDocument(source) })),
);

interface Case {
  readonly id: string;
  readonly label: string;
  readonly source: string;
}

function casesOf(operations: readonly NamedOperation[]): Case[] {
  return operations.flatMap(({ id, operation }) =>
    (operation["x-codeSamples"] as Sample[]).map(({ label, source }) => ({ id, label, source })),
  );
}

/** Operations that a tester calls, and those that need feedback that is still a draft. */
const ofTester = ["createFeedback", "updateFeedback", "deleteFeedback", "listMyFeedback"];
const ofDraft = ["updateFeedback", "deleteFeedback"];

let folder: string;
let developer: string;
let tester: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "project-feedback-reference-"));
  await mkdir(join(folder, "node_modules/@project-feedback"), { recursive: true });
  const client = fileURLToPath(import.meta.resolve("@project-feedback/client/package.json"));
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  await symlink(join(client, ".."), join(folder, "node_modules/@project-feedback/client"));
  [developer, tester] = [await newKey("developer"), await newKey("tester")];
});
afterAll(() => rm(folder, { recursive: true }));

async function post(path: string, key: string, body: object): Promise<{ id: string; bugs: { id: string }[] }> {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const response = await fetch(`${origin}/v1${path}`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(201);
  return response.json();
}

/** The sample with the ids of records that exist, in place of those of the contract's examples. */
async function withRecords(id: string, source: string): Promise<string> {
  const project = await post("/projects", developer, { title: "A", description: "For a sample.", category: "web" });
  const status = ofDraft.includes(id) ? "draft" : "submitted";
  const bugs = [{ description: "A bug.", severity: "low" }];
  const sent = await post(`/projects/${project.id}/feedback`, tester, { overallRating: 3, bugs, status });
  return source
    .replaceAll("{origin}", origin)
    .replaceAll(/prj_\w{24}/g, project.id)
    .replaceAll(/fb_\w{24}/g, sent.id)
    .replaceAll(/bug_\w{24}/g, sent.bugs[0]?.id ?? "");
}

test("every operation has a sample with curl, and one with the client or with fetch", () => {
  for (const [cases, label, least] of [
    [v1, "Client", 15],
    [account, "fetch", 20],
  ] as const) {
    const ids = new Set(cases.map(({ id }) => id));
    expect(ids.size).toBeGreaterThan(least);
    for (const id of ids) {
      expect(cases.filter((each) => each.id === id).map((each) => each.label)).toEqual(["curl", label]);
    }
  }
});

describe("the sample works against the real server:", () => {
  test.each(v1)("$id, $label", async ({ id, label, source }) => {
    const code = await withRecords(id, source);
    const env = { ...process.env, KEY: ofTester.includes(id) ? tester : developer };
    if (label === "curl") {
      const { stdout } = await run("bash", ["-c", code.replace(/^curl /, "curl --silent --fail-with-body ")], { env });
      expect(JSON.parse(stdout)).not.toHaveProperty("error");
    } else {
      const { stdout } = await run(process.execPath, [await write(`${id}.ts`, code)], { cwd: folder, env });
      expect(stdout).toMatch(/^[{[]|List/);
    }
  });
});

/** What samples of the account answer that cannot succeed with examples: without a passkey, or without a provider's answer. */
const answers: Readonly<Record<string, number>> = {
  createKey: 201,
  rotateKey: 201,
  addPasskey: 403,
  signInWithPasskey: 403,
  removePasskey: 404,
  chooseRole: 409,
  finishOidcSignIn: 303,
};

describe("the sample for a signed-in visitor works against the real server:", () => {
  let accountId: string;
  let cookie: string;
  beforeAll(async () => {
    accountId = await newAccount({ role: "developer" });
    cookie = await signIn();
  });

  const token = async () => new URL(await invite(accountId)).hash.slice("#link=".length);

  /** The cookie of a new session. */
  async function signIn(): Promise<string> {
    cookie = ""; // A sign-in ends the session that the browser had.
    const response = await send("POST", "/sign-in/link", { token: await token() });
    return response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
  }

  function send(method: string, path: string, body?: object): Promise<globalThis.Response> {
    const headers = { "Content-Type": "application/json", ...(cookie && { Cookie: cookie }) };
    return fetch(`${origin}/account/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  }

  /** The sample with what exists, in place of the contract's examples. */
  async function withAccount(source: string): Promise<string> {
    if (source.includes("pfl_")) return source.replace(/pfl_[\w-]{43}/, await token());
    if (source.includes("/keys/key_")) {
      const { id } = (await (await send("POST", "/keys", { name: "a" })).json()) as { id: string };
      return source.replace(/key_\w{24}/, id);
    }
    if (!source.includes("/sessions/ses_")) return source;
    const present = cookie;
    await signIn();
    cookie = present;
    const { data } = (await (await send("GET", "/sessions")).json()) as { data: { id: string; current: boolean }[] };
    return source.replace(/ses_\w{24}/, data.find(({ current }) => !current)?.id ?? "");
  }

  test.each(account)("$id, $label", async ({ id, label, source }) => {
    const code = (await withAccount(source)).replaceAll("{origin}", origin);
    const env = { ...process.env, COOKIE: cookie };
    const [status] =
      label === "curl"
        ? await outputOf("bash", ["-c", code.replace(/^curl /, "curl --silent -o /dev/null -w '%{http_code}' ")], env)
        : await outputOf(process.execPath, [await write(`${id}.js`, inPage + code)], env);
    expect(Number(status)).toBe(answers[id] ?? 200);
    if (id === "signOut" || id === "signInWithLink") cookie = await signIn();
  });

  /** In a page, a path is one of the same origin, and the browser sends the cookie. */
  const inPage = `
    const { fetch: send } = globalThis;
    globalThis.fetch = (path, { headers, ...init } = {}) =>
      send("${origin}" + path, { redirect: "manual", ...init, headers: { ...headers, Cookie: process.env.COOKIE } });
  `;
});

async function outputOf(program: string, words: string[], env: NodeJS.ProcessEnv): Promise<string[]> {
  const { stdout } = await run(program, words, { cwd: folder, env });
  return stdout.split(" ");
}

async function write(name: string, code: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, code);
  return file;
}
