// Compiles main.tsp into openapi.yaml, generated/openapi.json and generated/openapi.d.ts, in this folder or in the one
// that is given as the argument.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import openapiTypes, { astToString, COMMENT_HEADER } from "openapi-typescript";
import { parse, stringify } from "yaml";
import { refine } from "./refine.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const folder = resolve(process.argv[2] ?? here);
const contract = join(folder, "openapi.yaml");
const json = join(folder, "generated", "openapi.json");
const types = join(folder, "generated", "openapi.d.ts");

const emitInto = `@typespec/openapi3.emitter-output-dir=${folder}`;
execFileSync(join(here, "node_modules", ".bin", "tsp"), ["compile", ".", "--option", emitInto], {
  cwd: here,
  stdio: "inherit",
});

const head = "# Generated from main.tsp by `pnpm generate`. Do not edit.\n";
const document = refine(parse(readFileSync(contract, "utf8")));
writeFileSync(contract, head + stringify(document, { lineWidth: 0, aliasDuplicateObjects: false, schema: "yaml-1.1" }));

mkdirSync(dirname(types), { recursive: true });
writeFileSync(json, JSON.stringify(document));
const declarations = await openapiTypes(pathToFileURL(contract), { defaultNonNullable: false, silent: true });
writeFileSync(types, COMMENT_HEADER + astToString(declarations));
