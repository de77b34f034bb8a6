import { assertNoFaults, assertUnchanged, equal, faults, requireSuccess, succeeded } from "../engine/assertions.ts";
import type { Context, Evidence } from "../engine/check.ts";
import { type Exchange, summary } from "../engine/exchange.ts";
import { groupBy } from "../engine/group-by.ts";
import { NotTestable, Violation } from "../engine/outcome.ts";
import { arrivals } from "../evidence/arrival.ts";
import { marking, replying } from "../evidence/developers-only.ts";
import {
  elsewhere,
  feedbackListPath,
  feedbackPath,
  firstDetail,
  firstFeedback,
  firstSubmission,
} from "../evidence/feedback.ts";
import { attempts, draftChanges } from "../evidence/feedback-changes.ts";
import { plainList } from "../evidence/feedback-lists.ts";
import { itemsOf } from "../evidence/lists.ts";
import { deletion, patches, strangersProject } from "../evidence/project-changes.ts";
import { creations, details, projectAt, projectPath, projects } from "../evidence/projects.ts";
import { type Attempt, withoutKey } from "../evidence/strangers.ts";
import { feedbackFields, projectFields, wordFor } from "../evidence/texts.ts";
import { stated } from "./declare.ts";

const body = { error: equal("Unauthorized"), message: equal("Invalid or missing API key") };

function assertUnauthorized(exchange: Exchange): void {
  if (exchange.status !== 401) {
    const seen = { status: exchange.status, body: exchange.json ?? exchange.text };
    throw new Violation(`${summary(exchange)}: a request without a valid key was not answered 401.`, {
      expected: 401,
      seen,
      exchange,
    });
  }
  assertNoFaults(exchange, faults(exchange.json, body));
}

/** `GET /projects/{id}`: an exchange's method and path with ids left out. */
const endpointOf = ({ method, target }: Exchange): string =>
  `${method} ${target.replace(/\?.*/, "").replace(/^\/(projects|feedback)\/[^/]+/, "/$1/{id}")}`;

function assertBothUnauthorized({ missing, unknown }: Attempt): void {
  assertUnauthorized(missing);
  assertUnauthorized(unknown);
}

/** One endpoint, asked without a key and with one that nobody was given, beside the same request with a valid key. */
const endpoint = (
  operation: string,
  named: string,
  needs: readonly Evidence<unknown>[],
  prove: (context: Context) => Promise<void>,
  cost: { readonly nobody?: number } = {},
) =>
  stated({
    id: `auth.${operation}`,
    title: `${named} is answered 401 without a valid key, changes nothing then, and is accepted with one.`,
    clauses: ["S-AUTH-1", "S-AUTH-2"],
    needs,
    cost,
    prove,
  });

/** A reading without a key; the control is the same reading with one. */
const reading = (
  operation: string,
  named: string,
  control: Evidence<Exchange>,
  needs: readonly Evidence<unknown>[],
  path: (context: Context) => Promise<string>,
) =>
  endpoint(
    operation,
    named,
    [control, ...needs],
    async (context) => {
      requireSuccess(await context.use(control), `The control, ${named.toLowerCase()} with a valid key,`);
      assertBothUnauthorized(await withoutKey(context, "GET", await path(context)));
    },
    { nobody: 2 },
  );

export const auth = [
  stated({
    id: "auth.valid-keys",
    title: "A valid key, sent as `Authorization: Bearer <API_KEY>`, is accepted, whoever's it is.",
    clauses: ["S-AUTH-1"],
    needs: [arrivals.developer, arrivals.tester],
    async prove(context) {
      for (const answer of [await context.use(arrivals.developer), await context.use(arrivals.tester)]) {
        if (!succeeded(answer)) {
          throw new Violation(`${summary(answer)}: a valid key was not accepted.`, {
            expected: "any 2xx",
            seen: answer.status,
            exchange: answer,
          });
        }
      }
    },
  }),
  stated({
    id: "auth.valid-keys-everywhere",
    title: "There is no endpoint at which every valid key is answered 401.",
    clauses: ["S-AUTH-1"],
    needs: [arrivals.developer],
    phase: "end",
    prove({ exchanges, options }) {
      const endpoints = groupBy(
        exchanges.filter(({ payer }) => payer !== "nobody"),
        endpointOf,
      );
      // Without a draft, every change of feedback is meant to be refused, with whatever status.
      if (!options.draft) endpoints.delete("PATCH /feedback/{id}");
      for (const [endpoint, answers] of endpoints) {
        if (answers.some(({ status }) => status !== 401)) continue;
        throw new Violation(`${endpoint} answers 401 to valid keys.`, {
          expected: "any other status",
          seen: 401,
          exchange: answers[0],
        });
      }
    },
  }),
  stated({
    id: "auth.no-credentials",
    title: "An empty bearer token, and credentials of another scheme, are answered like a missing key.",
    clauses: ["S-AUTH-2", "S-AUTH-1"],
    needs: [arrivals.developer],
    cost: { nobody: 3 },
    async prove(context) {
      requireSuccess(await context.use(arrivals.developer), "The control, the same request with a valid key,");
      for (const authorization of [undefined, "Bearer", `Basic ${btoa("nobody:nothing")}`]) {
        assertUnauthorized(await context.sendAs(authorization, "GET", "/projects"));
      }
    },
  }),
  stated({
    id: "auth.false-keys",
    title: "A key that was never given is answered 401, however near it comes to a real one.",
    clauses: ["S-AUTH-2", "S-AUTH-1"],
    needs: [arrivals.developer],
    cost: { nobody: 4 },
    async prove(context) {
      requireSuccess(await context.use(arrivals.developer), "The control, the same request with a valid key,");
      const { unknown, altered, extended } = context.falseKeys;
      for (const key of ["not-a-key", unknown, altered, extended]) {
        assertUnauthorized(await context.sendAs(`Bearer ${key}`, "GET", "/projects"));
      }
    },
  }),
  reading("listProjects", "Listing projects", arrivals.developer, [], async () => "/projects"),
  reading("getProject", "Reading a project", details[0], [projects, creations], async (context) =>
    projectPath((await projectAt(context, 0)).id),
  ),
  reading("listFeedback", "Listing feedback", plainList, [firstSubmission], async (context) =>
    feedbackListPath((await context.use(firstSubmission)).project),
  ),
  reading("getFeedback", "Reading feedback", firstDetail, [firstFeedback], async (context) =>
    feedbackPath((await context.use(firstFeedback)).id),
  ),
  endpoint("createProject", "Creating a project", [strangersProject, creations], async (context) => {
    const { attempt, found } = await context.use(strangersProject);
    const [control] = await context.use(creations);
    if (control) requireSuccess(control.answer, "The control, the same request with a valid key,");
    assertBothUnauthorized(attempt);
    const word = wordFor(context.run, "stranger");
    const created = itemsOf(found).filter(({ title }) => typeof title === "string" && title.includes(word));
    if (created.length > 0) {
      throw new Violation("A request that was answered 401 created a project.", {
        expected: "no such project",
        seen: created,
        exchange: found,
      });
    }
  }),
  endpoint("updateProject", "Changing a project", [patches], async (context) => {
    const { before, strangers, untouched, title } = await context.use(patches);
    assertBothUnauthorized(strangers);
    requireSuccess(before, "Reading the project");
    requireSuccess(untouched, "Reading the project again");
    assertUnchanged(untouched, before.json, {}, projectFields);
    requireSuccess(title.answer, "The control, the same request with a valid key,");
  }),
  endpoint("deleteProject", "Deleting a project", [deletion], async (context) => {
    const { strangers, before, answer } = await context.use(deletion);
    assertBothUnauthorized(strangers);
    if (before.status === 404 || before.status === 410) {
      throw new Violation("A request that was answered 401 deleted the project.", {
        expected: "the project",
        seen: before.status,
        exchange: before,
      });
    }
    requireSuccess(answer, "The control, the same request with a valid key,");
  }),
  endpoint("createFeedback", "Submitting feedback", [elsewhere], async (context) => {
    const { strangers, listed, submission } = await context.use(elsewhere);
    assertBothUnauthorized(strangers);
    const { project } = await context.use(elsewhere);
    const items = itemsOf(listed).filter(
      ({ projectId }) => projectId === undefined || String(projectId) === project.id,
    );
    if (items.length > 0) {
      throw new Violation("A request that was answered 401 left feedback on the project.", {
        expected: [],
        seen: items,
        exchange: listed,
      });
    }
    requireSuccess(submission.answer, "The control, the same request with a valid key,");
  }),
  endpoint("updateFeedback", "Changing feedback", [attempts], async (context) => {
    const { before, strangers, untouched, byAuthor } = await context.use(attempts);
    assertBothUnauthorized(strangers);
    requireSuccess(before, "Reading the feedback");
    requireSuccess(untouched, "Reading the feedback again");
    assertUnchanged(untouched, before.json, {}, feedbackFields);
    // Submitted feedback is refused to its author too, but not for want of a key.
    const control = byAuthor[0]?.answer;
    if (control?.status === 401)
      throw new NotTestable("a refusal to the author that is not the refusal of a missing key");
  }),
  stated({
    id: "auth.updateDraft",
    title:
      "Changing a draft is answered 401 without a valid key, changes nothing then, and succeeds with its author's.",
    clauses: ["S-AUTH-1", "S-AUTH-2"],
    needs: [draftChanges],
    async prove(context) {
      const { before, strangers, untouched, changes } = await context.use(draftChanges);
      assertBothUnauthorized(strangers);
      requireSuccess(untouched, "Reading the draft again");
      assertUnchanged(untouched, before.json, {}, feedbackFields);
      for (const { answer } of changes.slice(0, 1))
        requireSuccess(answer, "The control, the same request with a valid key,");
    },
  }),
  ...(
    [
      ["markFeedbackHelpful", "Marking feedback as helpful", marking],
      ["replyToFeedback", "Replying to feedback", replying],
    ] as const
  ).map(([operation, named, turn]) =>
    endpoint(operation, named, [turn], async (context) => {
      const { before, strangers, afterStrangers, byDeveloper } = await context.use(turn);
      assertBothUnauthorized(strangers);
      requireSuccess(before, "Reading the feedback");
      requireSuccess(afterStrangers, "Reading the feedback again");
      assertUnchanged(afterStrangers, before.json, {}, feedbackFields);
      requireSuccess(byDeveloper, "The control, the same request with a valid key,");
    }),
  ),
  stated({
    id: "auth.key-not-shown",
    title: "No answer repeats a key.",
    clauses: ["S-AUTH-3"],
    needs: [arrivals.developer],
    phase: "end",
    prove({ exchanges, redactor }) {
      const real = ["DEVELOPER_KEY", "TESTER_KEY", "OTHER_DEVELOPER_KEY", "SPARE_KEY"];
      for (const exchange of exchanges) {
        const texts = [exchange.text, ...Array.from(exchange.headers, ([, value]) => value)];
        if (texts.some((text) => redactor.holds(text, real))) {
          throw new Violation(`${summary(exchange)} repeats a key.`, {
            expected: "no key",
            seen: exchange.text || "a header with a key",
            exchange,
          });
        }
      }
    },
  }),
];
