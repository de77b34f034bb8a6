import { setTimeout as pause } from "node:timers/promises";
import { isRecord, type Json, requireSuccess, succeeded } from "../engine/assertions.ts";
import type { Context } from "../engine/check.ts";
import { type Evidence, evidence } from "../engine/check.ts";
import { type Exchange, summary } from "../engine/exchange.ts";
import { NotTestable, Unmet } from "../engine/outcome.ts";
import { idsOf } from "./lists.ts";
import { categories, projectBody } from "./texts.ts";

export interface Made {
  readonly id: string;
  readonly sent: Json;
  readonly answer: Exchange;
}

export const projectPath = (id: string) => `/projects/${encodeURIComponent(id)}`;

/** The id that an answer gives, as text. @throws Unmet where it gives none */
export function createdId(answer: Exchange, what: string): string {
  requireSuccess(answer, what);
  const id = isRecord(answer.json) ? answer.json.id : undefined;
  if ((typeof id !== "string" && typeof id !== "number") || id === "")
    throw new Unmet(`${what}: ${summary(answer)} gives no id.`, answer);
  return String(id);
}

/** Four creations, one for each category, as they were answered. */
export const creations: Evidence<{ sent: Json; answer: Exchange }[]> = evidence({
  name: "four projects being created",
  needs: [],
  // Four creations, and the deletions that follow at the end.
  cost: { developer: 8 },
  writes: true,
  async gather(context) {
    const made = [];
    for (const n of categories.keys()) {
      const sent = { ...projectBody(context.run, n), ...context.options.project?.fields };
      made.push({
        sent,
        answer: await context.make("project", "developer", () =>
          context.send("developer", "POST", "/projects", { body: sent }),
        ),
      });
    }
    return made;
  },
});

/** The projects that could be created, by category; ready to take feedback as far as the configuration knows. */
export const projects: Evidence<(Made | undefined)[]> = evidence({
  name: "a project of the run",
  needs: [creations],
  cost: {},
  writes: true,
  async gather(context) {
    const made = (await context.use(creations)).map(({ sent, answer }) =>
      succeeded(answer) ? { id: createdId(answer, "Creating a project"), sent, answer } : undefined,
    );
    const patch = context.options.project?.patch;
    for (const one of patch ? made : []) {
      if (one) await context.send("developer", "PATCH", projectPath(one.id), { body: patch });
    }
    return made;
  },
});

/** The project of a turn. @throws Unmet where it could not be created */
export async function projectAt(context: Context, turn: 0 | 1 | 2 | 3): Promise<Made> {
  const made = await context.use(projects);
  const wanted = made[turn];
  if (wanted) return wanted;
  const { answer } = (await context.use(creations))[turn] as { answer: Exchange };
  throw new Unmet(`Creating project ${turn + 1} failed: ${summary(answer)}.`, answer);
}

const detail = (turn: 0 | 1) =>
  evidence({
    name: `the detail of project ${turn + 1}`,
    needs: [projects, creations],
    cost: { developer: 1 },
    writes: true,
    gather: async (context) => context.send("developer", "GET", projectPath((await projectAt(context, turn)).id)),
  });

/** The details of the first two projects, read by their owner. */
export const details = [detail(0), detail(1)] as const;

/** The list of the run's own projects, found by the run's word, at the default page. */
export const ours: Evidence<Exchange> = evidence({
  name: "the run's projects being found by search",
  needs: [projects],
  cost: { developer: 1 },
  writes: true,
  async gather(context) {
    const made = (await context.use(projects)).flatMap((one) => (one ? [one.id] : []));
    const search = () =>
      context.send("developer", "GET", "/projects", { query: { search: context.run, page: 1, perPage: 50 } });
    const first = await search();
    const finds = (answer: Exchange) => succeeded(answer) && made.every((id) => idsOf(answer).includes(id));
    if (finds(first)) return first;
    // A search may follow its records a moment later; it is given one.
    await pause(800);
    return search();
  },
});

/** Items of the run's own list, as the list shows them. @throws Unmet where the search does not find them all and them alone */
export async function ourItems(context: Context): Promise<Map<string, Json>> {
  const answer = await context.use(ours);
  const made = (await context.use(projects)).flatMap((one) => (one ? [one.id] : []));
  const found = idsOf(answer);
  if (!made.every((id) => found.includes(id)) || found.some((id) => !made.includes(id))) {
    throw new Unmet(
      `Searching for the run's word does not find the run's projects and them alone: ${summary(answer)}.`,
      answer,
    );
  }
  const items = (answer.json as { data: Json[] }).data;
  return new Map(items.map((item) => [String(item.id), item]));
}

/** @throws NotTestable where a project that is no `active` one takes no feedback: how it comes to is not stated */
export async function excuseInactive(context: Context, answer: Exchange, project: Made): Promise<void> {
  if (succeeded(answer) || answer.status === 401 || answer.status >= 500) return;
  const shown = (await context.send("developer", "GET", projectPath(project.id))).json;
  const status = isRecord(shown) ? shown.status : undefined;
  if (typeof status === "string" && status !== "active") {
    throw new NotTestable(
      `a project that takes feedback; a new one is ${status} here. Say in conformance.yaml under \`project\` how it is published`,
    );
  }
}
