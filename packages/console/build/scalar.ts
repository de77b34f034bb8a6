import { copyFileSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

const moduleId = "virtual:scalar";
const dist = new URL(".", import.meta.resolve("@scalar/api-reference/style.css"));

/**
 * Gives the reference Scalar's own build for browsers, as the module `virtual:scalar`. It is copied, not bundled again, into a
 * folder that has its version in the name.
 */
export function scalar(): Plugin {
  const { version } = JSON.parse(readFileSync(new URL("../package.json", dist), "utf8"));
  const folder = `assets/scalar-${version}`;
  const source = fileURLToPath(new URL("browser", dist));
  return {
    name: "virtual:scalar",
    resolveId: (id) => (id === moduleId ? { id: `/${folder}/standalone.esm.js`, external: "absolute" } : undefined),
    writeBundle({ dir = "" }) {
      mkdirSync(join(dir, folder, "chunks"), { recursive: true });
      const chunks = readdirSync(join(source, "chunks")).map((name) => `chunks/${name}`);
      for (const name of ["standalone.esm.js", ...chunks]) {
        if (name.endsWith(".js")) copyFileSync(join(source, name), join(dir, folder, name));
      }
    },
  };
}
