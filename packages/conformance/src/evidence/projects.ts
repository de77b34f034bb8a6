import { setTimeout as pause } from "node:timers/promises";
import { type Evidence, evidence } from "../engine/check.ts";
import { type Exchange, spoken } from "../engine/exchange.ts";
import { isRecord, type Json, relyOn, succeeded } from "../engine/judge.ts";
import { NotTestable, Unmet } from "../engine/outcome.ts";
import type { Stage } from "../engine/stage.ts";
import { idsOf } from "./lists.ts";
import { categories, projectBody } from "./texts.ts";

export interface Made {
  readonly id: string;
  readonly sent: Json;
  readonly answer: Exchange;
}

const path = (id: string) => `/projects/${encodeURIComponent(id)}`;
export const projectPath = path;

/** The id that an answer gives, as text. @throws Unmet where it gives none */
export function idIn(answer: Exchange, what: string): string {
  relyOn(answer, what);
  const id = isRecord(answer.json) ? answer.json.id : undefined;
  if ((typeof id !== "string" && typeof id !== "number") || id === "")
    throw new Unmet(`${what}: ${spoken(answer)} gives no id.`, answer);
  return String(id);
}

/** Four creations, one for each category, as they were answered. */
export const creations: Evidence<{ sent: Json; answer: Exchange }[]> = evidence({
  name: "four projects being created",
  needs: [],
  // Four creations, and the deletions that follow at the end.
  cost: { developer: 8 },
  writes: true,
  async gather(stage) {
    const made = [];
    for (const n of categories.keys()) {
      const sent = { ...projectBody(stage.run, n), ...stage.options.project?.fields };
      made.push({
        sent,
        answer: await stage.make("project", "developer", () =>
          stage.send("developer", "POST", "/projects", { body: sent }),
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
  async gather(stage) {
    const made = (await stage.use(creations)).map(({ sent, answer }) =>
      succeeded(answer) ? { id: idIn(answer, "Creating a project"), sent, answer } : undefined,
    );
    const patch = stage.options.project?.patch;
    for (const one of patch ? made : []) {
      if (one) await stage.send("developer", "PATCH", path(one.id), { body: patch });
    }
    return made;
  },
});

/** The project of a turn. @throws Unmet where it could not be created */
export async function projectAt(stage: Stage, turn: 0 | 1 | 2 | 3): Promise<Made> {
  const made = await stage.use(projects);
  const wanted = made[turn];
  if (wanted) return wanted;
  const { answer } = (await stage.use(creations))[turn] as { answer: Exchange };
  throw new Unmet(`Creating project ${turn + 1} failed: ${spoken(answer)}.`, answer);
}

const detail = (turn: 0 | 1) =>
  evidence({
    name: `the detail of project ${turn + 1}`,
    needs: [projects, creations],
    cost: { developer: 1 },
    writes: true,
    gather: async (stage) => stage.send("developer", "GET", path((await projectAt(stage, turn)).id)),
  });

/** The details of the first two projects, read by their owner. */
export const details = [detail(0), detail(1)] as const;

/** The list of the run's own projects, found by the run's word, at the default page. */
export const ours: Evidence<Exchange> = evidence({
  name: "the run's projects being found by search",
  needs: [projects],
  cost: { developer: 1 },
  writes: true,
  async gather(stage) {
    const made = (await stage.use(projects)).flatMap((one) => (one ? [one.id] : []));
    const search = () =>
      stage.send("developer", "GET", "/projects", { query: { search: stage.run, page: 1, perPage: 50 } });
    const first = await search();
    const finds = (answer: Exchange) => succeeded(answer) && made.every((id) => idsOf(answer).includes(id));
    if (finds(first)) return first;
    // A search may follow its records a moment later; it is given one.
    await pause(800);
    return search();
  },
});

/** Items of the run's own list, as the list shows them. @throws Unmet where the search does not find them all and them alone */
export async function ourItems(stage: Stage): Promise<Map<string, Json>> {
  const answer = await stage.use(ours);
  const made = (await stage.use(projects)).flatMap((one) => (one ? [one.id] : []));
  const found = idsOf(answer);
  if (!made.every((id) => found.includes(id)) || found.some((id) => !made.includes(id))) {
    throw new Unmet(
      `Searching for the run's word does not find the run's projects and them alone: ${spoken(answer)}.`,
      answer,
    );
  }
  const items = (answer.json as { data: Json[] }).data;
  return new Map(items.map((item) => [String(item.id), item]));
}

/** @throws NotTestable where a project that is no `active` one takes no feedback: how it comes to is not stated */
export async function excuseInactive(stage: Stage, answer: Exchange, project: Made): Promise<void> {
  if (succeeded(answer) || answer.status === 401 || answer.status >= 500) return;
  const shown = (await stage.send("developer", "GET", path(project.id))).json;
  const status = isRecord(shown) ? shown.status : undefined;
  if (typeof status === "string" && status !== "active") {
    throw new NotTestable(
      `a project that takes feedback; a new one is ${status} here. Say in conformance.yaml under \`project\` how it is published`,
    );
  }
}
