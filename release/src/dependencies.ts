import { readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Artifact, Bundled, Manifest } from "./artifact.ts";
import { repository } from "./repository.ts";

/** Everything that runs with a package: what is bundled in it, and what npm installs with it, by name. */
export function runtimePackages({ folder, manifest, bundled }: Artifact): readonly Bundled[] {
  const found = new Map(bundled.map((each) => [`${each.name}@${each.version}`, each]));
  const visit = (from: string, names: readonly string[]): void => {
    for (const name of names) {
      const path = folderOf(name, from);
      const read = JSON.parse(readFileSync(join(path, "package.json"), "utf8")) as Manifest;
      const { version, license, dependencies = {} } = read;
      if (found.has(`${name}@${version}`)) continue;
      found.set(`${name}@${version}`, { name, version, license, node: read.engines?.node });
      visit(path, Object.keys(dependencies));
    }
  };
  visit(join(repository, folder), Object.keys(manifest.dependencies ?? {}));
  return [...found.values()].sort((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1));
}

/** The folder of an installed package: not by `exports`, which may hide its manifest. */
function folderOf(name: string, from: string): string {
  const places = createRequire(join(realpathSync(from), "index.js")).resolve.paths(name) ?? [];
  for (const place of places) {
    try {
      return dirname(realpathSync(join(place, name, "package.json")));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
  throw new Error(`${name}, which ${from} depends on, is not installed. Run pnpm install.`);
}
