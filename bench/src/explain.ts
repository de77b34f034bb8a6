// `pnpm bench:costs`: what each operation reads and writes at several sizes, as MongoDB's `explain` reports it.

import { fileURLToPath } from "node:url";
import type { OperationId } from "@project-feedback/server/contract";
import { everybody } from "@project-feedback/server/domain/project";
import { digestOf } from "@project-feedback/server/domain/secret";
import type { Database } from "@project-feedback/server/store/database";
import { KeyRepository } from "@project-feedback/server/store/key-repository";
import { Command, Option } from "commander";
import type { CommandStartedEvent, Document } from "mongodb";
import { type Mongod, openMongod, openSeeded } from "./database.ts";
import { createExecutor, type Executor, type Input, principalOf } from "./executor.ts";
import { listOf, size } from "./flags.ts";
import { markdown } from "./markdown.ts";
import { writeSection } from "./marked-section.ts";
import { runProgram } from "./run-program.ts";
import { callerKeys, matches, rareWords } from "./seed.ts";
import { measureWrites, type Written } from "./writes.ts";

interface Flags {
  readonly sizes: number[];
  readonly write: boolean;
}

/** Index keys and documents that MongoDB examined. */
interface Cost {
  readonly keys: number;
  readonly docs: number;
}

/** A read to explain. With `only`, other collections do not count. */
interface Read {
  readonly name: string;
  readonly only?: readonly string[];
  perform(): Promise<unknown>;
}

const scalingPage = fileURLToPath(new URL("../../docs/scaling.md", import.meta.url));
/** Records before a page by cursor; half of all where there are fewer. */
const cursorDepth = 50_000;
const log = (line: string) => console.error(line);
const figure = (value: number) => value.toLocaleString("en");

const program = new Command("bench:costs")
  .description("Explains what each operation reads and writes, and prints it as Markdown.")
  .addOption(
    new Option("--sizes <numbers>", "numbers of projects; missing databases are made, a million projects in minutes")
      .argParser(listOf(size))
      .default([1_000, 100_000, 1_000_000], "1000,100000,1000000"),
  )
  .option("--write", "also write it into docs/scaling.md", false)
  .action((flags: Flags) => explainAll(flags));

async function explainAll({ sizes, write }: Flags): Promise<void> {
  const mongod = await openMongod(log);
  try {
    const columns: ReadonlyMap<string, Cost>[] = [];
    for (const size of sizes) columns.push(await measureReads(mongod, size));
    const tables = [
      `Read, with \`explain\` of MongoDB ${mongod.version}; made by \`pnpm bench:costs\`:`,
      readTable(sizes, columns),
      "Written, at any size:",
      writeTable(await measureWrites(withDatabase(mongod.uriOf(0), "bench_writes"))),
    ].join("\n\n");
    console.log(tables);
    if (!write) return;
    writeSection(scalingPage, "costs", tables);
    log(`Written into ${scalingPage}.`);
  } finally {
    await mongod.stop();
  }
}

async function measureReads(mongod: Mongod, projects: number): Promise<ReadonlyMap<string, Cost>> {
  const database = await openSeeded(mongod, projects, log, { monitorCommands: true });
  try {
    const costs = new Map<string, Cost>();
    for (const read of await readsOf(database)) costs.set(read.name, await costOf(database, read));
    return costs;
  } finally {
    await database.client.close();
  }
}

/** Every read, by the code that serves requests. */
async function readsOf(database: Database): Promise<Read[]> {
  const execute = createExecutor(database);
  const keys = new KeyRepository(database);
  const busy = await database.projects.findOne({ "counts.submitted": { $gt: 0 } }, { sort: { _id: 1 } });
  const feedback = busy && (await database.feedback.findOne({ projectId: busy._id, status: "approved" }));
  if (!busy || !feedback) throw new Error("the database has no feedback");
  const [caller, developer] = [principalOf("acc_k0", "tester"), principalOf("acc_0", "developer")];
  const read = (name: string, id: OperationId, request: Partial<Input>, only?: readonly string[]): Read => ({
    name,
    perform: () => execute(id, { caller, ...request }),
    ...(only && { only }),
  });
  const list = (name: string, query: object, by = caller, only?: readonly string[]) =>
    read(name, "listProjects", { query: { ...query }, caller: by }, only);
  const ofProject = (name: string, query: object, only?: readonly string[]) =>
    read(name, "listFeedback", { path: { projectId: busy._id }, query: { ...query } }, only);
  const mine = (name: string, query: object) =>
    read(name, "listMyFeedback", { query: { ...query }, caller: principalOf(feedback.testerId, "tester") });
  const [word = ""] = rareWords;
  const [key = ""] = callerKeys().testers.map((each) => each.key);
  const filtered = { status: "active", category: "web" };
  const several = { status: "active,completed" };
  const byUpdate = { sort: "updated", order: "asc" };
  return [
    { name: "key → account (each 3 s, not each request)", perform: () => keys.findLive([digestOf(key)]) },
    read("project detail", "getProject", { path: { id: busy._id } }),
    list("project list by status and category, tester", filtered),
    list("project list by status and category, developer with drafts", filtered, developer),
    list("project list without filter, tester", {}),
    list("project list without filter, developer with drafts", {}, developer),
    list("— of these, the total: projectTallies of 2 audiences ¹", {}, developer, ["projectTallies"]),
    list("project list, page 50 of 10 each", { page: 50, perPage: 10 }),
    list("project list, page 1,000 of 20 each", { page: 1_000, perPage: 20 }),
    ...(await cursorReads(execute, caller)),
    list("project list by status of two, category, sort=updated, order=asc", { ...filtered, ...several, ...byUpdate }),
    list("project list by sort=title, order=asc", { sort: "title", order: "asc" }),
    list("project list of owner=me", { owner: "me" }, developer),
    list("project list of owner=me by sort=title, two statuses", { owner: "me", sort: "title", ...several }, developer),
    list(`project list by updatedAfter, ${matches} matches`, { updatedAfter: await timeBeforeLast(database, matches) }),
    list("project list by updatedAfter, all match", { updatedAfter: new Date(0).toISOString() }),
    list(`search of a word with ${matches} matches`, { search: word }),
    list("search of a common word, “plan”", { search: "plan" }),
    list("search of “plan” with status and category", { search: "plan", ...filtered }),
    list("search of “plan” and a rare longer word", { search: `plan ${word}` }),
    read("feedback detail", "getFeedback", { path: { id: feedback._id } }),
    ofProject("feedback list by date", { sort: "date" }),
    ofProject("feedback list by rating", { sort: "rating" }),
    ofProject("feedback list by helpful", { sort: "helpful" }),
    ofProject("feedback list by date, approved", { sort: "date", status: "approved" }),
    ofProject("feedback list by sort=updated, order=asc, two statuses", { ...byUpdate, status: "submitted,approved" }),
    ofProject("feedback list by updatedAfter, all match", { updatedAfter: new Date(0).toISOString() }),
    mine("feedback of one's own", {}),
    mine("feedback of one's own by sort=updated, order=asc, two statuses", { ...byUpdate, status: "draft,approved" }),
    mine("feedback of one's own by updatedAfter, all match", { updatedAfter: new Date(0).toISOString() }),
    ofProject("feedback list by date, of one tester", { sort: "date", testerId: feedback.testerId }),
    ofProject("— of these, the total: the project and testerTallies", {}, ["projects", "testerTallies"]),
  ];
}

/** Pages by cursor, as deep as the numbered page that they follow. */
async function cursorReads(execute: Executor, caller: Input["caller"]): Promise<Read[]> {
  const lists = { "": {}, " by sort=updated": { sort: "updated" }, " by sort=title": { sort: "title" } };
  const reads = Object.entries(lists).map(async ([name, query]): Promise<Read> => {
    const { pagination } = JSON.parse((await execute("listProjects", { caller, query })).body);
    const page = Math.min(cursorDepth / 20, Math.floor(pagination.total / 40));
    const { headers } = await execute("listProjects", { caller, query: { ...query, page, perPage: 20 } });
    const [, cursor] = /[?&]cursor=([\w-]+)[^>]*>; rel="next"/.exec(headers.Link ?? "") ?? [];
    if (!cursor) throw new Error(`page ${page} of the list${name} names no next one`);
    return {
      name: `project list${name}, by cursor at depth ${figure(cursorDepth)} ²`,
      perform: () => execute("listProjects", { caller, query: { ...query, cursor } }),
    };
  });
  return Promise.all(reads);
}

/** The time after which so many public projects were changed. */
async function timeBeforeLast(database: Database, count: number): Promise<string> {
  const [project] = await database.projects
    .find({ audience: everybody }, { sort: { updatedAt: -1 }, skip: count, limit: 1 })
    .toArray();
  if (!project) throw new Error("the database has too few projects");
  return project.updatedAt.toISOString();
}

/** Performs a read, and explains every command that it sent. */
async function costOf({ client, db }: Database, { name, perform, only }: Read): Promise<Cost> {
  const commands: Document[] = [];
  const record = ({ commandName, command }: CommandStartedEvent) => {
    if (commandName === "find" || commandName === "aggregate") commands.push(command);
  };
  client.on("commandStarted", record);
  await perform();
  client.off("commandStarted", record);
  if (commands.length === 0) throw new Error(`no command was seen of: ${name}`);
  let [keys, docs] = [0, 0];
  for (const command of commands) {
    const collection: string = command.find ?? command.aggregate;
    if (only && !only.includes(collection)) continue;
    const own = Object.entries(command).filter(([name]) => !/^(\$|lsid$|txnNumber$|readConcern$)/.test(name));
    const explained = await db.command({ explain: Object.fromEntries(own), verbosity: "executionStats" });
    const { executionStats } = explained.stages?.[0]?.$cursor ?? explained;
    keys += executionStats.totalKeysExamined;
    docs += executionStats.totalDocsExamined;
  }
  return { keys, docs };
}

function readTable(sizes: readonly number[], columns: readonly ReadonlyMap<string, Cost>[]): string {
  const head = ["operation", ...sizes.flatMap((size) => [`keys at ${figure(size)}`, `docs at ${figure(size)}`])];
  const names = [...(columns[0]?.keys() ?? [])];
  const cells = (name: string) =>
    columns.flatMap((costs) => [figure(costs.get(name)?.keys ?? 0), figure(costs.get(name)?.docs ?? 0)]);
  return markdown(
    head,
    names.map((name) => [name, ...cells(name)]),
  );
}

function writeTable(written: readonly Written[]): string {
  const body = written.map(({ name, documents, entries }) => {
    const number = [...documents.values()].reduce((sum, each) => sum + each, 0);
    const places = [...documents].map(([collection, each]) => (each === 1 ? collection : `${collection} ${each}`));
    return [name, figure(number), figure(entries), places.join(", ")];
  });
  return markdown(["operation", "documents", "index entries", "in"], body);
}

function withDatabase(address: string, name: string): string {
  const uri = new URL(address);
  uri.pathname = `/${name}`;
  return uri.href;
}

await runProgram(program);
