// Sends generated requests to a server, with a developer's key and with a tester's, and checks every response against
// the contract: `pnpm --filter @project-feedback/interop fuzz [SECONDS for each key]`.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openapiJsonUrl, openapiUrl } from "@project-feedback/spec";
import { type Counts, startServer } from "../src/server.ts";
import { pythonPrograms } from "../src/tools.ts";
import { seed } from "./seed.ts";

const version = "4.32.5";
const seconds = Number(process.argv[2] ?? 60);
const here = fileURLToPath(new URL(".", import.meta.url));

if (!Number.isInteger(seconds) || seconds < 1) {
  console.error(`"${process.argv[2]}" is not a number of seconds. Usage: node fuzz/run.ts [SECONDS for each key]`);
  process.exit(2);
}

const scratch = mkdtempSync(join(tmpdir(), "project-feedback-fuzz-"));
process.once("exit", () => rmSync(scratch, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));

/** Runs Schemathesis with one key. Resolves with whether all checks passed. */
async function fuzz(program: string, base: string, key: string): Promise<boolean> {
  const options = ["run", fileURLToPath(openapiUrl), "--url", base, "--header", `Authorization: Bearer ${key}`];
  const child = spawn(
    program,
    ["--config-file", join(here, "schemathesis.toml"), ...options, `--max-time=${seconds}`],
    {
      // Schemathesis writes its reports into the current folder.
      cwd: scratch,
      env: {
        ...process.env,
        ...{ SCHEMATHESIS_HOOKS: "hooks", FUZZ_BASE: base, FUZZ_KEY: key },
        ...{ PYTHONPATH: here, PYTHONDONTWRITEBYTECODE: "1" },
      },
      stdio: "inherit",
    },
  );
  const end = () => child.kill("SIGTERM");
  process.once("exit", end);
  const code = await new Promise((resolve) => child.once("exit", resolve));
  process.off("exit", end);
  return code === 0;
}

interface Operations {
  readonly paths: Record<string, Record<string, { readonly operationId: string }>>;
}

/** Lists the statuses of each operation. One that never succeeded was not reached, so its checks proved nothing. */
function reached(counts: Counts): string[] {
  const { paths }: Operations = JSON.parse(readFileSync(openapiJsonUrl, "utf8"));
  const names = Object.values(paths).flatMap((path) => Object.values(path).map(({ operationId }) => operationId));
  return names.map((name) => {
    const statuses = Object.entries(counts[name] ?? {});
    const list = statuses.map(([status, count]) => `${status} × ${count}`).join(", ");
    return `${name}: ${statuses.some(([status]) => status.startsWith("2")) ? "" : "FAILED, it never succeeded: "}${list}`;
  });
}

const program = join(pythonPrograms(`schemathesis-${version}`, [`schemathesis==${version}`]), "schemathesis");
const outcomes: string[] = [];
const server = await startServer(join(scratch, "data"));
try {
  const keys = {
    developer: server.keyOf("Fuzzed developer", "developer"),
    tester: server.keyOf("Fuzzed tester", "tester"),
    other: server.keyOf("Another developer", "developer"),
  };
  for (const role of ["developer", "tester"] as const) {
    await seed(server.base, keys, role);
    console.log(`\n=== ${seconds} s with the key of a ${role} ===`);
    const passed = await fuzz(program, server.base, keys[role]);
    outcomes.push(`${role}: ${passed ? "all checks passed" : "FAILED"}`);
  }
  outcomes.push(...reached(await server.counts()));
} finally {
  const code = await server.stop();
  outcomes.push(`server: ${code === 0 ? "stopped cleanly" : `FAILED, it ended with ${code}`}`);
}
console.log(
  `\nSchemathesis ${version}, ${seconds} s with each key:\n${outcomes.map((line) => `  ${line}`).join("\n")}`,
);
process.exit(outcomes.every((line) => !line.includes("FAILED")) ? 0 : 1);
