import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer, type TestServer } from "./harness/server.ts";

const run = promisify(execFile);
const document = readFileSync(new URL("../../../docs/story.md", import.meta.url), "utf8");
const separator = "----- next -----";

interface Block {
  readonly kind: string;
  readonly text: string;
}

const blocks: Block[] = [...document.matchAll(/^```(sh setup|sh|json|text)\n(.*?)^```$/gms)].map(
  ([, kind = "", text = ""]) => ({
    kind,
    text,
  }),
);

let server: TestServer;
let folder: string;
beforeAll(async () => {
  server = await startServer();
  folder = mkdtempSync(join(tmpdir(), "story-"));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await server.stop();
});

/** The actual value with `…` wherever the document has it, so that the rest can be compared exactly. */
function mask(actual: unknown, expected: unknown): unknown {
  if (expected === "…" && actual !== undefined && actual !== null) return "…";
  if (Array.isArray(actual) && Array.isArray(expected))
    return actual.map((inner, index) => mask(inner, expected[index]));
  if (typeof actual !== "object" || actual === null || typeof expected !== "object" || expected === null) return actual;
  const expectedFields = expected as Record<string, unknown>;
  return Object.fromEntries(Object.entries(actual).map(([name, inner]) => [name, mask(inner, expectedFields[name])]));
}

test("every command of docs/story.md prints what the document shows", async () => {
  const developer = await server.account({ role: "developer" });
  const tester = await server.account({ role: "tester" });
  const commands = blocks.filter(({ kind }) => kind === "sh").map(({ text }) => text);
  expect(commands.length).toBeGreaterThan(15);
  const script = ["set -eu", ...commands.map((command) => `${command}\necho; echo '${separator}'`)].join("\n");
  const { stdout } = await run("bash", ["-c", script], {
    cwd: folder,
    env: { ...process.env, BASE: `${server.origin}/v1`, DEVELOPER: developer.key, TESTER: tester.key },
  });
  const outputs = stdout.split(`${separator}\n`);
  let index = -1;
  for (const { kind, text } of blocks) {
    if (kind === "sh") index += 1;
    const output = outputs[index]?.trim() ?? "";
    if (kind === "text") expect(output).toBe(text.trim());
    if (kind === "json") expect(mask(JSON.parse(output), JSON.parse(text))).toEqual(JSON.parse(text));
  }
});
