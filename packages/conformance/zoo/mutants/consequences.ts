import { type Fields, fieldsOf, isSuccess, itemsOf, operationOf, type WireRequest } from "../wire.ts";
import { type Mutant, onWire, replaceHandler, rewriteBody, rewriteItems, rewriteRequest, withQuery } from "./mutant.ts";

const idOf = ({ path }: WireRequest) => decodeURIComponent(path.split("/")[2] ?? "");

/** A change of submitted feedback that is let through, under a condition on what is sent. */
const ruleLifted = (
  id: string,
  description: string,
  meant: (body: Fields, state: { marks: number; replies: number }) => boolean,
): Mutant =>
  onWire(
    `rule-lifted-${id}`,
    "S-FB-PATCH-2",
    description,
    replaceHandler("updateFeedback", async (request, ask, _, server) => {
      const got = await ask(request);
      const feedback = server.feedback.find((one) => one.id === idOf(request));
      if (got.status !== 409 || !feedback) return got;
      const body = fieldsOf(request.body);
      if (!meant(body, { marks: feedback.marks.length, replies: feedback.replies.length })) return got;
      const { bugs, ...fields } = body;
      Object.assign(feedback.fields, fields);
      if (Array.isArray(bugs)) feedback.bugs = bugs.map((bug, n) => ({ ...fieldsOf(bug), id: `bug-${n}` }));
      const { status, body: shown } = server.perform({ ...request, method: "GET", body: undefined }, feedback.author);
      return { ...got, status, body: shown };
    }),
  );

const fields = ["overallRating", "generalComments", "uiFeedback", "uxFeedback", "bugs"];
const changes: readonly (readonly [string, (text: string) => string])[] = [
  ["cut", (text) => text.slice(0, 100)],
  ["escaped", (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")],
  ["one-line", (text) => text.replace(/[\n\t]+/g, " ")],
  ["untagged", (text) => text.replace(/<[^>]*>/g, "")],
  ["without-astral", (text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, "?")],
  ["without-backslashes", (text) => text.replaceAll("\\", "")],
  ["unescaped", (text) => text.replaceAll("&amp;", "&").replaceAll("&lt;", "<")],
];

/** Every text of a value, changed. */
function withTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((one) => withTexts(one, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withTexts(part, change)]));
}

const stored = (operation: string, change: (text: string) => string) =>
  rewriteRequest(operation, (request) => ({ ...request, body: withTexts(request.body, change) }));

const developers = (request: WireRequest, key: string) => request.headers.authorization === `Bearer ${key}`;

export const consequenceMutants: readonly Mutant[] = [
  ...fields.map((field) =>
    ruleLifted(
      `for-${field}`,
      `${field} alone can be changed in submitted feedback.`,
      (body) => Object.keys(body).join() === field,
    ),
  ),
  ruleLifted("after-mark", "Feedback that was marked can be changed.", (_, { marks }) => marks > 0),
  ruleLifted("after-reply", "Feedback that was replied to can be changed.", (_, { replies }) => replies > 0),
  onWire(
    "rule-back-to-draft",
    "S-FB-PATCH-2",
    "An attempt to change submitted feedback is refused, and rejects it.",
    replaceHandler("updateFeedback", async (request, ask, _, server) => {
      const got = await ask(request);
      const feedback = server.feedback.find((one) => one.id === idOf(request));
      if (got.status === 409 && feedback) feedback.status = "rejected";
      return got;
    }),
  ),

  ...changes.flatMap(([id, change]) => [
    onWire(
      `project-texts-${id}`,
      ["S-PROJ-CREATE-2", "S-PROJ-CREATE-1", "S-PROJ-LIST-1"],
      `Texts of projects are kept ${id.replaceAll("-", " ")}.`,
      (ask, keys, server) =>
        stored("createProject", change)(stored("updateProject", change)(ask, keys, server), keys, server),
    ),
    onWire(
      `feedback-texts-${id}`,
      ["S-FB-CREATE-3", "S-FB-CREATE-1"],
      `Texts of feedback are kept ${id.replaceAll("-", " ")}.`,
      stored("createFeedback", change),
    ),
    onWire(
      `reply-texts-${id}`,
      "S-FB-REPLY-1",
      `Messages of replies are kept ${id.replaceAll("-", " ")}.`,
      stored("replyToFeedback", change),
    ),
    onWire(
      `patch-texts-${id}`,
      "S-PROJ-PATCH-1",
      `Texts of a PATCH are kept ${id.replaceAll("-", " ")}.`,
      stored("updateProject", change),
    ),
  ]),

  onWire(
    "patch-changes-others",
    "S-PROJ-PATCH-1",
    "A PATCH changes the other projects of its owner too.",
    replaceHandler("updateProject", async (request, ask, _, server) => {
      const got = await ask(request);
      const project = server.projects.find((one) => one.id === idOf(request));
      for (const other of isSuccess(got) ? server.projects : [])
        if (other.owner === project?.owner) Object.assign(other.fields, request.body);
      return got;
    }),
  ),
  onWire(
    "patch-changes-next",
    "S-PROJ-PATCH-1",
    "A PATCH of a title renames the first project too.",
    replaceHandler("updateProject", async (request, ask, _, server) => {
      const got = await ask(request);
      const first = server.projects.find((one) => one.owner === server.accounts[0]);
      if (first && isSuccess(got) && first.id !== idOf(request)) first.fields.title = "Renamed";
      return got;
    }),
  ),
  onWire(
    "patch-list-stale",
    ["S-PROJ-PATCH-1", "S-PROJ-LIST-1"],
    "Lists show a project as it was created.",
    (ask, keys, server) => {
      const first = new Map<string, Fields>();
      return async (request) => {
        const got = await rewriteItems("listProjects", (item) => ({ ...item, ...first.get(String(item.id)) }))(
          ask,
          keys,
          server,
        )(request);
        const { id, title, description } = fieldsOf(got.body);
        if (operationOf(request) === "createProject" && isSuccess(got)) first.set(String(id), { title, description });
        return got;
      };
    },
  ),
  onWire(
    "delete-others",
    "S-PROJ-DELETE-1",
    "A DELETE deletes the other projects of its owner.",
    replaceHandler("deleteProject", async (request, ask, _, server) => {
      const got = await ask(request);
      for (const project of isSuccess(got) ? server.projects : [])
        if (project.owner === server.accounts[0]) project.deleted = true;
      return got;
    }),
  ),
  onWire(
    "delete-first",
    "S-PROJ-DELETE-1",
    "A DELETE deletes the oldest project too.",
    replaceHandler("deleteProject", async (request, ask, _, server) => {
      const got = await ask(request);
      const first = server.projects.find((one) => one.owner === server.accounts[0] && !one.deleted);
      if (first && isSuccess(got)) first.deleted = true;
      return got;
    }),
  ),
  onWire(
    "delete-feedback-of-others",
    "S-PROJ-DELETE-1",
    "A DELETE deletes all feedback.",
    replaceHandler("deleteProject", async (request, ask, _, server) => {
      const got = await ask(request);
      if (isSuccess(got)) server.feedback.length = 0;
      return got;
    }),
  ),
  ...(
    [
      ["for-testers", "for testers", (request: WireRequest, key: string) => developers(request, key)],
      ["by-status", "under status", (request: WireRequest) => request.query.status !== undefined],
      ["by-category", "under category", (request: WireRequest) => request.query.category !== undefined],
      ["by-search", "under search", (request: WireRequest) => request.query.search !== undefined],
    ] as const
  ).map(([id, description, meant]) =>
    onWire(
      `delete-still-listed-${id}`,
      "S-PROJ-DELETE-1",
      `A deleted project is still listed ${description}.`,
      replaceHandler("listProjects", async (request, ask, keys, server) => {
        const got = await ask(request);
        if (!meant(request, keys.tester) || !isSuccess(got)) return got;
        const { search = "", category, status } = request.query;
        const gone = server.projects.filter(
          (one) =>
            one.deleted &&
            `${one.fields.title} ${one.fields.description}`.includes(search) &&
            [undefined, one.fields.category].includes(category) &&
            [undefined, one.status].includes(status),
        );
        const body = fieldsOf(got.body);
        const numbers = fieldsOf(body.pagination);
        const extra = gone.map((one) => {
          const { title, description: text, category: kind } = one.fields;
          return {
            id: one.id,
            title,
            description: text,
            category: kind,
            status: one.status,
            createdAt: new Date(one.created).toISOString(),
          };
        });
        const perPage = Number(numbers.perPage);
        return {
          ...got,
          body: {
            data: [...extra, ...itemsOf(body)].slice(0, perPage),
            pagination: { ...numbers, total: Number(numbers.total) + extra.length },
          },
        };
      }),
    ),
  ),
  onWire(
    "delete-still-counted",
    ["S-PROJ-DELETE-1", "S-PAGE-1", "S-PROJ-LIST-3", "S-PROJ-LIST-4", "S-PROJ-LIST-5"],
    "A deleted project is still counted in totals.",
    replaceHandler("listProjects", async (request, ask, _, server) => {
      const got = await ask(request);
      const gone = server.projects.filter((one) => one.deleted).length;
      const body = fieldsOf(got.body);
      const numbers = fieldsOf(body.pagination);
      return isSuccess(got)
        ? { ...got, body: { ...body, pagination: { ...numbers, total: Number(numbers.total) + gone } } }
        : got;
    }),
  ),

  onWire(
    "feedback-bugs-reversed",
    "S-FB-CREATE-3",
    "Bugs read back in another order.",
    rewriteBody("getFeedback", (body) => ({ ...body, bugs: (body.bugs as unknown[]).toReversed() })),
  ),
  onWire(
    "reply-resolves-first",
    "S-FB-REPLY-1",
    "A reply keeps the first resolved bug alone.",
    rewriteBody("replyToFeedback", (body) => {
      const response = fieldsOf(body.developerResponse);
      return {
        ...body,
        developerResponse: { ...response, resolvedItems: (response.resolvedItems as unknown[]).slice(0, 1) },
      };
    }),
  ),
  onWire(
    "feedback-unread-by-developers",
    ["S-FB-GET-1", "S-PROJ-DELETE-1"],
    "Developers cannot read feedback.",
    replaceHandler("getFeedback", async (request, ask, keys) => {
      const got = await ask(request);
      return developers(request, keys.developer) && isSuccess(got)
        ? { ...got, status: 404, body: { error: "No", message: "No." } }
        : got;
    }),
  ),
  onWire(
    "feedback-cut-for-developers",
    ["S-FB-GET-1"],
    "Developers see feedback without its bugs.",
    replaceHandler("getFeedback", async (request, ask, keys) => {
      const got = await ask(request);
      const { bugs: _, ...rest } = fieldsOf(got.body);
      return developers(request, keys.developer) && isSuccess(got) ? { ...got, body: rest } : got;
    }),
  ),
  onWire(
    "stats-missing-for-testers",
    "S-PROJ-GET-1",
    "Testers see a project without stats.",
    replaceHandler("getProject", async (request, ask, keys) => {
      const got = await ask(request);
      const { stats: _, ...rest } = fieldsOf(got.body);
      return developers(request, keys.tester) && isSuccess(got) ? { ...got, body: rest } : got;
    }),
  ),
  onWire(
    "stats-null-with-feedback",
    "S-PROJ-GET-1",
    "stats is null once feedback exists.",
    rewriteBody("getProject", (body) =>
      Number(fieldsOf(body.stats).feedbackCount) > 0 ? { ...body, stats: null } : body,
    ),
  ),
  onWire("author-is-first", "S-FB-CREATE-3", "All feedback has the author of the first.", (ask) => {
    let first: unknown;
    return async (request) => {
      const got = await ask(request);
      if (operationOf(request) !== "getFeedback" || !isSuccess(got)) return got;
      const body = fieldsOf(got.body);
      first ??= `${body.testerId}-x`;
      return { ...got, body: { ...body, testerId: first } };
    };
  }),
  onWire(
    "draft-list-stale",
    ["S-FB-PATCH-1", "S-FB-LIST-1"],
    "Lists show the first rating of a draft.",
    (ask, keys, server) => {
      const first = new Map<string, unknown>();
      return async (request) => {
        const got = await rewriteItems("listFeedback", (item) => ({
          ...item,
          overallRating: first.get(String(item.id)) ?? item.overallRating,
        }))(
          ask,
          keys,
          server,
        )(request);
        const { id, overallRating } = fieldsOf(got.body);
        if (operationOf(request) === "createFeedback" && isSuccess(got)) first.set(String(id), overallRating);
        return got;
      };
    },
  ),
  ...(["markFeedbackHelpful", "replyToFeedback"] as const).map((operation) =>
    onWire(
      `${operation}-changes-rating`,
      operation === "markFeedbackHelpful" ? ["S-FB-HELP-1", "S-FB-LIST-3"] : ["S-FB-REPLY-1"],
      `${operation} changes the rating of the feedback.`,
      replaceHandler(operation, async (request, ask, _, server) => {
        const got = await ask(request);
        const feedback = server.feedback.find((one) => one.id === idOf(request));
        if (isSuccess(got) && feedback) feedback.fields.overallRating = 5;
        return got;
      }),
    ),
  ),
  onWire(
    "marks-shared",
    ["S-FB-HELP-1", "S-FB-LIST-3"],
    "A mark counts for all feedback.",
    replaceHandler("markFeedbackHelpful", async (request, ask, _, server) => {
      const got = await ask(request);
      if (isSuccess(got)) for (const one of server.feedback) if (one.marks.length === 0) one.marks.push("shared");
      return got;
    }),
  ),
  onWire(
    "projects-page-3-empty",
    ["S-PROJ-LIST-2", "S-PAGE-1"],
    "Page 3 is always empty.",
    replaceHandler("listProjects", async (request, ask) => {
      const got = await ask(request);
      return request.query.page === "3" && isSuccess(got) ? { ...got, body: { ...fieldsOf(got.body), data: [] } } : got;
    }),
  ),
  onWire(
    "feedback-page-3-is-2",
    ["S-FB-LIST-3", "S-PAGE-1"],
    "Page 3 repeats page 2.",
    replaceHandler("listFeedback", async (request, ask) => {
      if (request.query.page !== "3") return ask(request);
      const got = await ask(withQuery(request, { page: "2" }));
      const body = fieldsOf(got.body);
      return isSuccess(got)
        ? { ...got, body: { ...body, pagination: { ...fieldsOf(body.pagination), page: 3 } } }
        : got;
    }),
  ),
];
