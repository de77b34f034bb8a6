import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startServer, type TestServer } from "./harness/server.ts";

const run = promisify(execFile);
const story = readFileSync(new URL("../../../docs/story.md", import.meta.url), "utf8");
const mark = "----- next -----";

interface Block {
  readonly kind: string;
  readonly text: string;
}

const blocks: Block[] = [...story.matchAll(/^```(sh setup|sh|json|text)\n(.*?)^```$/gms)].map(
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

/** The answer with `…` wherever the page has it, so that what is left can be compared to the letter. */
function veil(seen: unknown, told: unknown): unknown {
  if (told === "…" && seen !== undefined && seen !== null) return "…";
  if (Array.isArray(seen) && Array.isArray(told)) return seen.map((inner, place) => veil(inner, told[place]));
  if (typeof seen !== "object" || seen === null || typeof told !== "object" || told === null) return seen;
  const known = told as Record<string, unknown>;
  return Object.fromEntries(Object.entries(seen).map(([name, inner]) => [name, veil(inner, known[name])]));
}

test("the story that docs/story.md tells with curl is true, command by command", async () => {
  const developer = await server.account({ role: "developer" });
  const tester = await server.account({ role: "tester" });
  const commands = blocks.filter(({ kind }) => kind === "sh").map(({ text }) => text);
  expect(commands.length).toBeGreaterThan(15);
  const script = ["set -eu", ...commands.map((command) => `${command}\necho; echo '${mark}'`)].join("\n");
  const { stdout } = await run("bash", ["-c", script], {
    cwd: folder,
    env: { ...process.env, BASE: `${server.origin}/v1`, DEVELOPER: developer.key, TESTER: tester.key },
  });
  const answers = stdout.split(`${mark}\n`);
  let place = -1;
  for (const { kind, text } of blocks) {
    if (kind === "sh") place += 1;
    const answer = answers[place]?.trim() ?? "";
    if (kind === "text") expect(answer).toBe(text.trim());
    if (kind === "json") expect(veil(JSON.parse(answer), JSON.parse(text))).toEqual(JSON.parse(text));
  }
});
