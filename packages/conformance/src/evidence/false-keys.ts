import { type Context, type Evidence, evidence } from "../engine/check.ts";
import type { Exchange, Method } from "../engine/exchange.ts";
import { type FalseKey, falseKeysOf } from "../engine/false-keys.ts";
import { feedbackListPath, feedbackPath, firstFeedback, firstSubmission } from "./feedback.ts";
import { Inputs } from "./inputs.ts";
import { creations, projectFor, projectPath, projects } from "./projects.ts";

/** Forms of keys that are tried on each operation at quick depth, of each real key. */
const atQuickDepth = 2;

/** A request with a key that does not exist. */
export interface FalseKeyAttempt {
  readonly form: string;
  readonly exchange: Exchange;
}

/** The keys that do not exist, in the order of trying. */
function falseKeys(context: Context): readonly (readonly FalseKey[])[] {
  const { keys } = context.options;
  const real = Object.values(keys);
  return (["developer", "tester"] as const).map((holder) => {
    const all = falseKeysOf(holder, keys[holder], real);
    for (const { key, variable } of all) context.redactor.hide(key, variable);
    return all.slice(1);
  });
}

/** Every operation, asked with keys that resemble real ones: on the project list before anything is created. */
export const falseKeysOnList: Evidence<readonly FalseKeyAttempt[]> = evidence({
  name: "projects being listed with keys that do not exist",
  needs: [],
  cost: { nobody: 10 },
  writes: false,
  async gather(context) {
    const attempts = [];
    for (const { key, form } of falseKeys(context).flat())
      attempts.push({ form, exchange: await context.sendAs(`Bearer ${key}`, "GET", "/projects") });
    return attempts;
  },
});

/** Every other operation, asked with keys that resemble real ones, on records that exist; the last thing before they are deleted. */
export const falseKeysEverywhere: Evidence<readonly FalseKeyAttempt[]> = evidence({
  name: "every operation with keys that do not exist",
  needs: [projects, creations, firstSubmission, firstFeedback],
  cost: { nobody: 40 },
  optional: { quick: {}, full: { nobody: 60 } },
  writes: true,
  async gather(context) {
    const inputs = new Inputs(context);
    const main = await projectFor(context, "main");
    const { projectId } = await context.use(firstSubmission);
    const feedback = feedbackPath((await context.use(firstFeedback)).id);
    const operations: readonly (readonly [Method, string, unknown?])[] = [
      ["GET", projectPath(main.id)],
      ["GET", feedback],
      ["GET", feedbackListPath(projectId)],
      ["POST", "/projects", inputs.project(12)],
      ["PATCH", projectPath(main.id), { title: inputs.project(12).title }],
      ["POST", feedbackListPath(projectId), inputs.feedback(12, inputs.rating(1), ["high"])],
      ["PATCH", feedback, { overallRating: inputs.rating(0) }],
      ["POST", `${feedback}/helpful`],
      ["POST", `${feedback}/reply`, { message: inputs.text("hello there"), resolvedItems: [] }],
      ["DELETE", projectPath(main.id)],
    ];
    const keys = falseKeys(context);
    const attempts: FalseKeyAttempt[] = [];
    for (const [turn, [method, path, body]] of operations.entries()) {
      for (const forms of keys) {
        const some = context.depth === "full" ? forms : rotated(forms, turn * atQuickDepth).slice(0, atQuickDepth);
        for (const { key, form } of some) {
          const send = () => context.sendAs(`Bearer ${key}`, method, path, body === undefined ? {} : { body });
          const exchange = path === "/projects" ? await context.make("project", "developer", send) : await send();
          attempts.push({ form, exchange });
        }
      }
    }
    return attempts;
  },
});

const rotated = <Item>(items: readonly Item[], by: number): Item[] =>
  items.map((_, n) => items[(n + by) % items.length] as Item);
