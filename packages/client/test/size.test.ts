import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const home = new URL("..", import.meta.url);

test("its minified and gzipped size is within the limits of package.json, which states it", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["node_modules/size-limit/bin.js", "--json"], {
    cwd: home,
  });
  const sizes = JSON.parse(stdout) as { name: string; size: number; passed: boolean }[];
  console.log(sizes.map(({ name, size }) => `${name}: ${size} B`).join("\n"));
  expect(sizes.map(({ passed }) => passed)).toEqual([true, true]);
  const { description } = JSON.parse(readFileSync(new URL("package.json", home), "utf8")) as { description: string };
  for (const { size } of sizes) expect(description).toContain(`${(size / 1000).toFixed(1)} kB`);
});
