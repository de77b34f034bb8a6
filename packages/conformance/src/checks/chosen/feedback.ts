import { isDeepStrictEqual } from "node:util";
import { isRecord, type Json } from "../../engine/assertions.ts";
import { idsOf } from "../../evidence/lists.ts";
import { chosen } from "../declare.ts";
import { aFeedback, aProject, assert, assertStatus, fieldsOf, tryFeedback } from "./expect.ts";

const bug = { description: "A bed is lost.", severity: "high" };
const draft = { status: "draft" };
const idOfPath = (path: string) => decodeURIComponent(path.split("/")[2] ?? "");
const bugsOf = (record: Json): Json[] => (Array.isArray(record.bugs) ? record.bugs.filter(isRecord) : []);

export const feedback = [
  chosen({
    id: "chosen.feedback-detail",
    title: "Feedback's detail has comments, count, response and steps, null for what is absent; POST answers it whole.",
    clauses: ["C-SHOW-1"],
    cost: { developer: 2, tester: 2 },
    writes: true,
    async prove(context) {
      const created = assertStatus(
        await tryFeedback(context, await aProject(context), { overallRating: 3, bugs: [bug] }),
        201,
      );
      const read = await context.send("tester", "GET", `/feedback/${fieldsOf(created).id}`);
      const { uiFeedback, uxFeedback, generalComments, helpfulCount, developerResponse } = fieldsOf(read);
      const seen = {
        uiFeedback,
        uxFeedback,
        generalComments,
        helpfulCount,
        developerResponse,
        steps: bugsOf(fieldsOf(read))[0]?.stepsToReproduce,
      };
      const expected = {
        uiFeedback: null,
        uxFeedback: null,
        generalComments: null,
        helpfulCount: 0,
        developerResponse: null,
        steps: null,
      };
      assert(isDeepStrictEqual(seen, expected), "absent values are others", read, expected, seen);
      assert(
        isDeepStrictEqual(created.json, read.json),
        "POST did not answer the whole detail",
        created,
        read.json,
        created.json,
      );
    },
  }),
  chosen({
    id: "chosen.sort-downward",
    title: "Feedback is newest first; sort goes from the newest, the highest and the most.",
    clauses: ["C-LIST-2"],
    cost: { developer: 3, tester: 7 },
    writes: true,
    async prove(context) {
      const project = await aProject(context);
      const made: string[] = [];
      for (const overallRating of [3, 5, 1]) made.push(await aFeedback(context, project, { overallRating }));
      const [a, b, c] = made.map(idOfPath) as [string, string, string];
      assertStatus(await context.send("developer", "POST", `/feedback/${b}/helpful`), 200);
      for (const [query, expected] of [
        [{}, [c, b, a]],
        [{ sort: "date" }, [c, b, a]],
        [{ sort: "rating" }, [b, a, c]],
        [{ sort: "helpful" }, [b, c, a]],
      ] as const) {
        const list = assertStatus(await context.send("tester", "GET", `${project}/feedback`, { query }), 200);
        assert(isDeepStrictEqual(idsOf(list), expected), "the order is another", list, expected, idsOf(list));
      }
    },
  }),
  chosen({
    id: "chosen.draft",
    title:
      "A draft is made with status: draft, changed in every field, keeps the ids of bugs that are sent with them, and is submitted by a PATCH.",
    clauses: ["C-FB-1", "C-SHOW-1"],
    cost: { developer: 2, tester: 4 },
    writes: true,
    async prove(context) {
      const project = await aProject(context);
      const created = assertStatus(
        await tryFeedback(context, project, {
          overallRating: 3,
          uiFeedback: { design: 1, colors: "x" },
          bugs: [bug, bug],
          ...draft,
        }),
        201,
      );
      const path = `/feedback/${fieldsOf(created).id}`;
      const kept = bugsOf(fieldsOf(created))[1]?.id;
      const body = {
        overallRating: 5,
        uiFeedback: { design: 2 },
        uxFeedback: { navigation: 3 },
        bugs: [{ ...bug, id: kept, severity: "low" }, bug],
        generalComments: "y",
      };
      const changed = assertStatus(await context.send("tester", "PATCH", path, { body }), 200);
      const { uiFeedback, overallRating, generalComments, status } = fieldsOf(changed);
      const seen = {
        uiFeedback,
        overallRating,
        generalComments,
        status,
        kept: bugsOf(fieldsOf(changed))[0]?.id,
        bugs: bugsOf(fieldsOf(changed)).length,
      };
      const expected = {
        uiFeedback: { design: 2, colors: null, typography: null, layout: null },
        overallRating: 5,
        generalComments: "y",
        status: "draft",
        kept,
        bugs: 2,
      };
      assert(isDeepStrictEqual(seen, expected), "the draft was changed otherwise", changed, expected, seen);
      const submitted = assertStatus(
        await context.send("tester", "PATCH", path, { body: { status: "submitted" } }),
        200,
      );
      assert(
        fieldsOf(submitted).status === "submitted",
        "it was not submitted",
        submitted,
        "submitted",
        fieldsOf(submitted).status,
      );
      assertStatus(await context.send("tester", "PATCH", path, { body: { overallRating: 1 } }), 409);
    },
  }),
  chosen({
    id: "chosen.feedback-changes",
    title: "A PATCH of feedback past draft is a 409 to its author and a 403 to others.",
    clauses: ["C-FB-2"],
    cost: { developer: 3, tester: 2 },
    writes: true,
    async prove(context) {
      const path = await aFeedback(context, await aProject(context));
      const change = { body: { overallRating: 1 } };
      assertStatus(await context.send("tester", "PATCH", path, change), 409);
      assertStatus(await context.send("developer", "PATCH", path, change), 403);
    },
  }),
  chosen({
    id: "chosen.feedback-taken",
    title: "Feedback is taken while its project is active, else 409, from either role.",
    clauses: ["C-FB-3"],
    cost: { developer: 5, tester: 2 },
    writes: true,
    async prove(context) {
      const project = await aProject(context);
      assertStatus(await tryFeedback(context, project, { overallRating: 3 }, "developer"), 201);
      for (const status of ["completed", "archived"]) {
        assertStatus(await context.send("developer", "PATCH", project, { body: { status } }), 200);
        assertStatus(await tryFeedback(context, project, { overallRating: 3 }), 409);
      }
    },
  }),
  chosen({
    id: "chosen.draft-visibility",
    title: "A draft is seen by its author alone: a 404, and in no list, to others.",
    clauses: ["C-FB-4", "C-HELP-1"],
    cost: { developer: 5, tester: 2 },
    writes: true,
    async prove(context) {
      const project = await aProject(context);
      const path = await aFeedback(context, project, draft);
      assertStatus(await context.send("developer", "GET", path), 404);
      assertStatus(await context.send("developer", "POST", `${path}/helpful`), 404);
      const theirs = await context.send("developer", "GET", `${project}/feedback`);
      assert(idsOf(theirs).length === 0, "another's draft is listed", theirs, [], idsOf(theirs));
      const own = await context.send("tester", "GET", `${project}/feedback`, { query: draft });
      assert(idsOf(own).length === 1, "the author's draft is not listed", own, [idOfPath(path)], idsOf(own));
    },
  }),
  chosen({
    id: "chosen.moderation",
    title: "The owner approves or rejects submitted feedback once; again is a 409, anyone else a 403.",
    clauses: ["C-FB-5"],
    cost: { developer: 5, tester: 3 },
    writes: true,
    async prove(context) {
      const project = await aProject(context);
      for (const [verb, status] of [
        ["approve", "approved"],
        ["reject", "rejected"],
      ] as const) {
        const path = await aFeedback(context, project);
        if (verb === "approve") assertStatus(await context.send("tester", "POST", `${path}/approve`), 403);
        const done = assertStatus(await context.send("developer", "POST", `${path}/${verb}`), 200);
        assert(fieldsOf(done).status === status, "the status is another", done, status, fieldsOf(done).status);
        if (verb === "reject") assertStatus(await context.send("developer", "POST", `${path}/approve`), 409);
      }
    },
  }),
  chosen({
    id: "chosen.marks",
    title: "A developer account has one mark for each feedback; an author cannot mark a draft.",
    clauses: ["C-HELP-1"],
    cost: { developer: 6, tester: 2 },
    writes: true,
    async prove(context) {
      const project = await aProject(context);
      const path = await aFeedback(context, project);
      for (let turn = 0; turn < 2; turn += 1) {
        const marked = assertStatus(await context.send("developer", "POST", `${path}/helpful`), 200);
        assert(fieldsOf(marked).helpfulCount === 1, "a repeated mark counts", marked, 1, fieldsOf(marked).helpfulCount);
      }
      const read = await context.send("tester", "GET", path);
      assert(fieldsOf(read).helpfulCount === 1, "the detail tells another count", read, 1, fieldsOf(read).helpfulCount);
      const own = await aFeedback(context, project, draft, "developer");
      assertStatus(await context.send("developer", "POST", `${own}/helpful`), 409);
    },
  }),
  chosen({
    id: "chosen.replies",
    title: "A later reply replaces the earlier; resolvedItems default to none and name bugs of that feedback alone.",
    clauses: ["C-REPLY-1"],
    cost: { developer: 5, tester: 2 },
    writes: true,
    async prove(context) {
      const path = await aFeedback(context, await aProject(context), { bugs: [bug] });
      const reply = (body: Json) => context.send("developer", "POST", `${path}/reply`, { body });
      assertStatus(await reply({ message: "one" }), 200);
      assertStatus(await reply({ message: "none", resolvedItems: ["nothing"] }), 400);
      assertStatus(await reply({ message: "two" }), 200);
      const read = await context.send("tester", "GET", path);
      const response = fieldsOf(read).developerResponse;
      const kept = isRecord(response) && response.message === "two" && isDeepStrictEqual(response.resolvedItems, []);
      assert(
        kept,
        "the later reply did not replace the earlier",
        read,
        { message: "two", resolvedItems: [] },
        response,
      );
    },
  }),
  chosen({
    id: "chosen.replies-of-the-owner",
    title: "Only the project's owner replies, which is a 403 to another developer.",
    clauses: ["C-REPLY-1"],
    provisions: ["otherDeveloper"],
    cost: { developer: 2, tester: 1, otherDeveloper: 1 },
    writes: true,
    async prove(context) {
      const path = await aFeedback(context, await aProject(context));
      assertStatus(
        await context.send("otherDeveloper", "POST", `${path}/reply`, { body: { message: "not mine" } }),
        403,
      );
    },
  }),
];
