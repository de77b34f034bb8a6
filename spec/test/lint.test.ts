import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { read } from "./contract.ts";

const here = fileURLToPath(new URL("..", import.meta.url));

type Exceptions = Record<string, Record<string, string[]>>;

interface Report {
  problems: { ignored?: boolean }[];
  totals: { errors: number; warnings: number; ignored: number };
}

function lint(...words: string[]) {
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  return spawnSync(join(here, "node_modules", ".bin", "redocly"), ["lint", ...words], {
    cwd: here,
    env,
    encoding: "utf8",
  });
}

test.each(["openapi.yaml", "account/openapi.yaml"])(
  "%s passes Redocly's recommended rules, warnings included, and its exceptions are needed",
  (document) => {
    const { stdout } = lint(document, "--format=json");
    const { problems, totals } = JSON.parse(stdout) as Report;
    expect(problems.filter(({ ignored }) => !ignored)).toEqual([]);
    expect(totals).toMatchObject({ errors: 0, warnings: 0 });
    const exceptions = Object.values(read<Exceptions>(".redocly.lint-ignore.yaml")[document] ?? {}).flat();
    expect(totals.ignored).toBe(exceptions.length);
  },
  30_000,
);
