// Compiles contracts.tsp into openapi.yaml and account/openapi.yaml, and each of them into JSON and types under
// generated/, in this folder or in the one that is given as the argument.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import openapiTypes, { astToString, COMMENT_HEADER, type OpenAPI3 } from "openapi-typescript";
import { parse, stringify } from "yaml";
import { accountExamples } from "./account-examples.ts";
import type { DocumentExamples } from "./examples.ts";
import { refine } from "./refine.ts";
import { serviceExamples } from "./service-examples.ts";

interface Contract {
  /** Its namespace in TypeSpec, which names the emitted file. */
  readonly namespace: string;
  readonly main: string;
  readonly document: string;
  /** Name of its files under generated/. */
  readonly generated: string;
  readonly examples: DocumentExamples;
}

const contracts: readonly Contract[] = [
  {
    namespace: "ProjectFeedback",
    main: "main.tsp",
    document: "openapi.yaml",
    generated: "openapi",
    examples: serviceExamples,
  },
  {
    namespace: "ProjectFeedbackAccount",
    main: "account/main.tsp",
    document: "account/openapi.yaml",
    generated: "account",
    examples: accountExamples,
  },
];

const here = fileURLToPath(new URL(".", import.meta.url));
const folder = resolve(process.argv[2] ?? here);
const emitted = mkdtempSync(join(tmpdir(), "project-feedback-emitted-"));
try {
  const emitInto = `@typespec/openapi3.emitter-output-dir=${emitted}`;
  execFileSync(join(here, "node_modules", ".bin", "tsp"), ["compile", "contracts.tsp", "--option", emitInto], {
    cwd: here,
    stdio: "inherit",
  });
  for (const contract of contracts) await generate(contract);
} finally {
  rmSync(emitted, { recursive: true });
}

async function generate({ namespace, main, document: path, generated, examples }: Contract): Promise<void> {
  const text = readFileSync(join(emitted, `${namespace}.yaml`), "utf8");
  // A type of the other contract is emitted under its full name.
  const document = refine(parse(text.replaceAll("ProjectFeedback.", "")), examples);
  const contract = join(folder, path);
  const types = join(folder, "generated", `${generated}.d.ts`);
  mkdirSync(dirname(contract), { recursive: true });
  mkdirSync(dirname(types), { recursive: true });
  const head = `# Generated from ${main} by \`pnpm generate\`. Do not edit.\n`;
  const yaml = stringify(document, { lineWidth: 0, aliasDuplicateObjects: false, schema: "yaml-1.1" });
  writeFileSync(contract, head + yaml);
  writeFileSync(join(folder, "generated", `${generated}.json`), JSON.stringify(document));
  const declarations = await openapiTypes(closeEnums(document), { defaultNonNullable: false, silent: true });
  writeFileSync(types, COMMENT_HEADER + astToString(declarations));
}

/**
 * The document with the values of each enum alone, without the text beside them that says that values may be added. In
 * TypeScript such a union is any text: what a response has could no longer be sent, and programs that were written for
 * version 1.0 would not compile.
 */
function closeEnums(contract: unknown): OpenAPI3 {
  return JSON.parse(JSON.stringify(contract), (_, value) => {
    const [values, text, ...others] = value?.anyOf ?? [];
    const isOpen =
      values?.$ref && others.length === 0 && Object.keys(text ?? {}).join() === "type" && text.type === "string";
    const { anyOf: _anyOf, ...rest } = value ?? {};
    return isOpen ? { ...rest, ...values } : value;
  });
}
