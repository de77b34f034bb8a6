// Generates a Python and a Go client from the contract, and from the released one of version 1.0, and runs a short
// program with each against a real server:
// `pnpm --filter @project-feedback/interop clients`. Python 3.11 and Go 1.24 or later are required.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openapiUrl, releasedContractUrl } from "@project-feedback/spec";
import { parse } from "yaml";
import { toOpenApi30 } from "../src/openapi30.ts";
import { startServer } from "../src/server.ts";
import { pythonPrograms } from "../src/tools.ts";

const pythonGenerator = "0.29.1";
const goGenerator = "v2.5.0";
const ruff = "0.14.0";
const here = fileURLToPath(new URL(".", import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), "project-feedback-clients-"));
process.once("exit", () => rmSync(scratch, { recursive: true, force: true }));

const run = (program: string, options: string[], cwd: string, env: NodeJS.ProcessEnv = {}) =>
  execFileSync(program, options, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "inherit", "inherit"] });

/** A contract to generate clients from, and the programs that use them. */
interface Version {
  readonly name: string;
  readonly yaml: URL;
  readonly programs: string;
}

/** Runs the Python program; its generator reads OpenAPI 3.1. */
function python({ name, yaml, programs: program }: Version, env: NodeJS.ProcessEnv): void {
  const folder = join(scratch, name, "python");
  mkdirSync(folder, { recursive: true });
  const packages = [`openapi-python-client==${pythonGenerator}`, `ruff==${ruff}`];
  const programs = pythonPrograms(`openapi-python-client-${pythonGenerator}`, packages);
  const path = { PATH: `${programs}:${process.env.PATH}` };
  const output = ["--output-path", join(folder, "feedback_client"), "--meta", "none", "--fail-on-warning"];
  const options = ["generate", "--path", fileURLToPath(yaml), ...output];
  run(join(programs, "openapi-python-client"), options, folder, path);
  run(join(programs, "python"), [join(here, `${program}.py`)], folder, { ...env, PYTHONPATH: folder });
}

/** Runs the Go program; its generator reads OpenAPI 3.0. */
function go({ name, yaml, programs: program }: Version, env: NodeJS.ProcessEnv): void {
  const folder = join(scratch, name, "go");
  mkdirSync(join(folder, "client"), { recursive: true });
  const contract = join(folder, "openapi.json");
  writeFileSync(contract, JSON.stringify(toOpenApi30(parse(readFileSync(yaml, "utf8")))));
  copyFileSync(join(here, `${program}.go`), join(folder, "main.go"));
  run("go", ["mod", "init", "example.com/interop"], folder);
  const generator = `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@${goGenerator}`;
  const output = ["-package", "client", "-o", "client/client.go"];
  run("go", ["run", generator, "-generate", "types,client", ...output, contract], folder);
  run("go", ["mod", "tidy"], folder);
  run("go", ["run", "."], folder, env);
}

// Clients that were generated from the contract of version 1.0 must work with the current server (C-VER-1).
const versions: readonly Version[] = [
  { name: "current", yaml: openapiUrl, programs: "program" },
  { name: "released", yaml: releasedContractUrl, programs: "released" },
];

const server = await startServer(join(scratch, "data"));
try {
  const env = {
    BASE: server.base,
    DEVELOPER: server.keyOf("Developer", "developer"),
    TESTER: server.keyOf("Tester", "tester"),
  };
  for (const version of versions) {
    python(version, env);
    go(version, env);
  }
} finally {
  await server.stop();
}
