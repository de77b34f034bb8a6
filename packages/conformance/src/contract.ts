import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { parse } from "yaml";

export interface Clause {
  readonly id: string;
  readonly level: "stated" | "chosen";
  readonly text: string;
  readonly why?: string;
}

/** What a report is bound to. */
export interface Binding {
  readonly name: string;
  readonly version: string;
  /** SHA-256 of the OpenAPI document and the clauses. */
  readonly contract: string;
  /** SHA-256 of the source of every check, of the evidence they use and of the engine that judges. */
  readonly checks: string;
}

// Built, the contract and the binding stand beside this module; in the repository, the contract is its own package.
const built = new URL("./contract/", import.meta.url);

function contractFile(name: "openapi.yaml" | "clauses.yaml"): string {
  const bundled = new URL(name, built);
  // The built package has its own copy, and does not depend on the package of the contract.
  const source = () => createRequire(import.meta.url).resolve(`@project-feedback/spec/${name}`);
  return readFileSync(existsSync(bundled) ? bundled : source(), "utf8");
}

/** Every clause, in the order of the contract. */
export const clauses: readonly Clause[] = Object.entries(
  parse(contractFile("clauses.yaml")) as Record<string, Omit<Clause, "id">>,
).map(([id, clause]) => ({ id, ...clause }));

/** Binds reports to this suite. Built, it was worked out then; in the repository, from the sources as they are. */
export function binding(): Binding {
  const kept = new URL("binding.json", built);
  return existsSync(kept) ? JSON.parse(readFileSync(kept, "utf8")) : bindingOfSources();
}

/** Works the binding out from the sources; only in the repository, and when the package is built. */
export function bindingOfSources(): Binding {
  const home = new URL("../", import.meta.url);
  const { name, version } = JSON.parse(readFileSync(new URL("package.json", home), "utf8"));
  const sources = ["checks", "evidence", "engine"].flatMap((folder) => filesUnder(new URL(`src/${folder}/`, home)));
  return {
    name,
    version,
    contract: sha256([contractFile("openapi.yaml"), contractFile("clauses.yaml")]),
    checks: sha256(sources.map((file) => readFileSync(file, "utf8"))),
  };
}

function filesUnder(folder: URL): URL[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names
    .filter((name) => name.endsWith(".ts"))
    .sort()
    .map((name) => new URL(name, folder));
}

function sha256(texts: readonly string[]): string {
  const hash = createHash("sha256");
  for (const text of texts) hash.update(text).update("\0");
  return `sha256:${hash.digest("hex")}`;
}
