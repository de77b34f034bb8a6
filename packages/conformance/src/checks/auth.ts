import {
  assertNoFaults,
  assertUnchanged,
  equal,
  faults,
  isRecord,
  requireSuccess,
  succeeded,
} from "../engine/assertions.ts";
import type { Context, Evidence } from "../engine/check.ts";
import { type Exchange, summary } from "../engine/exchange.ts";
import { groupBy } from "../engine/group-by.ts";
import { NotTestable, Violation } from "../engine/outcome.ts";
import { marking, replying } from "../evidence/developer-actions.ts";
import { falseKeysEverywhere, falseKeysOnList } from "../evidence/false-keys.ts";
import {
  feedbackListPath,
  feedbackPath,
  firstDetail,
  firstDetailNeeds,
  firstFeedback,
  firstSubmission,
  secondSubmission,
} from "../evidence/feedback.ts";
import { draftChanges, submittedAttempts } from "../evidence/feedback-changes.ts";
import { feedbackLists } from "../evidence/feedback-lists.ts";
import { firstResponses } from "../evidence/first-responses.ts";
import { wordFor } from "../evidence/inputs.ts";
import { idOf, itemsOf } from "../evidence/lists.ts";
import { creationWithoutKey, deletion, projectChanges } from "../evidence/project-changes.ts";
import { creations, details, projectFor, projectPath, projects } from "../evidence/projects.ts";
import { Records } from "../evidence/records.ts";
import { feedbackFields, projectFields } from "../evidence/vocabulary.ts";
import { type Unauthenticated, unknownKey, withoutKey } from "../evidence/without-key.ts";
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

function assertBothUnauthorized({ missing, unknown }: Unauthenticated): void {
  assertUnauthorized(missing);
  assertUnauthorized(unknown);
}

/** `GET /projects/{id}`: method and path of an exchange without ids. */
export const endpointOf = ({ method, target }: Pick<Exchange, "method" | "target">): string =>
  `${method} ${target.replace(/\?.*/, "").replace(/^\/(projects|feedback)\/[^/]+/, "/$1/{id}")}`;

const control = "The control, the same request with a valid key,";

/** One endpoint, asked without a key and with one that does not exist, beside the same request with a valid key. */
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
  needs: readonly Evidence<unknown>[],
  readWithKey: (context: Context) => Promise<Exchange>,
  path: (context: Context) => Promise<string>,
) =>
  endpoint(
    operation,
    named,
    needs,
    async (context) => {
      requireSuccess(await readWithKey(context), `The control, ${named.toLowerCase()} with a valid key,`);
      assertBothUnauthorized(await withoutKey(context, "GET", await path(context)));
    },
    { nobody: 2 },
  );

/** A record that must be as it was; its status may change by itself. */
function assertKept(after: Exchange, before: Exchange, fields: readonly string[]): void {
  requireSuccess(before, "Reading the record");
  requireSuccess(after, "Reading the record again");
  assertUnchanged(after, before.json, {}, fields);
}

export const auth = [
  stated({
    id: "auth.valid-keys",
    title: "A valid key, sent as `Authorization: Bearer <API_KEY>`, is accepted, of a developer and of a tester.",
    clauses: ["S-AUTH-1"],
    needs: [firstResponses.developer, firstResponses.tester],
    async prove(context) {
      for (const answer of [await context.use(firstResponses.developer), await context.use(firstResponses.tester)]) {
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
    needs: [firstResponses.developer],
    phase: "end",
    prove({ exchanges, options }) {
      const endpoints = groupBy(
        exchanges.filter(({ payer, retried }) => payer !== "nobody" && !retried),
        endpointOf,
      );
      // Without a draft, every change of feedback is meant to be refused, with whatever status.
      if (!options.draft) endpoints.delete("PATCH /feedback/{id}");
      for (const [name, answers] of endpoints) {
        if (answers.some(({ status }) => status !== 401)) continue;
        throw new Violation(`${name} answers 401 to valid keys.`, {
          expected: "any other status",
          seen: 401,
          exchange: answers[0],
        });
      }
    },
  }),
  stated({
    id: "auth.no-credentials",
    title: "An empty bearer token and credentials of another scheme are answered like a missing key.",
    clauses: ["S-AUTH-2", "S-AUTH-1"],
    needs: [firstResponses.developer],
    cost: { nobody: 4 },
    async prove(context) {
      requireSuccess(await context.use(firstResponses.developer), control);
      const unknown = unknownKey(context).replace("Bearer ", "");
      for (const authorization of [undefined, "Bearer", `Basic ${btoa("nobody:nothing")}`, unknown])
        assertUnauthorized(await context.sendAs(authorization, "GET", "/projects"));
    },
  }),
  stated({
    id: "auth.false-keys",
    title: "A key that does not exist is answered 401, however much it resembles a real one.",
    clauses: ["S-AUTH-2", "S-AUTH-1"],
    needs: [firstResponses.developer, falseKeysOnList],
    cost: { nobody: 2 },
    async prove(context) {
      requireSuccess(await context.use(firstResponses.developer), control);
      for (const { exchange } of await context.use(falseKeysOnList)) assertUnauthorized(exchange);
      for (const authorization of ["Bearer not-a-key", unknownKey(context)])
        assertUnauthorized(await context.sendAs(authorization, "GET", "/projects"));
    },
  }),
  stated({
    id: "auth.false-keys-everywhere",
    title: "A key that resembles a real one is answered 401 by every operation.",
    clauses: ["S-AUTH-2", "S-AUTH-1"],
    needs: [falseKeysEverywhere],
    async prove(context) {
      for (const { exchange } of await context.use(falseKeysEverywhere)) assertUnauthorized(exchange);
    },
  }),
  reading(
    "listProjects",
    "Listing projects",
    [firstResponses.developer],
    (context) => context.use(firstResponses.developer),
    async () => "/projects",
  ),
  reading(
    "getProject",
    "Reading a project",
    [details.main, projects, creations],
    (context) => context.use(details.main),
    async (context) => projectPath((await projectFor(context, "main")).id),
  ),
  reading(
    "listFeedback",
    "Listing feedback",
    [feedbackLists, firstSubmission],
    async (context) => (await context.use(feedbackLists)).developer[0] as Exchange,
    async (context) => feedbackListPath((await context.use(firstSubmission)).projectId),
  ),
  reading("getFeedback", "Reading feedback", [...firstDetailNeeds, firstFeedback], firstDetail, async (context) =>
    feedbackPath((await context.use(firstFeedback)).id),
  ),
  endpoint("createProject", "Creating a project", [creationWithoutKey, creations], async (context) => {
    const { attempt, found } = await context.use(creationWithoutKey);
    const [first] = await context.use(creations);
    if (first) requireSuccess(first.answer, control);
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
  endpoint("updateProject", "Changing a project", [projectChanges], async (context) => {
    const { before, withoutKey: attempts, untouched, usual } = await context.use(projectChanges);
    assertBothUnauthorized(attempts);
    assertKept(untouched, before, projectFields);
    if (usual[0]) requireSuccess(usual[0].answer, control);
  }),
  endpoint("deleteProject", "Deleting a project", [details.main, deletion], async (context) => {
    const { withoutKey: attempts, before, answer } = await context.use(deletion);
    assertBothUnauthorized(attempts);
    if (before.status === 404 || before.status === 410) {
      // Where no project can be read, the refusal says nothing about this one.
      requireSuccess(await context.use(details.main), "Reading a project");
      throw new Violation("A request that was answered 401 deleted the project.", {
        expected: "the project",
        seen: before.status,
        exchange: before,
      });
    }
    requireSuccess(answer, control);
  }),
  endpoint("createFeedback", "Submitting feedback", [secondSubmission], async (context) => {
    const { withoutKey: attempts, listed, submission, projectId } = await context.use(secondSubmission);
    const own = new Set(Records.of(context.exchanges).feedback.map(({ id }) => id));
    assertBothUnauthorized(attempts);
    // Only a project of the run is known to hold no other feedback.
    const items = context.options.project?.open
      ? []
      : itemsOf(listed).filter(
          (item) => !own.has(idOf(item)) && [undefined, projectId].includes(item.projectId as string),
        );
    if (items.length > 0) {
      throw new Violation("A request that was answered 401 left feedback on the project.", {
        expected: [],
        seen: items,
        exchange: listed,
      });
    }
    requireSuccess(submission.answer, control);
  }),
  endpoint("updateFeedback", "Changing feedback", [submittedAttempts], async (context) => {
    const { before, withoutKey: attempts, untouched, byAuthor } = await context.use(submittedAttempts);
    assertBothUnauthorized(attempts);
    assertKept(untouched, before, feedbackFields);
    // Submitted feedback is refused to its author too, but not for want of a key.
    if (byAuthor.all[0]?.answer.status === 401 && !context.options.draft)
      throw new NotTestable("a refusal to the author that is not the refusal of a missing key");
  }),
  stated({
    id: "auth.updateDraft",
    title:
      "Changing a draft is answered 401 without a valid key, changes nothing then, and succeeds with that of its author.",
    clauses: ["S-AUTH-1", "S-AUTH-2"],
    group: "drafts",
    needs: [draftChanges],
    async prove(context) {
      const { before, withoutKey: attempts, untouched, changes } = await context.use(draftChanges);
      assertBothUnauthorized(attempts);
      if (before && untouched) assertKept(untouched, before, feedbackFields);
      if (changes[0]) requireSuccess(changes[0].answer, control);
    },
  }),
  ...(
    [
      ["markFeedbackHelpful", "Marking feedback as helpful", marking],
      ["replyToFeedback", "Replying to feedback", replying],
    ] as const
  ).map(([operation, named, action]) =>
    endpoint(operation, named, [action], async (context) => {
      const { before, withoutKey: attempts, afterWithoutKey, byDeveloper } = await context.use(action);
      assertBothUnauthorized(attempts);
      assertKept(afterWithoutKey, before, feedbackFields);
      requireSuccess(byDeveloper, control);
    }),
  ),
  stated({
    id: "auth.key-not-shown",
    title: "No response repeats a key.",
    clauses: ["S-AUTH-3"],
    needs: [firstResponses.developer],
    phase: "end",
    prove({ exchanges, redactor }) {
      const real = ["DEVELOPER_KEY", "TESTER_KEY", "OTHER_DEVELOPER_KEY", "SPARE_KEY"];
      for (const exchange of exchanges) {
        const texts = [
          ...textsIn(exchange.json ?? exchange.text),
          ...Array.from(exchange.headers, ([, value]) => value),
        ];
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

/** Every text of a body but ids: the id of an account may be its key, and is shown as testerId. */
function textsIn(value: unknown, name = ""): string[] {
  if (typeof value === "string") return /id$/i.test(name) ? [] : [value];
  if (Array.isArray(value)) return value.flatMap((item) => textsIn(item, name));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([field, part]) => [field, ...textsIn(part, field)]);
}
