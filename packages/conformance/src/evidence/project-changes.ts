import { type Json, succeeded } from "../engine/assertions.ts";
import { type Evidence, evidence } from "../engine/check.ts";
import type { Exchange } from "../engine/exchange.ts";
import { creations, type Made, projectAt, projectPath, projects } from "./projects.ts";
import { type Attempt, withoutKey } from "./strangers.ts";
import { wordFor } from "./texts.ts";

export interface Patches {
  readonly project: Made;
  readonly before: Exchange;
  /** The same change sent without a valid key, and the record after it. */
  readonly strangers: Attempt;
  readonly untouched: Exchange;
  readonly title: { readonly sent: Json; readonly answer: Exchange; readonly after: Exchange };
  readonly description: { readonly sent: Json; readonly answer: Exchange; readonly after: Exchange };
}

/** The third project, changed by strangers in vain and then by its owner: the title alone, the description alone. */
export const patches: Evidence<Patches> = evidence({
  name: "a project being changed",
  needs: [projects, creations],
  cost: { developer: 6, nobody: 2 },
  writes: true,
  async gather(context) {
    const project = await projectAt(context, 2);
    const at = projectPath(project.id);
    const read = () => context.send("developer", "GET", at);
    const change = async (sent: Json) => {
      const answer = await context.send("developer", "PATCH", at, { body: sent });
      return { sent, answer, after: await read() };
    };
    const sent = { title: `${context.run} orchard planner, renamed` };
    const before = await read();
    const strangers = await withoutKey(context, "PATCH", at, { body: sent });
    const untouched = await read();
    const title = await change(sent);
    const description = await change({ description: `${context.run} now plans orchards & hedges, rückwärts` });
    return { project, before, strangers, untouched, title, description };
  },
});

export interface Deletion {
  readonly project: Made;
  readonly strangers: Attempt;
  /** The record before it is deleted, which is also after the strangers' attempt. */
  readonly before: Exchange;
  readonly answer: Exchange;
  readonly readAgain: Exchange;
  readonly readByTester: Exchange;
  readonly listed: Exchange;
  readonly listedByCategory: Exchange;
}

/** The fourth project, deleted by strangers in vain and then by its owner. */
export const deletion: Evidence<Deletion> = evidence({
  name: "a project being deleted",
  needs: [projects, creations],
  // The deletion itself is counted where the project is made.
  cost: { developer: 4, tester: 1, nobody: 2 },
  writes: true,
  async gather(context) {
    const project = await projectAt(context, 3);
    const at = projectPath(project.id);
    const strangers = await withoutKey(context, "DELETE", at);
    const before = await context.send("developer", "GET", at);
    const answer = await context.send("developer", "DELETE", at);
    const readAgain = await context.send("developer", "GET", at);
    const readByTester = await context.send("tester", "GET", at);
    const listed = await context.send("developer", "GET", "/projects", {
      query: { search: context.run, page: 1, perPage: 50 },
    });
    const query = { category: "other", search: context.run, page: 1, perPage: 50 };
    const listedByCategory = await context.send("developer", "GET", "/projects", { query });
    if (succeeded(answer) && !succeeded(readAgain)) context.gone(project.id);
    return { project, strangers, before, answer, readAgain, readByTester, listed, listedByCategory };
  },
});

/** A creation tried without a valid key, and the search for what it would have made. */
export const strangersProject: Evidence<{ attempt: Attempt; found: Exchange }> = evidence({
  name: "a project being created without a valid key",
  needs: [creations],
  cost: { developer: 1, nobody: 2 },
  writes: true,
  async gather(context) {
    const [{ sent } = { sent: {} }] = await context.use(creations);
    const word = wordFor(context.run, "stranger");
    const body = { ...sent, title: `${context.run} ${word}`, description: `${context.run} ${word}` };
    const attempt = await withoutKey(context, "POST", "/projects", { body }, (send) =>
      context.make("project", "developer", send),
    );
    return {
      attempt,
      found: await context.send("developer", "GET", "/projects", { query: { search: word, page: 1, perPage: 50 } }),
    };
  },
});
