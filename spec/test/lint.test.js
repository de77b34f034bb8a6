import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { read } from "./contract.js";

const here = fileURLToPath(new URL("..", import.meta.url));

function lint(...words) {
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  return spawnSync(join(here, "node_modules", ".bin", "redocly"), ["lint", "openapi.yaml", ...words], {
    cwd: here,
    env,
    encoding: "utf8",
  });
}

test("the contract passes Redocly's recommended rules, warnings included, and its exceptions are needed", () => {
  const { stdout } = lint("--format=json");
  const { problems, totals } = JSON.parse(stdout);
  expect(problems.filter(({ ignored }) => !ignored)).toEqual([]);
  expect(totals).toMatchObject({ errors: 0, warnings: 0 });
  const exceptions = Object.values(read(".redocly.lint-ignore.yaml")["openapi.yaml"]).flat();
  expect(totals.ignored).toBe(exceptions.length);
}, 30_000);
