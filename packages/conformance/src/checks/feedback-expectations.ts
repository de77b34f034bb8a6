import type { Context } from "../engine/check.ts";
import { type ListView, listViews } from "../evidence/list-views.ts";
import { fieldsOf } from "../evidence/lists.ts";
import { type KnownRecord, Records, statusAt, valueAt, wasSeenBy } from "../evidence/records.ts";
import type { Expected, Place } from "./list-rules.ts";

/** Every feedback list of the run, with what is known of the run's own feedback. */
export function expectedFeedback(context: Pick<Context, "observed" | "options">): Expected[] {
  const { feedback } = Records.of(context.observed);
  return listViews(context.observed, "feedback").map((view) => ({
    view,
    places: new Map(feedback.map((one) => [one.id, placeOf(one, view, context)])),
  }));
}

/** Whether a submission was made as a draft, which need not be listed for anybody. */
function isDraft({ sent }: KnownRecord, { options }: Pick<Context, "options">): boolean {
  const { draft } = options;
  if (draft === undefined || !("fields" in draft)) return false;
  const fields = Object.entries(draft.fields);
  return fields.length > 0 && fields.every(([name, value]) => JSON.stringify(sent[name]) === JSON.stringify(value));
}

/** The author that every reading shows; undefined where readings differ or show none. */
function authorOf({ sightings }: KnownRecord): unknown {
  const authors = new Set(sightings.map(({ shown }) => shown.testerId));
  return authors.size === 1 ? [...authors][0] : undefined;
}

function placeOf(feedback: KnownRecord, view: ListView, context: Pick<Context, "options">): Place {
  const { list, projectId, query } = view;
  if (feedback.created > list.number) return "later";
  if (feedback.projectId !== projectId) return "project";
  if (isDraft(feedback, context)) return "unknown";
  // The owner of the project sees its feedback; who else does is not stated.
  if (list.payer !== "developer" && !wasSeenBy(feedback, list.payer)) return "unknown";
  const values = { status: statusAt(feedback, list.number), testerId: authorOf(feedback) };
  for (const field of ["status", "testerId"] as const) {
    const value = values[field];
    if (query[field] !== undefined && value !== undefined && String(value) !== query[field]) return field;
  }
  const uncertain = (["status", "testerId"] as const).some(
    (field) => query[field] !== undefined && values[field] === undefined,
  );
  return uncertain ? "unknown" : "in";
}

/** The rating of feedback at the time of an exchange, where it is known. */
export function ratingAt(feedback: KnownRecord, number: number): number | undefined {
  const value = valueAt(feedback, "overallRating", number);
  return typeof value === "number" ? value : undefined;
}

/** The marks of feedback at the time of an exchange, as the latest mark told; none where it was never marked. */
export function marksAt({ id }: KnownRecord, context: Pick<Context, "observed">, number: number): number | undefined {
  const path = `/feedback/${encodeURIComponent(id)}/helpful`;
  const latest = context.observed.findLast(
    (one) => one.method === "POST" && one.target === path && one.status < 300 && one.number < number,
  );
  if (!latest) return 0;
  const count = fieldsOf(latest.json).helpfulCount;
  return typeof count === "number" ? count : undefined;
}
