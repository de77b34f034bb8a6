import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const cwd = fileURLToPath(new URL("..", import.meta.url));

test("its minified and gzipped size is within the limits of package.json", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["node_modules/size-limit/bin.js", "--json"], { cwd });
  const sizes = JSON.parse(stdout) as { name: string; size: number; passed: boolean }[];
  console.log(sizes.map(({ name, size }) => `${name}: ${size} B`).join("\n"));
  expect(sizes.map(({ passed }) => passed)).toEqual([true, true]);
});
