// The works, and their tasks: a seeded generator draws the same for each server.

import { everybody } from "@project-feedback/server/domain/project";
import type { Database } from "@project-feedback/server/store/database";
import { randomFrom, realisticProject } from "@project-feedback/server/testing/realistic-data";
import type { components } from "@project-feedback/spec";
import { BenchError } from "./run-program.ts";
import { type CallerKey, callerKeys, rareWords } from "./seed.ts";

type Schemas = components["schemas"];

/** One operation, whatever the server's interface. */
export type Item =
  | { readonly kind: "detail"; readonly id: string }
  | { readonly kind: "list"; readonly status: string; readonly category: string }
  | { readonly kind: "search"; readonly word: string }
  | { readonly kind: "feedback"; readonly projectId: string; readonly sort: "date" | "rating" | "helpful" }
  | { readonly kind: "create"; readonly body: Schemas["ProjectCreate"] }
  | { readonly kind: "submit"; readonly projectId: string; readonly body: Schemas["FeedbackCreate"] };

/** An item, and the account that sends it. */
export interface Task {
  readonly item: Item;
  readonly caller: CallerKey;
}

export const works = {
  detail: "project detail",
  list: "list of 20 by status and category",
  search: "search, 40 matches",
  feedback: "feedback list",
  create: "create project",
  submit: "submit feedback",
  mix: "mix: 70 % lists, 20 % details, 10 % writes",
} as const;

export type Work = keyof typeof works;

/** Ids of projects in a seeded database. */
export interface Targets {
  readonly visible: readonly string[];
  readonly busy: readonly string[];
}

/** Distinct projects in requests. As many at every size, so that runs differ by the size of the data alone. */
const [mostVisible, mostBusy] = [450, 400];

/** Ids of public projects, drawn from all of them, and of projects with feedback. @throws BenchError with too few projects */
export async function targetsOf(database: Database, projects: number): Promise<Targets> {
  const random = randomFrom(99);
  const drawn = Array.from({ length: 1_000 }, () => `prj_${random(projects).toString(16).padStart(24, "0")}`);
  const projection = { _id: 1 } as const;
  const visible = await database.projects.find({ _id: { $in: drawn }, audience: everybody }, { projection }).toArray();
  const seen = new Set(visible.map(({ _id }) => _id));
  const withFeedback = { "counts.submitted": { $gt: 0 } } as const;
  const busy = await database.projects.find(withFeedback, { projection, sort: { _id: 1 }, limit: mostBusy }).toArray();
  const targets = {
    visible: [...new Set(drawn)].filter((id) => seen.has(id)).slice(0, mostVisible),
    busy: busy.map(({ _id }) => _id),
  };
  if (targets.visible.length < mostVisible || targets.busy.length < mostBusy) {
    throw new BenchError(
      `${projects} projects are too few: ${targets.visible.length} that are public were drawn, and ${busy.length} have ` +
        `feedback; ${mostVisible} and ${mostBusy} are needed. Choose other --sizes.`,
    );
  }
  return targets;
}

/** Tasks of a work, by callers drawn at random: developers create projects, testers submit feedback. */
export function tasksOf(work: Work, number: number, targets: Targets, seed: number): Task[] {
  const random = randomFrom(seed);
  const pick = <Value>(values: readonly Value[]): Value => values[random(values.length)] as Value;
  const { developers, testers } = callerKeys();
  const anybody = [...developers, ...testers];
  const make: Record<Exclude<Work, "mix">, () => Task> = {
    detail: () => ({ item: { kind: "detail", id: pick(targets.visible) }, caller: pick(anybody) }),
    list: () => ({
      item: {
        kind: "list",
        status: pick(["active", "completed", "archived"]),
        category: pick(["web", "mobile", "desktop", "other"]),
      },
      caller: pick(anybody),
    }),
    search: () => ({ item: { kind: "search", word: pick(rareWords) }, caller: pick(anybody) }),
    feedback: () => ({
      item: { kind: "feedback", projectId: pick(targets.busy), sort: pick(["date", "rating", "helpful"]) },
      caller: pick(anybody),
    }),
    create: () => {
      const { title, description, category } = realisticProject(random(1_000_000), random, [""]);
      return {
        item: { kind: "create", body: { title, description, category, projectUrl: "https://example.com/new" } },
        caller: pick(developers),
      };
    },
    submit: () => ({
      item: {
        kind: "submit",
        projectId: pick(targets.busy),
        body: {
          overallRating: 1 + random(5),
          uiFeedback: {
            design: 1 + random(5),
            colors: "Calm, with enough contrast.",
            layout: "The list is too narrow.",
          },
          bugs: [{ description: "The back button leaves the page.", severity: "medium" }],
          generalComments: "I would use it again.",
        },
      },
      caller: pick(testers),
    }),
  };
  const mixed = () => {
    const place = random(100);
    if (place < 50) return make.list();
    if (place < 70) return make.feedback();
    if (place < 90) return make.detail();
    return place < 95 ? make.create() : make.submit();
  };
  return Array.from({ length: number }, work === "mix" ? mixed : make[work]);
}
