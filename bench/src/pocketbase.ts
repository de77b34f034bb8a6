// PocketBase, built with Go and filled with the same rows.

import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import type { Database } from "@project-feedback/server/store/database";
import { dataFolder } from "./database.ts";
import { generation } from "./seed.ts";
import type { DataLocation } from "./servers.ts";

const source = fileURLToPath(new URL("../pocketbase/", import.meta.url));

const leastGo = [1, 26] as const;

/** The `go` command; undefined where there is none that is new enough for PocketBase. */
export function findGo(): string | undefined {
  const go = process.env.GO ?? "go";
  const { stdout } = spawnSync(go, ["version"], { encoding: "utf8" });
  const [, major, minor] = /go(\d+)\.(\d+)/.exec(stdout ?? "") ?? [];
  const isNew = Number(major) > leastGo[0] || (Number(major) === leastGo[0] && Number(minor) >= leastGo[1]);
  return isNew ? go : undefined;
}

/** Builds PocketBase and fills a folder of its own with the rows of a seeded database. */
export async function preparePocketBase(
  go: string,
  database: Database,
  projects: number,
  log: (line: string) => void,
): Promise<DataLocation["pocketbase"]> {
  const binary = join(dataFolder, "pocketbase", "pocketbase");
  log("Building PocketBase.");
  execFileSync(go, ["build", "-o", binary, "."], { cwd: source, stdio: "inherit" });
  const dir = join(dataFolder, "pocketbase", String(projects));
  const stamp = join(dir, `seeded-${generation}`);
  if (existsSync(stamp)) {
    cleanPocketBase(dir);
    return { binary, dir };
  }
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir, { recursive: true });
  const seeding = spawn(binary, ["seed", `--dir=${dir}`], { stdio: ["pipe", "inherit", "inherit"] });
  const ended = once(seeding, "close");
  await pipeline(Readable.from(linesOf(database)), seeding.stdin);
  const [code] = await ended;
  if (code !== 0) throw new Error(`PocketBase could not be filled: it ended with ${code}.`);
  writeFileSync(stamp, "");
  return { binary, dir };
}

/** Removes what PocketBase wrote since it was filled. */
export function cleanPocketBase(dir: string): void {
  const rows = new DatabaseSync(join(dir, "data.db"), { timeout: 10_000 });
  // Seeded ids count from 0; ids that PocketBase makes are random.
  rows.exec(`DELETE FROM projects WHERE id > 'prj_0000000001'; DELETE FROM feedback WHERE id > 'fb_0000000001'`);
  rows.close();
}

/** Every project and all feedback, as NDJSON. */
async function* linesOf({ projects, feedback }: Database): AsyncGenerator<string> {
  for await (const { _id, words: _words, audience: _audience, ...project } of projects.find()) {
    yield `${JSON.stringify({ kind: "project", id: _id, ...project })}\n`;
  }
  for await (const { _id, bucket: _bucket, ...rest } of feedback.find()) {
    yield `${JSON.stringify({ kind: "feedback", id: _id, ...rest })}\n`;
  }
}
