import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";

const home = fileURLToPath(new URL("..", import.meta.url));
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(home, "node_modules/.contract-"));
});
afterEach(() => rm(folder, { recursive: true }));

/** What the compiler says of the client where the contract is another. */
async function compileWith(change: (contract: string) => string): Promise<string> {
  const contract = await readFile(join(home, "../../spec/generated/openapi.d.ts"), "utf8");
  await writeFile(join(folder, "contract.d.ts"), change(contract));
  const paths = { "@project-feedback/spec": ["./contract.d.ts"] };
  const config = { extends: join(home, "src/tsconfig.json"), compilerOptions: { paths }, include: [join(home, "src")] };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
  const compiler = join(home, "node_modules/typescript-7/bin/tsc");
  return promisify(execFile)(process.execPath, [compiler, "-p", folder]).then(
    ({ stdout }) => stdout,
    ({ stdout }) => stdout,
  );
}

const operations = "export interface operations {\n";

test("the client compiles with the contract as it is", async () => {
  expect(await compileWith((contract) => contract)).toBe("");
});

test("an operation that the contract gains does not compile until the client has it", async () => {
  const gained = `${operations}    starProject: operations["getProject"];\n`;
  expect(await compileWith((contract) => contract.replace(operations, gained))).toMatch(/surface\.ts.*starProject/s);
});

test("nor an answer that changes, a parameter that is renamed, or a status without a class", async () => {
  const answer = await compileWith((contract) =>
    contract.replaceAll('schemas"]["HelpfulMark"]', 'schemas"]["Deletion"]'),
  );
  expect(answer).toMatch(/error TS/);
  expect(await compileWith((contract) => contract.replaceAll("projectId: components", "project: components"))).toMatch(
    /feedback\.ts.*projectId/s,
  );
  const status = await compileWith((contract) =>
    contract.replaceAll("            409: components", "            451: components"),
  );
  expect(status).toMatch(/errors\.ts.*451/s);
});
