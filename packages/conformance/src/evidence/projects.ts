import { isRecord, type Json, requireSuccess, succeeded } from "../engine/assertions.ts";
import { type Context, type Evidence, evidence } from "../engine/check.ts";
import { type Exchange, summary } from "../engine/exchange.ts";
import { SetupError, Unmet } from "../engine/outcome.ts";
import { Inputs } from "./inputs.ts";
import { fieldsOf, idOf, idsOf, itemsOf } from "./lists.ts";
import { categories } from "./vocabulary.ts";

/** A record that was created, with what was sent. */
export interface Created {
  readonly id: string;
  readonly sent: Json;
  readonly answer: Exchange;
}

export const projectPath = (id: string) => `/projects/${encodeURIComponent(id)}`;

/** Seconds after which statuses are taken as settled where the deployment declares nothing. */
export const usualSettling = 2.5;

/** The id that a response gives, as text. @throws Unmet where it gives none */
export function createdId(answer: Exchange, what: string): string {
  requireSuccess(answer, what);
  const id = isRecord(answer.json) ? answer.json.id : undefined;
  if ((typeof id !== "string" && typeof id !== "number") || id === "")
    throw new Unmet(`${what}: ${summary(answer)} gives no id.`, answer);
  return String(id);
}

/**
 * Tells swapped keys from a server that refuses creations: the tester's key is asked to create nothing at all, which is
 * refused to testers for their role, and to developers for its content.
 *
 * @throws SetupError where the keys are swapped; nothing is created then
 */
async function requireDeveloper(context: Context): Promise<void> {
  const send = () => context.send("tester", "POST", "/projects", { body: {} });
  const { status } = await context.make("project", "tester", send);
  if (status === 403 || status === 401 || status >= 500) return;
  throw new SetupError(
    "The developer's key may not create projects (403) and the tester's key may: they seem to be swapped. Exchange the two keys.",
  );
}

/** The creation of one project. */
export async function createProject(context: Context, body: Json): Promise<{ sent: Json; answer: Exchange }> {
  const sent = { ...body, ...context.options.project?.fields };
  const answer = await context.make("project", "developer", () =>
    context.send("developer", "POST", "/projects", { body: sent }),
  );
  return { sent, answer };
}

/** Creations of one project for each category, as far as the account may have projects at the same time. */
export const creations: Evidence<{ sent: Json; answer: Exchange }[]> = evidence({
  name: "four projects being created",
  needs: [],
  cost: { developer: 8 },
  optional: { quick: { developer: 1 }, full: { developer: 2 } },
  writes: true,
  async gather(context) {
    const inputs = new Inputs(context);
    const all = [];
    for (const n of [...categories.keys()].slice(0, inputs.projects)) {
      const plain = inputs.project(n);
      // The last one tries texts that careless servers change. A server may refuse them, but not change them.
      const last = n === Math.min(categories.length, inputs.projects) - 1 && n > 1 && context.affords("developer");
      const special = { ...plain, title: inputs.special("title"), description: inputs.special("description") };
      const long = { ...special, description: inputs.long("description") };
      let first = await createProject(context, last ? (context.depth === "full" ? long : special) : plain);
      if (last && context.depth === "full" && !succeeded(first.answer)) first = await createProject(context, special);
      if (n === 0 && first.answer.status === 403) await requireDeveloper(context);
      all.push(last && !succeeded(first.answer) ? await createProject(context, plain) : first);
    }
    return all;
  },
});

/** The projects that could be created, ready to accept feedback as far as the configuration says how. */
export const projects: Evidence<(Created | undefined)[]> = evidence({
  name: "a project of the run",
  needs: [creations],
  cost: {},
  optional: { quick: { developer: 4 }, full: { developer: 4 } },
  writes: true,
  async gather(context) {
    const created = (await context.use(creations)).map(({ sent, answer }) =>
      succeeded(answer) ? { id: createdId(answer, "Creating a project"), sent, answer } : undefined,
    );
    const patch = context.options.project?.patch;
    for (const one of patch ? created : []) {
      if (one) await context.send("developer", "PATCH", projectPath(one.id), { body: patch });
    }
    if (context.options.settle) await context.pause(context.options.settle);
    return created;
  },
});

/** The part that a project plays in a run; one project plays several where the account may have fewer than four. */
export type Part = "main" | "second" | "changed" | "deleted";
const parts: readonly Part[] = ["main", "second", "changed", "deleted"];

/** The project of a part. @throws Unmet where it could not be created */
export async function projectFor(context: Context, part: Part): Promise<Created> {
  const all = await context.use(projects);
  const turn = Math.min(parts.indexOf(part), all.length - 1);
  const wanted = all[turn];
  if (wanted) return wanted;
  const answer = (await context.use(creations))[turn]?.answer;
  throw new Unmet(`Creating a project failed${answer ? `: ${summary(answer)}` : ""}.`, answer);
}

const detail = (part: Part, holder: "developer" | "tester") =>
  evidence({
    name: `the detail of the ${part} project, read by the ${holder}`,
    needs: [projects, creations],
    cost: { [holder]: 1 },
    writes: true,
    gather: async (context) => context.send(holder, "GET", projectPath((await projectFor(context, part)).id)),
  });

/** Details read by their owner, before anything is changed. */
export const details = {
  main: detail("main", "developer"),
  second: detail("second", "developer"),
  deleted: detail("deleted", "developer"),
};

/** Details read by the tester, who need not see a project that is not open to testers. */
export const detailsByTester = { main: detail("main", "tester"), second: detail("second", "tester") };

/** The run's own projects, found by the word of the run. */
export const ours: Evidence<Exchange> = evidence({
  name: "the projects of the run being found by search",
  needs: [projects],
  cost: { developer: 1 },
  optional: { quick: { developer: 1 }, full: { developer: 1 } },
  writes: true,
  async gather(context) {
    const created = (await context.use(projects)).flatMap((one) => (one ? [one.id] : []));
    const search = () =>
      context.send("developer", "GET", "/projects", { query: { search: context.run, page: 1, perPage: 50 } });
    const first = await search();
    const items = isRecord(first.json) && Array.isArray(first.json.data) ? first.json.data.map(fieldsOf) : [];
    const found = items.map(idOf);
    if (!succeeded(first) || created.every((id) => found.includes(id)) || !context.affords("developer")) return first;
    // A search index may follow its records a moment later.
    await context.pause(1);
    return search();
  },
});

/** Items of the run's own list. @throws Unmet where the search does not find the run's projects and them alone */
export async function ourItems(context: Context): Promise<Map<string, Json>> {
  const list = await context.use(ours);
  const created = (await context.use(projects)).flatMap((one) => (one ? [one.id] : []));
  const found = idsOf(list);
  if (!created.every((id) => found.includes(id)) || found.some((id) => !created.includes(id))) {
    throw new Unmet(
      `Searching for the word of the run does not find its projects and them alone: ${summary(list)}.`,
      list,
    );
  }
  return new Map(itemsOf(list).map((item) => [idOf(item), item]));
}
