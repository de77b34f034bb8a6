import { type Json, succeeded } from "../engine/assertions.ts";
import { type Context, type Evidence, evidence } from "../engine/check.ts";
import type { Exchange } from "../engine/exchange.ts";
import { detailByOwner, firstFeedback, firstSubmission, reader, readFeedback } from "./feedback.ts";
import { Inputs, wordFor } from "./inputs.ts";
import { fieldsOf } from "./lists.ts";
import {
  type Created,
  createdId,
  createProject,
  creations,
  details,
  projectFor,
  projectPath,
  projects,
  usualSettling,
} from "./projects.ts";
import { type Unauthenticated, withoutKey } from "./without-key.ts";

/** A change that was sent, and the record after it. */
export interface Change {
  readonly sent: Json;
  readonly answer: Exchange;
  readonly after: Exchange;
}

export interface ProjectChanges {
  readonly project: Created;
  readonly before: Exchange;
  /** The same change sent without a valid key, and the record after it. */
  readonly withoutKey: Unauthenticated;
  readonly untouched: Exchange;
  /** Changes that must be accepted, in order. */
  readonly usual: readonly Change[];
  /** Changes to texts that a server may refuse. */
  readonly unusual: readonly Change[];
  /** Lists after the changes: the run's projects, and a search for a word of the new title. */
  readonly lists: readonly Exchange[];
  /** The word that only the new title has. */
  readonly word: string;
  /** Another project after the changes, where there is one. */
  readonly other: Exchange | undefined;
  /** The changed project, read by the tester. */
  readonly byTester: Exchange | undefined;
}

/** The third project, changed without a valid key in vain and then by its owner. */
export const projectChanges: Evidence<ProjectChanges> = evidence({
  name: "a project being changed",
  needs: [projects, creations, details.main],
  cost: { developer: 8, nobody: 2 },
  optional: { quick: { developer: 5, tester: 2 }, full: { developer: 14, tester: 3 } },
  writes: true,
  async gather(context) {
    const inputs = new Inputs(context);
    const project = await projectFor(context, "changed");
    const main = await projectFor(context, "main");
    const at = projectPath(project.id);
    const read = () => context.send("developer", "GET", at);
    const patch = (sent: Json) => context.send("developer", "PATCH", at, { body: sent });
    const change = async (sent: Json): Promise<Change> => ({ sent, answer: await patch(sent), after: await read() });
    const list = (holder: "developer" | "tester", search: string) =>
      context.send(holder, "GET", "/projects", { query: { search, page: 1, perPage: 50 } });
    const word = wordFor(context.run, "renamed");
    const sent = { title: `${context.run} ${word}`.slice(0, context.options.limits?.title?.max ?? 40) };
    const described = { description: inputs.project(7).description };
    const before = await read();
    const attempt = await withoutKey(context, "PATCH", at, { body: sent });
    const untouched = await read();
    const usual = [await change(sent), await change(described)];
    const lists = [await list("developer", context.run)];
    const optional = async (work: () => Promise<void>) => {
      if (context.affords("developer", 2)) await work();
    };
    await optional(async () => void lists.push(await list("developer", word)));
    const unusual: Change[] = [];
    const both = { title: inputs.special("title"), description: inputs.special("description") };
    await optional(async () => void unusual.push(await change(both)));
    await optional(async () => void unusual.push(await change({ description: inputs.long("description") })));
    if (context.depth === "full") {
      await optional(async () => void unusual.push(await change({ title: inputs.long("title") })));
      // Two changes in a row: each counts.
      await optional(async () => {
        await patch(sent);
        unusual.push(await change({ ...sent, ...described }));
      });
      await optional(async () => void lists.push(await list("developer", context.run)));
    }
    if (context.affords("tester")) lists.push(await list("tester", context.run));
    const byTester = context.affords("tester") ? await context.send("tester", "GET", at) : undefined;
    const apart = main.id !== project.id;
    const other = apart ? await context.send("developer", "GET", projectPath(main.id)) : undefined;
    return { project, before, withoutKey: attempt, untouched, usual, unusual, lists, word, other, byTester };
  },
});

/**
 * A new project, given time for its status to settle and then changed. Shows whether a change moves the status, where
 * a status was seen to differ.
 */
export const settledChange: Evidence<{ readonly before: Exchange; readonly after: Exchange } | undefined> = evidence({
  name: "a settled project being changed",
  needs: [],
  cost: {},
  optional: { quick: { developer: 5 }, full: { developer: 5 } },
  writes: true,
  async gather(context) {
    const inputs = new Inputs(context);
    if (!context.affords("developer", 5) || context.options.limits?.projects !== undefined) return undefined;
    const { answer } = await createProject(context, inputs.project(8));
    const at = projectPath(createdId(answer, "Creating a project"));
    const { patch } = context.options.project ?? {};
    if (patch) await context.send("developer", "PATCH", at, { body: patch });
    await context.pause(Math.max(usualSettling, context.options.settle ?? 0));
    const before = await context.send("developer", "GET", at);
    await context.send("developer", "PATCH", at, { body: { title: inputs.project(9).title } });
    return { before, after: await context.send("developer", "GET", at) };
  },
});

export interface Deletion {
  readonly project: Created;
  readonly withoutKey: Unauthenticated;
  /** The record before it is deleted, which is also after the attempts without a valid key. */
  readonly before: Exchange;
  readonly beforeByTester: Exchange;
  readonly answer: Exchange;
  readonly readAgain: Exchange;
  readonly readByTester: Exchange;
  /** Lists after the deletion, by both keys, with and without filters. */
  readonly lists: readonly Exchange[];
}

/** The fourth project, deleted without a valid key in vain and then by its owner. */
export const deletion: Evidence<Deletion> = evidence({
  name: "a project being deleted",
  needs: [projects, creations],
  // The deletion itself is counted where the project is created.
  cost: { developer: 5, tester: 3, nobody: 2 },
  optional: { quick: { developer: 3, tester: 2 }, full: { developer: 10, tester: 8 } },
  writes: true,
  async gather(context) {
    const project = await projectFor(context, "deleted");
    const at = projectPath(project.id);
    const attempt = await withoutKey(context, "DELETE", at);
    const before = await context.send("developer", "GET", at);
    const beforeByTester = await context.send("tester", "GET", at);
    const { category } = project.sent;
    const status = fieldsOf(before.json).status;
    const kind = String(category);
    const state = String(status ?? "active");
    const answer = await context.send("developer", "DELETE", at);
    const readAgain = await context.send("developer", "GET", at);
    const readByTester = await context.send("tester", "GET", at);
    const lists: Exchange[] = [];
    const ask = async (holder: "developer" | "tester", query: Readonly<Record<string, string | number>>) => {
      if (context.affords(holder)) lists.push(await context.send(holder, "GET", "/projects", { query }));
    };
    const own = { search: context.run, page: 1, perPage: 50 };
    lists.push(await context.send("developer", "GET", "/projects", { query: own }));
    lists.push(await context.send("tester", "GET", "/projects", { query: own }));
    lists.push(await context.send("developer", "GET", "/projects", { query: { category: kind, ...own } }));
    await ask("developer", { ...own, status: state });
    await ask("tester", { perPage: 100 });
    await ask("developer", { perPage: 100 });
    await ask("tester", { category: kind });
    if (context.depth === "full") {
      for (const holder of ["developer", "tester"] as const) {
        await ask(holder, { status: state });
        await ask(holder, { category: kind, perPage: 100 });
        await ask(holder, { search: context.run });
        await ask(holder, { status: state, category: kind });
        await ask(holder, { ...own, status: state, category: kind });
      }
    }
    if (succeeded(answer) && !succeeded(readAgain)) context.gone(project.id);
    return { project, withoutKey: attempt, before, beforeByTester, answer, readAgain, readByTester, lists };
  },
});

/** Another project and its feedback, before and after the deletion. */
export const survivors: Evidence<readonly { readonly before: Exchange; readonly after: Exchange }[]> = evidence({
  name: "what a deletion must leave",
  needs: [projects, creations, firstSubmission, firstFeedback, reader, detailByOwner, deletion, details.main],
  cost: { developer: 1 },
  reads: 1,
  writes: true,
  async gather(context) {
    await context.use(deletion);
    const main = await projectFor(context, "main");
    const deleted = await projectFor(context, "deleted");
    if (main.id === deleted.id) return [];
    const { id } = await context.use(firstFeedback);
    return [
      {
        before: await context.use(details.main),
        after: await context.send("developer", "GET", projectPath(main.id)),
      },
      { before: await context.use(detailByOwner), after: await readFeedback(context, id) },
    ];
  },
});

/** A creation tried without a valid key, and the search for what it would have created. */
export const creationWithoutKey: Evidence<{ readonly attempt: Unauthenticated; readonly found: Exchange }> = evidence({
  name: "a project being created without a valid key",
  needs: [creations],
  cost: { developer: 1, nobody: 2 },
  writes: true,
  async gather(context) {
    const [{ sent } = { sent: {} }] = await context.use(creations);
    const word = wordFor(context.run, "stranger");
    const body = { ...sent, title: word, description: new Inputs(context).project(6).description };
    const attempt = await withoutKey(context, "POST", "/projects", { body }, (send) =>
      context.make("project", "developer", send),
    );
    const found = await context.send("developer", "GET", "/projects", {
      query: { search: word, page: 1, perPage: 50 },
    });
    return { attempt, found };
  },
});

/** The details of the main project once feedback is on it, read by both keys. */
export const laterDetails: Evidence<readonly Exchange[]> = evidence({
  name: "the detail of a project with feedback",
  needs: [projects, creations, firstSubmission],
  cost: { developer: 1, tester: 1 },
  writes: true,
  async gather(context: Context) {
    await context.use(firstSubmission);
    const at = projectPath(context.options.project?.open ?? (await projectFor(context, "main")).id);
    return [await context.send("developer", "GET", at), await context.send("tester", "GET", at)];
  },
});
