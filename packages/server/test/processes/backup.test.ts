import { readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Caller } from "../harness/caller.ts";
import { freshFolder, run, runJson, type ServerProcess, serve } from "../harness/processes.ts";
import { uriOf } from "../harness/server.ts";

const folder = freshFolder();
const databases = `test_${process.pid}_${Date.now()}`;
const settingsOf = (name: string) => ({ MONGODB_URI: uriOf(`${databases}_${name}`), ALLOWANCES: "team=100000000" });
const source = settingsOf("source");
const file = join(folder.path, "feedback.backup");

let server: ServerProcess;
let ada: Caller;
let tom: Caller;
/** Paths of records whose creation was acknowledged before the backup began, with the texts that were sent. */
const acknowledged = new Map<string, string>();
let records: Record<string, number>;

const aCaller = async (role: string): Promise<Caller> => {
  const { id } = await runJson(["accounts", "create", "--name", role, "--role", role, "--plan", "team"], source);
  const { key } = await runJson(["keys", "create", "--account", id], source);
  return new Caller(server.origin, { id, key });
};

/** Creates projects and feedback until it is told to stop. */
async function load(client: number, isEnough: () => boolean): Promise<void> {
  for (let number = 0; !isEnough(); number += 1) {
    const title = `Project ${number} of client ${client}`;
    const project = await ada.post("/projects", { title, description: "Made during a backup.", category: "web" });
    expect(project.status).toBe(201);
    acknowledged.set(`/projects/${project.body.id}`, title);
    const generalComments = `Comment on ${title}`;
    const feedback = await tom.post(`/projects/${project.body.id}/feedback`, { overallRating: 4, generalComments });
    expect(feedback.status).toBe(201);
    acknowledged.set(`/feedback/${feedback.body.id}`, generalComments);
    if (number % 5 === 4) await ada.delete(`/projects/${project.body.id}`);
    if (number % 5 === 4) acknowledged.delete(`/projects/${project.body.id}`);
    if (number % 5 === 4) acknowledged.delete(`/feedback/${feedback.body.id}`);
  }
}

beforeAll(async () => {
  server = await serve(source);
  [ada, tom] = await Promise.all([aCaller("developer"), aCaller("tester")]);
  let isEnough = false;
  const loads = Array.from({ length: 4 }, (_, client) => load(client, () => isEnough));
  await sleep(2_000);
  const before = new Map(acknowledged);
  ({ records } = await runJson(["backup", "--out", file], source));
  const during = acknowledged.size - before.size;
  isEnough = true;
  await Promise.all(loads);
  expect(before.size).toBeGreaterThan(20);
  expect(during).toBeGreaterThan(0);
  // What was deleted while the backup ran may be in it or not.
  for (const path of acknowledged.keys()) if (!before.has(path)) acknowledged.delete(path);
});

afterAll(async () => {
  server.signal("SIGTERM");
  await server.exited;
  folder.remove();
});

test("a backup under load, restored into an empty database, has every record that was acknowledged before, and right counts", async () => {
  const target = settingsOf("target");
  expect(await runJson(["restore", "--from", file], target)).toEqual({ file, records });
  expect(await runJson(["counts", "verify"], target)).toEqual({ clean: true, differences: [] });
  const restored = await serve(target);
  try {
    const [owner, tester] = [ada, tom].map((caller) => new Caller(restored.origin, caller)) as [Caller, Caller];
    for (const [path, text] of acknowledged) {
      const { status, body } = await (path.startsWith("/projects") ? owner : tester).get(path);
      expect([path, status, body.title ?? body.generalComments]).toEqual([path, 200, text]);
    }
  } finally {
    restored.signal("SIGTERM");
    expect(await restored.exited).toBe(0);
  }
});

test("every field of every record keeps its value and its type", async () => {
  const target = settingsOf("types");
  await runJson(["restore", "--from", file], target);
  const again = join(folder.path, "again.backup");
  await runJson(["backup", "--out", again], target);
  // The headers and digests differ by the time; all records lie between them.
  const inner = (path: string) => {
    const bytes = gunzipSync(readFileSync(path));
    const end = bytes.lastIndexOf("\bend\0") - 4;
    return bytes.subarray(bytes.readInt32LE(0), end);
  };
  expect(inner(again).equals(inner(file))).toBe(true);
});

test("only its user can read the file", () => expect(statSync(file).mode & 0o777).toBe(0o600));

describe("it is refused with a message, and nothing is written", () => {
  const refused = async (args: readonly string[], name: string, message: RegExp, code = 1) => {
    const result = await run(args, settingsOf(name));
    expect(result.stderr).toMatch(message);
    expect(result.stderr).not.toMatch(/\n\s+at /);
    expect(result.code).toBe(code);
    return result;
  };

  test("to restore into a database that has records", async () => {
    await refused(["restore", "--from", file], "source", /has records in accounts, .* Name another database/);
  });

  test("to write over a file", async () => {
    await refused(["backup", "--out", file], "source", /exists\. Choose another file/, 2);
  });

  test("to write where nothing can be written", async () => {
    const missing = join(folder.path, "missing", "file");
    await refused(["backup", "--out", missing], "source", /cannot be written \(ENOENT\)\. Choose another place/);
  });

  test("to restore a file that does not exist", async () => {
    await refused(["restore", "--from", join(folder.path, "none")], "empty", /cannot be read \(ENOENT\)/);
  });

  test.each([
    ["another file", (bytes: Buffer) => Buffer.concat([Buffer.from("no backup"), bytes]), /it is no backup/],
    [
      "another file, compressed",
      () => gzipSync("This is a text, and has more than enough characters."),
      /it is not a backup/,
    ],
    ["a backup with one other byte", (bytes: Buffer) => changed(bytes), /its checksum does not match/],
    ["half of a backup", (bytes: Buffer) => gzipSync(half(gunzipSync(bytes))), /it ends too early/],
  ])("to restore %s", async (_, damage, message) => {
    const damaged = join(folder.path, "damaged");
    writeFileSync(damaged, damage(readFileSync(file)));
    await refused(["restore", "--from", damaged], "empty", message);
    await expectEmpty();
  });

  test("to restore a file whose end is missing", async () => {
    const cut = join(folder.path, "cut");
    writeFileSync(cut, readFileSync(file));
    truncateSync(cut, statSync(file).size - 100);
    await refused(["restore", "--from", cut], "empty", /The backup cannot be used: .*\. Use another\./);
    await expectEmpty();
  });

  async function expectEmpty(): Promise<void> {
    expect(await runJson(["accounts", "list"], settingsOf("empty"))).toEqual([]);
  }
});

const half = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2);

/** A letter of a title is another one. */
function changed(compressed: Buffer): Buffer {
  const bytes = gunzipSync(compressed);
  bytes[bytes.indexOf("Project 0 of client")] = 0x51;
  return gzipSync(bytes);
}
