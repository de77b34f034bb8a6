// JavaScript: Node would load its TypeScript compiler for a file that is read before the
// compile cache is on. That costs 11 MB and 60 ms at every start.
import { enableCompileCache } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";

const caches = process.env.XDG_CACHE_HOME || join(process.env.HOME || homedir(), ".cache");
// Compiled code is kept for the next start, which then takes a third of the time and 25 MB less.
enableCompileCache(join(caches, "project-feedback", "compiled"));

await import("./commands.ts");
