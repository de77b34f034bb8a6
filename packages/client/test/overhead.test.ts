import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const bench = fileURLToPath(new URL("../bench/overhead.ts", import.meta.url));

// The goal is 1.3, and it is missed on Node 24.21: 1.34 to 1.49 in 20 runs, some 50 µs above a bare fetch of 115 µs.
// Version 1.0 had 1.296 on Node 24.9, and 1.40 on 24.21. The limit below guards against more until the goal is met.
// Other work on the machine disturbs the measurement, so it may be repeated. A client that is too slow fails every time.
test("a GET takes at most 1.55 times the CPU time of bare fetch", { retry: 4, timeout: 120_000 }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [bench]);
  console.log(stdout.trim());
  expect((JSON.parse(stdout) as { ratio: number }).ratio).toBeLessThanOrEqual(1.55);
});
