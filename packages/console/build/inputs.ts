import { createHash } from "node:crypto";
// Node 20 has no globSync, and cannot load a module that imports it by name. The published server runs there; it does not
// call this, because it has no sources of the pages.
import fs, { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const home = fileURLToPath(new URL("..", import.meta.url));

/** Everything that the built files depend on. */
const patterns = [
  "{src,build}/**/*.*",
  "package.json",
  "../../spec/clauses.yaml",
  "../../spec/generated/*.json",
  "../../pnpm-lock.yaml",
];

/** A digest of the content of all inputs: equal inputs have equal files. */
export function inputsDigest(): string {
  const hash = createHash("sha256");
  for (const name of fs.globSync(patterns, { cwd: home }).sort()) {
    hash
      .update(`${name}\0`)
      .update(readFileSync(join(home, name)))
      .update("\0");
  }
  return hash.digest("hex").slice(0, 16);
}
