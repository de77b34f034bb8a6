import { execFile, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A Node that programs are started with. */
export interface NodeVersion {
  readonly version: string;
  /** Environment in which `node`, `npm` and `npx` are of this version. */
  readonly environment: NodeJS.ProcessEnv;
}

/** Settings of this run that what is tested must not inherit. */
const notInherited = /^(?:npm_|PNPM_|INIT_CWD|NODE_(?!EXTRA_CA_CERTS)|PORT$|HOST$|MONGODB_|DATA_DIR|PROJECT_FEEDBACK_)/;

/** Installs a Node from npm, in a folder of its own. npm itself is that of this machine. */
export async function installNode(version: string, folder: string): Promise<NodeVersion> {
  const place = join(folder, `node-${version}`);
  mkdirSync(place, { recursive: true });
  const own = Object.entries(process.env).filter(([name]) => !notInherited.test(name) || isRegistry(name));
  const environment: NodeJS.ProcessEnv = Object.fromEntries(own);
  // The tools of this repository must not help.
  const path = (environment.PATH ?? "").split(delimiter).filter((each) => !each.includes("node_modules"));
  await run("npm", ["install", "--prefix", place, "--no-save", `node@${version}`], {
    env: { ...environment, PATH: path.join(delimiter) },
  });
  environment.PATH = [join(place, "node_modules", "node", "bin"), ...path].join(delimiter);
  const { stdout } = await run("node", ["--version"], { env: environment });
  if (stdout.trim() !== `v${version}`) throw new Error(`npm installed Node ${stdout.trim()} in place of ${version}.`);
  return { version, environment };
}

/** Where packages come from is the same for everyone on this machine. */
function isRegistry(name: string): boolean {
  return /^npm_config_(?:registry|cafile|userconfig|cache)$/i.test(name);
}

/** The end of a program. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program that runs. */
export interface Running {
  readonly pid: number;
  readonly ended: Promise<Ended>;
}

/** Starts a script of the shell, as a user would paste it. */
export function start(script: string, cwd: string, environment: NodeJS.ProcessEnv): Running {
  const child = spawn("bash", ["-c", script], { cwd, env: environment, stdio: "pipe", detached: true });
  const output = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  const ended = new Promise<Ended>((resolve) => child.once("close", (code) => resolve({ code, ...output })));
  return { pid: child.pid ?? 0, ended };
}

/** Runs a script to its end. @returns its output @throws Error where it fails */
export async function paste(script: string, cwd: string, environment: NodeJS.ProcessEnv): Promise<string> {
  const { code, stdout, stderr } = await start(`set -e\n${script}`, cwd, environment).ended;
  if (code !== 0) throw new Error(`This ended with code ${code}:\n${script}\n${stdout}\n${stderr}`);
  return stdout;
}
