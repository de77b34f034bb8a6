import { randomBytes } from "node:crypto";
import { type Ask, type Fields, fieldsOf, isSuccess, operationOf, type WireResponse } from "../wire.ts";
import {
  type Interceptor,
  type Mutant,
  onWire,
  refusal,
  replaceHandler,
  rewriteBody,
  rewriteItems,
  rewriteRequest,
  withKey,
  without,
} from "./mutant.ts";

const detail = (change: (body: Fields) => unknown) => rewriteBody("getFeedback", change);
const part = (name: string, change: (body: Fields) => Fields) =>
  detail((body) => ({ ...body, [name]: change(fieldsOf(body[name])) }));
const bugs = (change: (bug: Fields, n: number) => Fields) =>
  detail((body) => ({ ...body, bugs: (body.bugs as Fields[]).map(change) }));
const stored = (change: (body: Fields) => Fields) =>
  rewriteRequest("createFeedback", (sent) => ({ ...sent, body: change(fieldsOf(sent.body)) }));
const sentBugs = (body: Fields) => (Array.isArray(body.bugs) ? (body.bugs as Fields[]) : []);

/** A PATCH of a draft that sends more than it was sent. */
const patchedWith = (more: (sent: Fields) => Fields) =>
  rewriteRequest("updateFeedback", (sent) => ({
    ...sent,
    body: { ...more(fieldsOf(sent.body)), ...fieldsOf(sent.body) },
  }));

/** Keeps changes that the reference refused, and shows them wherever the record is read. */
const writesAnyway =
  (
    operation: string,
    when: (sent: Parameters<Ask>[0], got: WireResponse) => boolean,
    change: (record: Fields, body: Fields) => Fields,
  ): Interceptor =>
  (ask) => {
    const written = new Map<string, Fields[]>();
    return async (sent) => {
      const got = await ask(sent);
      const record = sent.path.replace(/\/(helpful|reply)$/, "");
      if (operationOf(sent) === operation && when(sent, got))
        written.set(record, [...(written.get(record) ?? []), fieldsOf(sent.body)]);
      const changes = written.get(sent.path);
      return operationOf(sent) === "getFeedback" && changes && isSuccess(got)
        ? { ...got, body: changes.reduce(change, fieldsOf(got.body)) }
        : got;
    };
  };

export const feedbackMutants: readonly Mutant[] = [
  ...["uiFeedback", "uxFeedback", "bugs"].map((name) =>
    onWire(
      `feedback-detail-no-${name}`,
      ["S-FB-GET-1", "S-FB-CREATE-3"],
      `The detail has no ${name}.`,
      detail((body) => without(body, name)),
    ),
  ),
  ...["overallRating", "status", "createdAt"].map((name) =>
    onWire(
      `feedback-detail-no-${name}`,
      ["S-FB-GET-1", "S-FB-CREATE-3", "S-FB-PATCH-1"],
      `The detail has no ${name}.`,
      detail((body) => without(body, name)),
    ),
  ),
  onWire(
    "feedback-detail-no-projectId",
    ["S-FB-GET-1", "S-FB-CREATE-3"],
    "The detail has no projectId.",
    detail((body) => without(body, "projectId")),
  ),
  onWire(
    "feedback-detail-design-in-text",
    ["S-FB-GET-1", "S-FB-CREATE-3"],
    "The design rating is a string.",
    part("uiFeedback", (ui) => ({ ...ui, design: String(ui.design) })),
  ),
  onWire(
    "feedback-detail-no-suggestions",
    ["S-FB-GET-1", "S-FB-CREATE-3"],
    "uxFeedback lacks suggestions.",
    part("uxFeedback", (ux) => without(ux, "suggestions")),
  ),
  onWire(
    "feedback-detail-flat",
    ["S-FB-GET-1", "S-FB-CREATE-3"],
    "uiFeedback's fields stand beside the others.",
    detail((body) => ({ ...without(body, "uiFeedback"), ...fieldsOf(body.uiFeedback) })),
  ),
  onWire(
    "feedback-detail-bad-status",
    ["S-FB-GET-1"],
    "The detail's status is `open`.",
    detail((body) => ({ ...body, status: body.status === "submitted" ? "open" : body.status })),
  ),
  onWire(
    "feedback-detail-local-time",
    ["S-FB-GET-1"],
    "The detail's createdAt has no zone.",
    detail((body) => ({ ...body, createdAt: String(body.createdAt).replace("Z", "") })),
  ),

  onWire(
    "submit-status-pending",
    "S-FB-CREATE-1",
    "A submission is answered with the status pending.",
    rewriteBody("createFeedback", (body) => ({ ...body, status: body.status === "draft" ? "draft" : "pending" })),
  ),
  onWire(
    "submit-id-alone",
    "S-FB-CREATE-1",
    "A submission is answered with its id and status alone.",
    rewriteBody("createFeedback", ({ id, status }) => ({ id, status })),
  ),
  onWire(
    "submit-no-status",
    "S-FB-CREATE-1",
    "A submission is answered without a status.",
    rewriteBody("createFeedback", (body) => without(body, "status")),
  ),
  onWire(
    "submit-refuses-comments",
    "S-FB-CREATE-1",
    "A submission with comments is refused.",
    replaceHandler("createFeedback", async (sent, ask) => {
      const got = await ask({ ...sent, body: {} });
      return got.status === 400 && fieldsOf(sent.body).generalComments ? refusal(400, got) : ask(sent);
    }),
  ),
  onWire(
    "submit-keeps-draft",
    "S-FB-CREATE-1",
    "A submission is answered as submitted and kept as a draft.",
    (ask, keys, server) =>
      rewriteBody("createFeedback", (body, sent) => ({ ...body, status: fieldsOf(sent.body).status ?? "submitted" }))(
        stored((body) => ({ ...body, status: "draft" }))(ask, keys, server),
        keys,
        server,
      ),
  ),
  onWire(
    "bugs-without-ids",
    ["S-FB-CREATE-2"],
    "Bugs have no ids.",
    bugs((bug) => without(bug, "id")),
  ),
  onWire(
    "bugs-numbered",
    ["S-FB-CREATE-2"],
    "Bugs' ids are numbers.",
    bugs((bug, n) => ({ ...bug, id: n + 1 })),
  ),
  onWire(
    "bugs-one-id",
    ["S-FB-CREATE-2"],
    "Bugs all have the same id.",
    bugs((bug) => ({ ...bug, id: "bug" })),
  ),
  onWire(
    "bugs-new-ids",
    ["S-FB-CREATE-2", "S-FB-PATCH-1", "S-FB-PATCH-2", "S-AUTH-1", "S-ROLE-1"],
    "Bugs have new ids at each reading.",
    bugs((bug) => ({ ...bug, id: randomBytes(12).toString("hex") })),
  ),
  ...["high", "medium"].map((severity) =>
    onWire(
      `bugs-${severity}-refused`,
      ["S-FB-CREATE-2", ...(severity === "high" ? (["S-FB-CREATE-1"] as const) : [])],
      `The severity ${severity} is refused.`,
      replaceHandler("createFeedback", async (sent, ask) => {
        const got = await ask({ ...sent, body: {} });
        return got.status === 400 && sentBugs(fieldsOf(sent.body)).some((bug) => bug.severity === severity)
          ? refusal(400, got)
          : ask(sent);
      }),
    ),
  ),
  onWire(
    "read-rating-plus-one",
    ["S-FB-CREATE-3", "S-FB-PATCH-1"],
    "The rating reads back one higher.",
    detail((body) => ({ ...body, overallRating: Number(body.overallRating) + 1 })),
  ),
  onWire(
    "store-ratings-swapped",
    "S-FB-CREATE-3",
    "The ratings of design and navigation are swapped.",
    stored((body) => ({
      ...body,
      uiFeedback: { ...fieldsOf(body.uiFeedback), design: fieldsOf(body.uxFeedback).navigation },
      uxFeedback: { ...fieldsOf(body.uxFeedback), navigation: fieldsOf(body.uiFeedback).design },
    })),
  ),
  onWire(
    "store-no-layout",
    ["S-FB-CREATE-3", "S-FB-GET-1"],
    "The words on the layout are not kept.",
    stored((body) => ({ ...body, uiFeedback: without(fieldsOf(body.uiFeedback), "layout") })),
  ),
  onWire(
    "store-severity-medium",
    "S-FB-CREATE-3",
    "Every bug is kept as medium.",
    stored((body) => ({ ...body, bugs: sentBugs(body).map((bug) => ({ ...bug, severity: "medium" })) })),
  ),
  onWire(
    "store-one-bug",
    "S-FB-CREATE-3",
    "The first bug alone is kept.",
    stored((body) => ({ ...body, bugs: sentBugs(body).slice(0, 1) })),
  ),
  onWire(
    "store-no-bug-screenshot",
    "S-FB-CREATE-3",
    "A bug's screenshot is not kept.",
    stored((body) => ({ ...body, bugs: sentBugs(body).map((bug) => without(bug, "screenshot")) })),
  ),
  onWire(
    "store-comments-cut",
    ["S-FB-CREATE-3", "S-FB-CREATE-1"],
    "The comments are cut.",
    stored((body) => ({ ...body, generalComments: String(body.generalComments).slice(0, 5) })),
  ),
  onWire(
    "store-steps-wrong",
    "S-FB-CREATE-3",
    "A bug's steps are its description.",
    stored((body) => ({
      ...body,
      bugs: sentBugs(body).map((bug) => ({ ...bug, stepsToReproduce: bug.description })),
    })),
  ),
  onWire(
    "author-is-owner",
    "S-FB-CREATE-3",
    "Feedback's author is whoever owns the project.",
    (ask, keys, server) => async (sent) => {
      const got = await ask(sent);
      const owner = server.accounts[0]?.id;
      const owned = (record: unknown) => ({ ...fieldsOf(record), testerId: owner });
      if (!isSuccess(got)) return got;
      if (["createFeedback", "getFeedback"].includes(operationOf(sent))) return { ...got, body: owned(got.body) };
      return rewriteItems("listFeedback", owned)(async () => got, keys, server)(sent);
    },
  ),
  onWire(
    "author-by-chance",
    "S-FB-CREATE-3",
    "Feedback's author is somebody else each time.",
    detail((body) => ({ ...body, testerId: `acc_${String(body.id).slice(-6)}` })),
  ),
  onWire("project-is-first", "S-FB-CREATE-3", "Feedback's project is the first that had any.", (ask) => {
    let first: unknown;
    return async (sent) => {
      const got = await ask(sent);
      if (operationOf(sent) !== "getFeedback" || !isSuccess(got)) return got;
      first ??= fieldsOf(got.body).projectId;
      return { ...got, body: { ...fieldsOf(got.body), projectId: first } };
    };
  }),

  onWire(
    "draft-rating-reset",
    "S-FB-PATCH-1",
    "A change of comments resets the rating.",
    patchedWith(() => ({ overallRating: 1 })),
  ),
  onWire(
    "draft-drops-bugs",
    "S-FB-PATCH-1",
    "A change drops the bugs.",
    patchedWith(() => ({ bugs: [] })),
  ),
  onWire(
    "draft-drops-ui",
    "S-FB-PATCH-1",
    "A change drops uiFeedback.",
    patchedWith(() => ({ uiFeedback: null })),
  ),
  onWire(
    "draft-drops-comments",
    "S-FB-PATCH-1",
    "A new rating drops the comments.",
    patchedWith(() => ({ generalComments: null })),
  ),
  onWire(
    "draft-submitted",
    ["S-FB-PATCH-1", "S-FB-PATCH-2"],
    "A change submits the draft.",
    patchedWith(() => ({ status: "submitted" })),
  ),
  onWire(
    "draft-refused",
    ["S-FB-PATCH-1", "S-FB-PATCH-2", "S-AUTH-1"],
    "A draft cannot be changed.",
    replaceHandler("updateFeedback", async (sent, ask, keys) => {
      const got = await ask({ ...sent, body: { unknown: 1 } });
      return got.status === 400 && keys ? refusal(409, got) : got;
    }),
  ),
  onWire(
    "draft-not-stored",
    "S-FB-PATCH-1",
    "A change is answered and not kept.",
    replaceHandler("updateFeedback", async (sent, ask) => {
      const got = await ask({ ...sent, body: {} });
      return isSuccess(got) ? { ...got, body: { ...fieldsOf(got.body), ...fieldsOf(sent.body) } } : got;
    }),
  ),
  onWire(
    "draft-answers-no-rating",
    "S-FB-PATCH-1",
    "A change answers no rating.",
    rewriteBody("updateFeedback", (body) => without(body, "overallRating")),
  ),
  onWire(
    "draft-answers-old",
    "S-FB-PATCH-1",
    "A change answers the rating as it was.",
    replaceHandler("updateFeedback", async (sent, ask) => {
      const before = fieldsOf((await ask({ ...sent, method: "GET", body: undefined })).body);
      const got = await ask(sent);
      return isSuccess(got) ? { ...got, body: { ...fieldsOf(got.body), overallRating: before.overallRating } } : got;
    }),
  ),
  ...["overallRating", "generalComments"].map((name) =>
    onWire(
      `draft-ignores-${name}`,
      "S-FB-PATCH-1",
      `A change of ${name} is ignored.`,
      rewriteRequest("updateFeedback", (sent) => ({ ...sent, body: without(fieldsOf(sent.body), name) })),
    ),
  ),

  onWire("rule-unkept", "S-FB-PATCH-2", "Submitted feedback can be changed.", (ask, keys, server) => {
    const change = writesAnyway(
      "updateFeedback",
      (_, got) => got.status === 409,
      (record, body) => ({ ...record, ...body }),
    )(ask, keys, server);
    return async (sent) => {
      const got = await change(sent);
      return operationOf(sent) === "updateFeedback" && got.status === 409
        ? { ...got, ...(await change({ ...sent, method: "GET", body: undefined })) }
        : got;
    };
  }),
  onWire(
    "rule-in-answer-only",
    "S-FB-PATCH-2",
    "A change of submitted feedback is refused, and made.",
    writesAnyway(
      "updateFeedback",
      (_, got) => got.status === 409,
      (record, body) => ({ ...record, ...body }),
    ),
  ),
  onWire(
    "rule-guards-rating-only",
    "S-FB-PATCH-2",
    "The comments of submitted feedback can be changed.",
    replaceHandler("updateFeedback", async (sent, ask) => {
      const got = await ask(sent);
      return got.status === 409 && fieldsOf(sent.body).overallRating === undefined
        ? { ...(await ask({ ...sent, method: "GET", body: undefined })) }
        : got;
    }),
  ),
  onWire(
    "rule-silent",
    "S-FB-PATCH-2",
    "A change of submitted feedback is answered 200 and not made.",
    replaceHandler("updateFeedback", async (sent, ask) => {
      const got = await ask(sent);
      return got.status === 409 ? ask({ ...sent, method: "GET", body: undefined }) : got;
    }),
  ),
  onWire(
    "rule-not-for-developers",
    "S-FB-PATCH-2",
    "A developer can change submitted feedback.",
    replaceHandler("updateFeedback", async (sent, ask, keys) => {
      const got = await ask(sent);
      const developer = sent.headers.authorization === `Bearer ${keys.developer}`;
      return developer && got.status >= 400 ? ask({ ...sent, method: "GET", body: undefined }) : got;
    }),
  ),
  onWire(
    "rule-developer-in-store",
    "S-FB-PATCH-2",
    "A developer's change of submitted feedback is refused, and made.",
    (ask, keys, server) =>
      writesAnyway(
        "updateFeedback",
        (sent, got) => got.status >= 400 && sent.headers.authorization === `Bearer ${keys.developer}`,
        (record, body) => ({ ...record, ...body }),
      )(ask, keys, server),
  ),
];

export const developerMutants: readonly Mutant[] = [
  onWire(
    "helpful-not-counted",
    "S-FB-HELP-1",
    "A mark counts nothing.",
    rewriteBody("markFeedbackHelpful", (body) => ({ ...body, helpfulCount: 0 })),
  ),
  onWire(
    "helpful-counted-twice",
    "S-FB-HELP-1",
    "A mark counts two.",
    rewriteBody("markFeedbackHelpful", (body) => ({ ...body, helpfulCount: 2 * Number(body.helpfulCount) })),
  ),
  onWire(
    "helpful-in-text",
    "S-FB-HELP-1",
    "helpfulCount is a string.",
    rewriteBody("markFeedbackHelpful", (body) => ({ ...body, helpfulCount: String(body.helpfulCount) })),
  ),
  onWire(
    "helpful-no-success",
    "S-FB-HELP-1",
    "A mark answers no success.",
    rewriteBody("markFeedbackHelpful", (body) => without(body, "success")),
  ),
  onWire(
    "helpful-empty",
    "S-FB-HELP-1",
    "A mark answers 204.",
    replaceHandler("markFeedbackHelpful", async (sent, ask) => {
      const got = await ask(sent);
      return isSuccess(got) ? { ...got, status: 204, body: undefined } : got;
    }),
  ),
  onWire(
    "helpful-not-stored",
    ["S-FB-HELP-1", "S-FB-LIST-3"],
    "A mark is answered and not kept.",
    replaceHandler("markFeedbackHelpful", async (sent, ask) => {
      const got = await ask({ ...sent, path: "/feedback/none/helpful" });
      return got.status === 404 ? { ...got, status: 200, body: { success: true, helpfulCount: 1 } } : got;
    }),
  ),
  onWire(
    "helpful-missing",
    ["S-FB-HELP-1", "S-BASE-1"],
    "There is no way to mark feedback.",
    replaceHandler("markFeedbackHelpful", async (sent, ask) => ask({ ...sent, path: "/feedback/none/helpful" })),
  ),
  onWire(
    "reply-dropped",
    "S-FB-REPLY-1",
    "A reply is answered and not kept.",
    detail((body) => ({ ...body, developerResponse: null })),
  ),
  onWire(
    "reply-resolves-nothing",
    "S-FB-REPLY-1",
    "resolvedItems are dropped.",
    rewriteRequest("replyToFeedback", (sent) => ({ ...sent, body: without(fieldsOf(sent.body), "resolvedItems") })),
  ),
  onWire(
    "reply-resolves-index",
    "S-FB-REPLY-1",
    "resolvedItems are answered as places.",
    rewriteBody("replyToFeedback", (body) => ({
      ...body,
      developerResponse: { ...fieldsOf(body.developerResponse), resolvedItems: [0] },
    })),
  ),
  onWire(
    "reply-no-date",
    "S-FB-REPLY-1",
    "A reply has no createdAt.",
    rewriteBody("replyToFeedback", (body) => ({
      ...body,
      developerResponse: without(fieldsOf(body.developerResponse), "createdAt"),
    })),
  ),
  onWire(
    "reply-unix-time",
    "S-FB-REPLY-1",
    "A reply's createdAt is Unix time.",
    rewriteBody("replyToFeedback", (body) => ({
      ...body,
      developerResponse: { ...fieldsOf(body.developerResponse), createdAt: Date.now() },
    })),
  ),
  onWire(
    "reply-bare",
    "S-FB-REPLY-1",
    "The reply is answered without its wrapping.",
    rewriteBody("replyToFeedback", (body) => body.developerResponse),
  ),
  onWire(
    "reply-success-in-text",
    "S-FB-REPLY-1",
    "A reply answers success as a string.",
    rewriteBody("replyToFeedback", (body) => ({ ...body, success: "yes" })),
  ),
  onWire(
    "reply-cut",
    "S-FB-REPLY-1",
    "A reply's message is cut.",
    rewriteRequest("replyToFeedback", (sent) => ({
      ...sent,
      body: { ...fieldsOf(sent.body), message: String(fieldsOf(sent.body).message).slice(0, 10) },
    })),
  ),

  ...(
    [
      ["helpful", "markFeedbackHelpful", "S-FB-HELP-1"],
      ["reply", "replyToFeedback", "S-FB-REPLY-1"],
    ] as const
  ).flatMap(([name, operation, clause]) => [
    onWire(
      `tester-can-${name}`,
      ["S-ROLE-1", clause],
      `A tester can ${name === "reply" ? "reply" : "mark"}.`,
      replaceHandler(operation, async (sent, ask, keys, server) => {
        const got = await ask(sent);
        const developer = server.accounts[0];
        const byTester = sent.headers.authorization === `Bearer ${keys.tester}`;
        return byTester && developer ? { ...server.perform(sent, developer), headers: got.headers } : got;
      }),
    ),
    onWire(
      `tester-${name}-refused-and-done`,
      ["S-ROLE-1", clause],
      `A tester's ${name} is refused, and done.`,
      replaceHandler(operation, async (sent, ask, keys) => {
        const got = await ask(sent);
        if (got.status === 403) await ask(withKey(sent, keys.developer));
        return got;
      }),
    ),
  ]),
  onWire(
    "tester-helpful-silent",
    ["S-ROLE-1", "S-FB-HELP-1"],
    "A tester's mark is answered 200 and not made.",
    replaceHandler("markFeedbackHelpful", async (sent, ask) => {
      const got = await ask(sent);
      return got.status === 403 ? { ...got, status: 200, body: { success: false, helpfulCount: 0 } } : got;
    }),
  ),
];
