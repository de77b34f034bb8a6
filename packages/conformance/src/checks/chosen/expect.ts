import { isRecord, type Json } from "../../engine/assertions.ts";
import type { Context } from "../../engine/check.ts";
import type { Sending } from "../../engine/client.ts";
import { type Exchange, summary } from "../../engine/exchange.ts";
import { Violation } from "../../engine/outcome.ts";
import type { Holder } from "../../engine/terms.ts";
import { createdId } from "../../evidence/projects.ts";

/** @throws Violation unless the answer has this status */
export function assertStatus(exchange: Exchange, status: number): Exchange {
  if (exchange.status === status) return exchange;
  throw new Violation(`${summary(exchange)}: the reference answers ${status}.`, {
    expected: status,
    seen: { status: exchange.status, body: exchange.json ?? exchange.text },
    exchange,
  });
}

/** @throws Violation unless it is so */
export function assert(holds: boolean, what: string, exchange: Exchange, expected: unknown, seen: unknown): void {
  if (!holds) throw new Violation(`${summary(exchange)}: ${what}.`, { expected, seen, exchange });
}

export const fieldsOf = ({ json }: Exchange): Json => (isRecord(json) ? json : {});

/** The least that the reference takes for a project. */
export const leastProject = (run: string): Json => ({
  title: `${run} shed planner`,
  description: `${run} plans sheds`,
  category: "web",
});

/** Tries to create a project. */
export const tryProject = (
  context: Context,
  body: Json,
  holder: Holder = "developer",
  sending: Sending = {},
): Promise<Exchange> =>
  context.make("project", holder, () => context.send(holder, "POST", "/projects", { body, ...sending }));

/** Creates a project with the least and these fields; answers its path. */
export async function aProject(context: Context, fields: Json = {}, holder: Holder = "developer"): Promise<string> {
  return `/projects/${encodeURIComponent(createdId(await tryProject(context, { ...leastProject(context.run), ...fields }, holder), "Creating a project"))}`;
}

/** Tries to give feedback on a project. */
export const tryFeedback = (
  context: Context,
  project: string,
  body: Json,
  holder: Holder = "tester",
): Promise<Exchange> =>
  context.make("feedback", holder, () => context.send(holder, "POST", `${project}/feedback`, { body }));

/** Gives feedback with a rating and these fields; answers its path. */
export async function aFeedback(
  context: Context,
  project: string,
  fields: Json = {},
  holder: Holder = "tester",
): Promise<string> {
  return `/feedback/${encodeURIComponent(createdId(await tryFeedback(context, project, { overallRating: 3, ...fields }, holder), "Submitting feedback"))}`;
}
