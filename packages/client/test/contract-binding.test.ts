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

/** The compiler output for the client with a changed contract. */
async function compileWith(change: (contract: string) => string): Promise<string> {
  const contract = await readFile(join(home, "node_modules/@project-feedback/spec/generated/openapi.d.ts"), "utf8");
  await writeFile(join(folder, "contract.d.ts"), change(contract));
  const paths = { "@project-feedback/spec/types": ["./contract.d.ts"] };
  const config = { extends: join(home, "src/tsconfig.json"), compilerOptions: { paths }, include: [join(home, "src")] };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
  const compiler = join(home, "node_modules/typescript-7/bin/tsc");
  return promisify(execFile)(process.execPath, [compiler, "-p", folder]).then(
    ({ stdout }) => stdout,
    ({ stdout }) => stdout,
  );
}

const operations = "export interface operations {\n";

test("the client compiles with the current contract", async () => {
  expect(await compileWith((contract) => contract)).toBe("");
});

test("a new operation of the contract does not compile until the client has a method for it", async () => {
  const gained = `${operations}    starProject: operations["getProject"];\n`;
  expect(await compileWith((contract) => contract.replace(operations, gained))).toMatch(
    /operation-methods\.ts.*starProject/s,
  );
});

test("a changed response, a renamed parameter and a status without a class do not compile", async () => {
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
