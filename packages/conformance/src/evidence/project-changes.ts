import { type Evidence, evidence } from "../engine/check.ts";
import type { Exchange } from "../engine/exchange.ts";
import { type Json, succeeded } from "../engine/judge.ts";
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
  async gather(stage) {
    const project = await projectAt(stage, 2);
    const at = projectPath(project.id);
    const read = () => stage.send("developer", "GET", at);
    const change = async (sent: Json) => {
      const answer = await stage.send("developer", "PATCH", at, { body: sent });
      return { sent, answer, after: await read() };
    };
    const sent = { title: `${stage.run} orchard planner, renamed` };
    const before = await read();
    const strangers = await withoutKey(stage, "PATCH", at, { body: sent });
    const untouched = await read();
    const title = await change(sent);
    const description = await change({ description: `${stage.run} now plans orchards & hedges, rückwärts` });
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
  async gather(stage) {
    const project = await projectAt(stage, 3);
    const at = projectPath(project.id);
    const strangers = await withoutKey(stage, "DELETE", at);
    const before = await stage.send("developer", "GET", at);
    const answer = await stage.send("developer", "DELETE", at);
    const readAgain = await stage.send("developer", "GET", at);
    const readByTester = await stage.send("tester", "GET", at);
    const listed = await stage.send("developer", "GET", "/projects", {
      query: { search: stage.run, page: 1, perPage: 50 },
    });
    const query = { category: "other", search: stage.run, page: 1, perPage: 50 };
    const listedByCategory = await stage.send("developer", "GET", "/projects", { query });
    if (succeeded(answer) && !succeeded(readAgain)) stage.gone(project.id);
    return { project, strangers, before, answer, readAgain, readByTester, listed, listedByCategory };
  },
});

/** A creation tried without a valid key, and the search for what it would have made. */
export const strangersProject: Evidence<{ attempt: Attempt; found: Exchange }> = evidence({
  name: "a project being created without a valid key",
  needs: [creations],
  cost: { developer: 1, nobody: 2 },
  writes: true,
  async gather(stage) {
    const [{ sent } = { sent: {} }] = await stage.use(creations);
    const word = wordFor(stage.run, "stranger");
    const body = { ...sent, title: `${stage.run} ${word}`, description: `${stage.run} ${word}` };
    const attempt = await withoutKey(stage, "POST", "/projects", { body }, (send) =>
      stage.make("project", "developer", send),
    );
    return {
      attempt,
      found: await stage.send("developer", "GET", "/projects", { query: { search: word, page: 1, perPage: 50 } }),
    };
  },
});
