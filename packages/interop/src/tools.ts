import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";

/**
 * Installs Python packages once, into a virtual environment in the user's cache. Returns the folder of its programs.
 *
 * @param name of the environment, with the versions in it: other versions need another name
 * @param packages such as `schemathesis==4.32.5`
 */
export function pythonPrograms(name: string, packages: readonly string[]): string {
  const folder = installOnce(name, packages, (folder) => {
    execFileSync("python3", ["-m", "venv", folder], { stdio: "inherit" });
    const options = ["--quiet", "--disable-pip-version-check", "--retries=10", "--timeout=60"];
    execFileSync(join(folder, "bin", "pip"), ["install", ...options, ...packages], { stdio: "inherit" });
  });
  return join(folder, "bin");
}

/**
 * Installs npm packages once, into a folder in the user's cache, and returns it. They are no dependencies of this package,
 * for they bring along hundreds of others.
 *
 * @param name of the folder, with the versions in it: other versions need another name
 * @param packages such as `orval@8.38.0`
 */
export function nodeFolder(name: string, packages: readonly string[]): string {
  return installOnce(name, packages, (folder) => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), "{}");
    const options = ["--silent", "--no-audit", "--no-fund", "--ignore-scripts"];
    execFileSync("npm", ["install", ...options, ...packages], { cwd: folder, stdio: "inherit" });
  });
}

/** @param install into an empty place */
function installOnce(name: string, packages: readonly string[], install: (folder: string) => void): string {
  const cache = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
  const folder = join(cache, "project-feedback", name);
  // Written last, so that an installation that was interrupted is made again.
  const installed = join(folder, "installed");
  if (!existsSync(installed)) {
    console.log(`Installing ${packages.join(" ")} into ${folder}`);
    rmSync(folder, { recursive: true, force: true });
    install(folder);
    writeFileSync(installed, "");
  }
  return folder;
}
