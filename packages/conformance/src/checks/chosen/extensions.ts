import { isDeepStrictEqual } from "node:util";
import { idsOf, itemsOf } from "../../evidence/lists.ts";
import { chosen } from "../declare.ts";
import { aFeedback, aProject, assert, assertStatus, fieldsOf } from "./expect.ts";

/** The query of the next page in a Link header. */
const nextQuery = (link: string | null): Record<string, string> | undefined => {
  const [, address] = /<([^>]*)>;\s*rel="?next"?/.exec(link ?? "") ?? [];
  return address === undefined ? undefined : Object.fromEntries(new URL(address, "http://any").searchParams);
};

export const extensions = [
  chosen({
    id: "chosen.cursor",
    title: "A list has a Link to its next page with a cursor, and the walk repeats nothing.",
    clauses: ["C-LIST-3"],
    cost: { developer: 6 },
    writes: true,
    async prove(context) {
      const word = `${context.run}cursor`;
      await aProject(context, { description: word });
      await aProject(context, { description: word });
      const ask = (query: Record<string, string>) => context.send("developer", "GET", "/projects", { query });
      const first = assertStatus(await ask({ search: word, perPage: "1" }), 200);
      const query = nextQuery(first.headers.get("link"));
      assert(query?.cursor !== undefined, "there is no next page with a cursor", first, "Link: <…>; rel=next", query);
      const second = assertStatus(await ask(query ?? {}), 200);
      const ids = [...idsOf(first), ...idsOf(second)];
      assert(new Set(ids).size === 2, "the pages do not hold each project once", second, "two ids", ids);
    },
  }),
  chosen({
    id: "chosen.list-parameters",
    title: "Projects are listed by owner, sorted by title, and by the time of their last change.",
    clauses: ["C-LIST-4"],
    cost: { developer: 6, tester: 1 },
    writes: true,
    async prove(context) {
      const word = `${context.run}titles`;
      for (const title of ["b", "a"]) await aProject(context, { title: `${title} ${word}` });
      const ask = (query: Record<string, string>) => context.send("developer", "GET", "/projects", { query });
      const sorted = assertStatus(await ask({ search: word, owner: "me", sort: "title", order: "asc" }), 200);
      const titles = itemsOf(sorted).map(({ title }) => title);
      const expected = [`a ${word}`, `b ${word}`];
      assert(isDeepStrictEqual(titles, expected), "the order is another", sorted, expected, titles);
      const query = { search: word, owner: "me" };
      const none = assertStatus(await context.send("tester", "GET", "/projects", { query }), 200);
      assert(itemsOf(none).length === 0, "projects of others are listed as one's own", none, [], idsOf(none));
      const later = assertStatus(await ask({ search: word, updatedAfter: "2999-01-01T00:00:00Z" }), 200);
      assert(itemsOf(later).length === 0, "what was not changed is listed", later, [], idsOf(later));
    },
  }),
  chosen({
    id: "chosen.list-filters",
    title: "Feedback is listed by several statuses and by its author under the name me, in either order.",
    clauses: ["C-LIST-4"],
    cost: { developer: 4, tester: 5 },
    writes: true,
    async prove(context) {
      const project = await aProject(context);
      const idOf = (path: string) => decodeURIComponent(path.split("/")[2] ?? "");
      const [first, second] = [await aFeedback(context, project), await aFeedback(context, project)];
      await aFeedback(context, project, { status: "draft" });
      assertStatus(await context.send("developer", "POST", `${second}/approve`), 200);
      await aFeedback(context, project, {}, "developer");
      const query = { status: "approved,submitted", testerId: "me", sort: "date", order: "asc" };
      const list = assertStatus(await context.send("tester", "GET", `${project}/feedback`, { query }), 200);
      const expected = [idOf(first), idOf(second)];
      assert(isDeepStrictEqual(idsOf(list), expected), "the list is another", list, expected, idsOf(list));
    },
  }),
  chosen({
    id: "chosen.rejection-reason",
    title:
      "A rejection has a reason, which the author of the feedback sees; the detail has the time of the last change.",
    clauses: ["C-FB-6", "C-LIST-4"],
    cost: { developer: 2, tester: 2 },
    writes: true,
    async prove(context) {
      const path = await aFeedback(context, await aProject(context));
      const body = { reason: "It is about another project." };
      assertStatus(await context.send("developer", "POST", `${path}/reject`, { body }), 200);
      const read = assertStatus(await context.send("tester", "GET", path), 200);
      const { rejectionReason, createdAt, updatedAt } = fieldsOf(read);
      assert(rejectionReason === body.reason, "the reason is another", read, body.reason, rejectionReason);
      const isLater = Date.parse(String(updatedAt)) >= Date.parse(String(createdAt));
      assert(isLater, "updatedAt is not the time of a change", read, "a time after createdAt", updatedAt);
    },
  }),
  chosen({
    id: "chosen.me",
    title: "GET /me returns the account of the caller, and GET /me/feedback its feedback, drafts included.",
    clauses: ["C-ME-1"],
    cost: { developer: 2, tester: 3 },
    writes: true,
    async prove(context) {
      const me = assertStatus(await context.send("tester", "GET", "/me"), 200);
      const { id, role, plan } = fieldsOf(me);
      const whole = typeof id === "string" && role === "tester" && typeof plan === "string";
      assert(whole, "the account is another", me, { role: "tester" }, { id, role, plan });
      const path = await aFeedback(context, await aProject(context), { status: "draft" });
      const own = assertStatus(await context.send("tester", "GET", "/me/feedback"), 200);
      const draft = decodeURIComponent(path.split("/")[2] ?? "");
      assert(idsOf(own).includes(draft), "the draft is not listed", own, draft, idsOf(own));
    },
  }),
  chosen({
    id: "chosen.mark-removed",
    title: "DELETE /feedback/{id}/helpful removes the mark of the account, and changes nothing without one.",
    clauses: ["C-HELP-2"],
    cost: { developer: 5, tester: 1 },
    writes: true,
    async prove(context) {
      const path = `${await aFeedback(context, await aProject(context))}/helpful`;
      assertStatus(await context.send("developer", "POST", path), 200);
      for (let turn = 0; turn < 2; turn += 1) {
        const removed = assertStatus(await context.send("developer", "DELETE", path), 200);
        const { helpfulCount } = fieldsOf(removed);
        assert(helpfulCount === 0, "the mark is still counted", removed, 0, helpfulCount);
      }
    },
  }),
  chosen({
    id: "chosen.draft-deleted",
    title: "The author of a draft deletes it; feedback that is not a draft is a 409.",
    clauses: ["C-FB-6"],
    cost: { developer: 2, tester: 5 },
    writes: true,
    async prove(context) {
      const project = await aProject(context);
      const draft = await aFeedback(context, project, { status: "draft" });
      const deleted = assertStatus(await context.send("tester", "DELETE", draft), 200);
      const { success, message } = fieldsOf(deleted);
      assert(success === true && typeof message === "string", "the answer is another", deleted, "success and message", {
        success,
        message,
      });
      assertStatus(await context.send("tester", "GET", draft), 404);
      assertStatus(await context.send("tester", "DELETE", await aFeedback(context, project)), 409);
    },
  }),
];
