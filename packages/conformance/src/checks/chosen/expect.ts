import type { Holder } from "../../engine/check.ts";
import type { Sending } from "../../engine/client.ts";
import { type Exchange, spoken } from "../../engine/exchange.ts";
import { isRecord, type Json } from "../../engine/judge.ts";
import { Violation } from "../../engine/outcome.ts";
import type { Stage } from "../../engine/stage.ts";
import { idIn } from "../../evidence/projects.ts";

/** @throws Violation unless the answer has this status */
export function demandStatus(exchange: Exchange, status: number): Exchange {
  if (exchange.status === status) return exchange;
  throw new Violation(`${spoken(exchange)}: the reference answers ${status}.`, {
    expected: status,
    seen: { status: exchange.status, body: exchange.json ?? exchange.text },
    exchange,
  });
}

/** @throws Violation unless it is so */
export function demand(holds: boolean, what: string, exchange: Exchange, expected: unknown, seen: unknown): void {
  if (!holds) throw new Violation(`${spoken(exchange)}: ${what}.`, { expected, seen, exchange });
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
  stage: Stage,
  body: Json,
  holder: Holder = "developer",
  sending: Sending = {},
): Promise<Exchange> =>
  stage.make("project", holder, () => stage.send(holder, "POST", "/projects", { body, ...sending }));

/** Creates a project with the least and these fields; answers its path. */
export async function aProject(stage: Stage, fields: Json = {}, holder: Holder = "developer"): Promise<string> {
  return `/projects/${encodeURIComponent(idIn(await tryProject(stage, { ...leastProject(stage.run), ...fields }, holder), "Creating a project"))}`;
}

/** Tries to give feedback on a project. */
export const tryFeedback = (stage: Stage, project: string, body: Json, holder: Holder = "tester"): Promise<Exchange> =>
  stage.make("feedback", holder, () => stage.send(holder, "POST", `${project}/feedback`, { body }));

/** Gives feedback with a rating and these fields; answers its path. */
export async function aFeedback(
  stage: Stage,
  project: string,
  fields: Json = {},
  holder: Holder = "tester",
): Promise<string> {
  return `/feedback/${encodeURIComponent(idIn(await tryFeedback(stage, project, { overallRating: 3, ...fields }, holder), "Submitting feedback"))}`;
}
