import { homedir } from "node:os";
import { join } from "node:path";

/**
 * The folder in which fetched binaries and compiled code are kept for all projects of this user. Not in TypeScript, as
 * cli/main.js says.
 * @param {NodeJS.ProcessEnv} env
 * @returns {string}
 */
export function cacheFolder(env) {
  return join(env.XDG_CACHE_HOME || join(env.HOME || homedir(), ".cache"), "project-feedback");
}
