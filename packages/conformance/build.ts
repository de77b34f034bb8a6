// Builds the package: JavaScript and declarations by tsc, and beside them the contract and what reports are bound to.
import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { clausesUrl, openapiUrl } from "@project-feedback/spec";
import { bindingOfSources } from "./src/contract.ts";

const at = (path: string) => new URL(path, import.meta.url);

rmSync(at("dist"), { recursive: true, force: true });
execFileSync("tsc", ["--project", "tsconfig.build.json"], { cwd: at("."), stdio: "inherit" });
mkdirSync(at("dist/contract/"), { recursive: true });
copyFileSync(openapiUrl, at("dist/contract/openapi.yaml"));
copyFileSync(clausesUrl, at("dist/contract/clauses.yaml"));
writeFileSync(at("dist/contract/binding.json"), `${JSON.stringify(bindingOfSources(), null, 2)}\n`);
chmodSync(at("dist/cli.js"), 0o755);
