import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { operationsOf } from "../build/operations.ts";
import { referenceDocument, referenceSources } from "../build/reference-documents.ts";
import type { Sample } from "../build/samples.ts";
import { newAccount } from "./harness/command.ts";

const run = promisify(execFile);
const [v1] = referenceSources().map((source) => ({ ...source, document: referenceDocument(source) }));
const operations = v1 ? operationsOf(v1) : [];
const cases = operations.flatMap(({ id, method, operation }) =>
  (operation["x-codeSamples"] as Sample[]).map(({ label, source }) => ({ id, method, label, source })),
);

/** Operations that a tester calls, and those that need feedback that is still a draft. */
const ofTester = ["createFeedback", "updateFeedback", "deleteFeedback", "listMyFeedback"];
const ofDraft = ["updateFeedback", "deleteFeedback"];

let folder: string;
let developer: { key: string };
let tester: { key: string };
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "project-feedback-reference-"));
  await mkdir(join(folder, "node_modules/@project-feedback"), { recursive: true });
  const client = fileURLToPath(import.meta.resolve("@project-feedback/client/package.json"));
  await symlink(join(client, ".."), join(folder, "node_modules/@project-feedback/client"));
  [developer, tester] = [await newAccount("developer"), await newAccount("tester")];
});
afterAll(() => rm(folder, { recursive: true }));

async function post(path: string, key: string, body: object): Promise<{ id: string; bugs: { id: string }[] }> {
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const response = await fetch(`${inject("origin")}/v1${path}`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(201);
  return response.json();
}

/** The sample with the ids of records that exist, in place of those of the contract's examples. */
async function withRecords(id: string, source: string): Promise<string> {
  const project = await post("/projects", developer.key, { title: "A", description: "For a sample.", category: "web" });
  const status = ofDraft.includes(id) ? "draft" : "submitted";
  const bugs = [{ description: "A bug.", severity: "low" }];
  const sent = await post(`/projects/${project.id}/feedback`, tester.key, { overallRating: 3, bugs, status });
  return source
    .replaceAll("{origin}", inject("origin"))
    .replaceAll(/prj_\w{24}/g, project.id)
    .replaceAll(/fb_\w{24}/g, sent.id)
    .replaceAll(/bug_\w{24}/g, sent.bugs[0]?.id ?? "");
}

test("every operation has a sample with curl and one with the client", () => {
  expect(operations.length).toBeGreaterThan(15);
  for (const { id } of operations) {
    expect(cases.filter((each) => each.id === id).map(({ label }) => label)).toEqual(["curl", "Client"]);
  }
});

describe("the sample works against the real server:", () => {
  test.each(cases)("$id, $label", async ({ id, label, source }) => {
    const code = await withRecords(id, source);
    const env = { ...process.env, KEY: (ofTester.includes(id) ? tester : developer).key };
    if (label === "curl") {
      const { stdout } = await run("bash", ["-c", code.replace(/^curl /, "curl --silent --fail-with-body ")], { env });
      expect(JSON.parse(stdout)).not.toHaveProperty("error");
    } else {
      const file = join(folder, `${id}.ts`);
      await writeFile(file, code);
      const { stdout } = await run(process.execPath, [file], { cwd: folder, env });
      expect(stdout).toMatch(/^[{[]|List/);
    }
  });
});
