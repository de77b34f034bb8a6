// Builds the pages into dist/DIGEST, unless they are there already.
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildInto } from "./build.ts";
import { builtFolder, readFiles } from "./files.ts";

const dayMs = 86_400_000;
const dist = fileURLToPath(new URL("../dist/", import.meta.url));
const folder = builtFolder();

// Else a build that a test starts, with NODE_ENV=test, would be kept with code for debugging and the paths of its sources.
process.env.NODE_ENV = "production";
mkdirSync(dist, { recursive: true });
if (!readFiles(folder)) {
  removeOld();
  const temporary = mkdtempSync(`${dist}building-`);
  try {
    await buildInto(temporary);
    renameSync(temporary, folder);
  } catch (error) {
    // Another process may have built the same files meanwhile.
    if (!readFiles(folder)) throw error;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Removes builds of other sources after a day: a server that was started with them may still send them. */
function removeOld(): void {
  for (const name of readdirSync(dist)) {
    const path = `${dist}${name}`;
    if (Date.now() - statSync(path).mtimeMs > dayMs) rmSync(path, { recursive: true });
  }
}
