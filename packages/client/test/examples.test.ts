import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { promisify } from "node:util";
import { expect, inject, test } from "vitest";

const run = promisify(execFile);
const folder = new URL("../examples/", import.meta.url);

const said: Record<string, RegExp> = {
  "publish-and-review.ts": /^Pocket Garden: feedback rated 4 is approved\.$/m,
  "list-projects.ts": /^Pocket Garden \(mobile\)$/m,
  "handle-errors.ts": /^\/title must /m,
  "trace.ts": /^GET \/v1\/projects 200, attempt 1\n\d+ of 1000000 requests are left\.$/m,
  "time-limits.ts": /^There are \d+ projects\.$/m,
  "paths.ts": /^\d+ mobile projects$/m,
};

test("every example is tested", () => {
  expect(Object.keys(said).sort()).toEqual(readdirSync(folder).sort());
});

test.each(Object.entries(said))("%s works against the real server", async (name, words) => {
  const { stdout } = await example(new URL(name, folder).pathname);
  expect(stdout).toMatch(words);
});

test("the first sample of the README works and has fewer than 10 lines", async () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const code = /```ts\n(.*?)```/s.exec(readme)?.[1] ?? "";
  expect(code.trimEnd().split("\n").length).toBeLessThan(10);
  const { stdout } = await run(process.execPath, ["--input-type=module-typescript", "--eval", code], settings());
  expect(stdout).toContain("Pocket Garden");
});

const settings = () => ({
  cwd: new URL("..", import.meta.url).pathname,
  env: {
    ...process.env,
    PROJECT_FEEDBACK_URL: inject("baseUrl"),
    PROJECT_FEEDBACK_KEY: inject("developerKey"),
    PROJECT_FEEDBACK_TESTER_KEY: inject("testerKey"),
  },
});
const example = (file: string) => run(process.execPath, [file], settings());
