import type { Context } from "../engine/check.ts";
import { type ListView, listViews } from "../evidence/list-views.ts";
import { type KnownRecord, Records, statusAt, valueAt, wasSeenBy } from "../evidence/records.ts";
import type { Expected, Place } from "./list-rules.ts";

/** Every project list of the run, with what is known of the run's own projects. */
export function expectedProjects({ observed }: Pick<Context, "observed">): Expected[] {
  const { projects } = Records.of(observed);
  return listViews(observed, "projects").map((view) => ({
    view,
    places: new Map(projects.map((project) => [project.id, placeOf(project, view)])),
  }));
}

function placeOf(project: KnownRecord, { list, query }: ListView): Place {
  if (project.created > list.number) return "later";
  if (project.deleted !== undefined && project.deleted < list.number) return "deleted";
  // Who sees a project is not stated, but for its owner.
  if (list.payer !== "developer" && !wasSeenBy(project, list.payer)) return "unknown";
  const values = { category: valueAt(project, "category", list.number), status: statusAt(project, list.number) };
  for (const field of ["category", "status"] as const) {
    if (query[field] !== undefined && values[field] !== undefined && values[field] !== query[field]) return field;
  }
  if (query.search !== undefined) {
    const texts = [valueAt(project, "title", list.number), valueAt(project, "description", list.number)];
    if (texts.some((text) => typeof text !== "string")) return "unknown";
    if (
      !texts.some((text) =>
        String(text)
          .toLowerCase()
          .includes(query.search ?? ""),
      )
    )
      return "search";
  }
  const uncertain = (["category", "status"] as const).some(
    (field) => query[field] !== undefined && values[field] === undefined,
  );
  return uncertain ? "unknown" : "in";
}
