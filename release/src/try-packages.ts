// `pnpm release:try`: follows the three READMEs in three empty folders, with nothing but the tarballs, on the oldest and
// the newest Node. The server's last start is without a network.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pack } from "./artifact.ts";
import { installNode, type NodeVersion, paste, type Running, start } from "./node.ts";
import { packages } from "./packages.ts";
import { blocksOf } from "./readme.ts";
import { repository } from "./repository.ts";

const nodeVersions = ["20.19.0", "24.21.0"];
/** Bounds of what npm installs, in MB: the package and its dependencies. */
const installLimits: Readonly<Record<string, number>> = { server: 16, client: 1.5, conformance: 9 };

const folder = mkdtempSync(join(tmpdir(), "project-feedback-try-"));
const given = process.argv[2];
const tarballs = new Map(packages.map((each) => [each.name.split("/")[1] ?? "", tarballOf(each)]));
const log = (line: string) => console.log(line);

function tarballOf(published: (typeof packages)[number]): string {
  if (given === undefined) return pack(published, folder).file;
  const { version } = JSON.parse(readFileSync(join(repository, published.folder, "package.json"), "utf8"));
  return resolve(given, `${published.name.slice(1).replace("/", "-")}-${version}.tgz`);
}

/** An empty folder with one of the packages. */
async function install(name: string, node: NodeVersion): Promise<string> {
  const place = join(folder, `${name}-${node.version}`);
  mkdirSync(place);
  await paste(`npm install ${tarballs.get(name)}`, place, node.environment);
  const kilobytes = Number(
    execFileSync("du", ["-sk", join(place, "node_modules")], { encoding: "utf8" }).split("\t")[0],
  );
  const limit = installLimits[name] ?? 0;
  if (kilobytes > limit * 1_000) throw new Error(`${name} takes ${kilobytes} kB installed, more than ${limit} MB.`);
  log(`  ${name}: ${(kilobytes / 1_000).toFixed(1)} MB installed`);
  return place;
}

const readmeOf = (place: string, name: string) => join(place, "node_modules", "@project-feedback", name, "README.md");

const anyPort = () => String(20_000 + Math.floor(Math.random() * 10_000));

/** Stops a server as Ctrl-C does: the signal goes to every process of its group, also to npx, whose end says nothing. */
async function stop({ pid, ended }: Running): Promise<void> {
  process.kill(-pid, "SIGINT");
  const { stdout, stderr } = await ended;
  if (!stdout.includes('"msg":"stopped"'))
    throw new Error(`The server did not stop as it should:\n${stdout}\n${stderr}`);
}

async function until(isDone: () => boolean, what: string, server?: Running): Promise<void> {
  let ended = false;
  void server?.ended.then(() => (ended = true));
  for (const timeoutAt = Date.now() + 90_000; !isDone(); await sleep(100)) {
    if (ended || Date.now() > timeoutAt)
      throw new Error(`${what}: ${ended ? JSON.stringify(await server?.ended) : "late"}`);
  }
}

/** The README of the server: its start, its request, and its commands while it runs. */
async function tryServer(node: NodeVersion): Promise<{ place: string; server: Running; keys: Record<string, string> }> {
  const place = await install("server", node);
  const [first, request, commands] = blocksOf(readmeOf(place, "server"));
  if (!first || !request || !commands) throw new Error("The server's README has lost a block of code.");
  const server = start(first.text, place, node.environment);
  const keyFile = join(place, ".data", "demo-keys.env");
  await until(
    () => existsSync(keyFile) && readFileSync(keyFile, "utf8").includes("TESTER"),
    "The server starts",
    server,
  );
  const created = await paste(request.text, place, node.environment);
  if (!created.includes('"title":"Pocket Garden"')) throw new Error(`The request was answered: ${created}`);
  // An id stands for the one that the command before it printed.
  let account = "";
  for (const command of commands.text.trim().split("\n")) {
    const printed = await paste(command.replace("acc_…", account), place, node.environment);
    account = /acc_\w+/.exec(printed)?.[0] ?? account;
  }
  const keys = Object.fromEntries(
    readFileSync(keyFile, "utf8")
      .trim()
      .split("\n")
      .map((line) => line.split("=") as [string, string]),
  );
  return { place, server, keys };
}

/** Every program in the README of the client. */
async function tryClient(node: NodeVersion, keys: Record<string, string>): Promise<void> {
  const place = await install("client", node);
  const environment = {
    ...node.environment,
    PROJECT_FEEDBACK_URL: keys.BASE,
    PROJECT_FEEDBACK_KEY: keys.DEVELOPER,
    PROJECT_FEEDBACK_TESTER_KEY: keys.TESTER,
  };
  const programs = blocksOf(readmeOf(place, "client")).filter(({ language }) => language === "ts");
  if (programs.length < 3) throw new Error("The client's README has lost its programs.");
  for (const [index, { text }] of programs.entries()) {
    writeFileSync(join(place, `${index}.mjs`), text);
    await paste(`node ${index}.mjs`, place, environment);
  }
}

/** The README of the suite: its first command, with the address and keys of the server, and its own start of a server. */
async function tryConformance(node: NodeVersion, keys: Record<string, string>): Promise<void> {
  const place = await install("conformance", node);
  const [first, own] = blocksOf(readmeOf(place, "conformance"));
  const command = first?.text
    .replace("https://host/v1", keys.BASE ?? "")
    .replace("--developer-key …", `--developer-key ${keys.DEVELOPER}`)
    .replace("--tester-key …", `--tester-key ${keys.TESTER}`);
  const printed = await paste(command ?? "", place, node.environment);
  if (!/\bconforms\b/.test(printed)) throw new Error(`The server does not conform:\n${printed}`);
  await paste(`npm install ${tarballs.get("server")}`, place, node.environment);
  const { pid, ended } = start(`set -e\n${own?.text}`, place, { ...node.environment, PORT: anyPort() });
  const { code, stdout, stderr } = await ended;
  // The server that the script has left running.
  process.kill(-pid, "SIGTERM");
  if (code !== 0) throw new Error(`The README of the suite ends with code ${code}:\n${stdout}\n${stderr}`);
}

/** The start of an installed server in a namespace that has no network but its own loopback. */
async function tryOffline(place: string, node: NodeVersion): Promise<void> {
  const script = `ip link set lo up && exec node_modules/.bin/project-feedback serve`;
  const ready = join(place, "offline.log");
  const server = start(`exec unshare --net --map-root-user bash -c '${script}' > offline.log`, place, {
    ...node.environment,
    PORT: "0",
  });
  await until(() => existsSync(ready) && readFileSync(ready, "utf8").includes('"listening"'), "Offline", server);
  process.kill(-server.pid, "SIGTERM");
  const { code, stderr } = await server.ended;
  if (code !== 0) throw new Error(`The server without a network ended with code ${code}: ${stderr}`);
}

try {
  for (const version of nodeVersions) {
    log(`Node ${version}`);
    const node = await installNode(version, folder);
    // The READMEs name the default port. Another server on it is not stopped for this.
    const own = { ...node, environment: { ...node.environment, PORT: anyPort() } };
    const { place, server, keys } = await tryServer(own);
    try {
      await tryClient(own, keys);
      await tryConformance(own, keys);
    } finally {
      await stop(server);
    }
    await tryOffline(place, own);
    log("  The READMEs hold, and the server starts without a network.");
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
