import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { upgradeRecords } from "../../src/store/upgrade.ts";
import type { Caller, Received } from "../harness/caller.ts";
import { aFeedback, aProject } from "../harness/samples.ts";
import { startServer, type TestServer } from "../harness/server.ts";

let server: TestServer;
let ada: Caller;
let bob: Caller;
let tom: Caller;
beforeAll(async () => {
  server = await startServer();
  [ada, bob, tom] = await Promise.all([server.account(), server.account(), server.account({ role: "tester" })]);
});
afterAll(() => server.stop());

/** Path, below the base address, of a link of a list. */
function linkOf({ headers }: Received, relation: "next" | "prev"): string | undefined {
  const links = [...(headers.get("Link") ?? "").matchAll(/<([^>]*)>; rel="(\w+)"/g)];
  return links.find(([, , name]) => name === relation)?.[1]?.replace("/v1", "");
}

interface Item {
  id: string;
}
const idsOf = ({ body }: Received): string[] => body.data.map(({ id }: Item) => id);

/** Follows links to the end. `between` happens after each page. */
async function walk(caller: Caller, first: string, relation: "next" | "prev" = "next", between = async () => {}) {
  const pages: Received[] = [];
  for (let path: string | undefined = first; path; ) {
    const received = await caller.get(path);
    expect(received.status, path).toBe(200);
    pages.push(received);
    path = linkOf(received, relation);
    await between();
  }
  return pages;
}

async function feedbackList() {
  const { id } = await aProject(ada);
  const made = [];
  for (const overallRating of [3, 1, 5, 3, 3, 2, 5, 3, 4]) made.push(await aFeedback(tom, id, { overallRating }));
  return { projectId: id, path: `/projects/${id}/feedback`, ids: made.map(({ id }) => id) };
}

describe("C-LIST-3: cursors", () => {
  test.each(["date", "rating", "helpful", "updated"])(
    "walk each feedback once, ordered by %s, and back",
    async (sort) => {
      const { path, ids } = await feedbackList();
      for (const direction of ["asc", "desc"]) {
        const query = `sort=${sort}&order=${direction}`;
        const all = idsOf(await ada.get(`${path}?${query}&perPage=100`));
        expect(all.toSorted()).toEqual(ids.toSorted());
        const pages = await walk(ada, `${path}?${query}&perPage=2`);
        expect(pages.flatMap(idsOf)).toEqual(all);
        expect(pages.map(({ body }) => body.pagination)).toEqual(
          [1, 2, 3, 4, 5].map((page) => ({ page, perPage: 2, total: ids.length })),
        );
        const last = pages.at(-1) as Received;
        const back = await walk(ada, linkOf(last, "prev") ?? "", "prev");
        expect(back.toReversed().flatMap(idsOf)).toEqual(all.slice(0, -1));
        expect(linkOf(back.at(-1) as Received, "prev")).toBeUndefined();
      }
    },
  );

  test("neither repeat nor skip a record while others are written and deleted", async () => {
    const carol = await server.account();
    const made: string[] = [];
    for (let count = 0; count < 12; count += 1) made.push((await aProject(carol, { isPublic: false })).id);
    const doomed = made.filter((_, place) => place % 4 === 1);
    for (const sort of ["created", "title", "updated"]) {
      const pages = await walk(carol, `/projects?owner=me&sort=${sort}&perPage=3`, "next", async () => {
        await aProject(carol, { isPublic: false });
        const gone = doomed.pop();
        if (gone) await carol.delete(`/projects/${gone}`);
      });
      const seen = pages.flatMap(idsOf);
      expect(new Set(seen).size).toBe(seen.length);
      for (const id of made.filter((_, place) => place % 4 !== 1)) expect(seen).toContain(id);
    }
  });

  test("begin at any page, and end with the list", async () => {
    const { path, ids } = await feedbackList();
    const second = await ada.get(`${path}?perPage=4&page=2`);
    expect(idsOf(await ada.get(linkOf(second, "next") ?? ""))).toEqual(ids.slice(0, 1));
    expect(idsOf(await ada.get(linkOf(second, "prev") ?? ""))).toEqual(ids.slice(5).toReversed());
    expect((await ada.get(`${path}?perPage=100`)).headers.get("Link")).toBeNull();
    expect((await ada.get(`${path}?page=9`)).headers.get("Link")).toBeNull();
  });

  test("carry the filters and the order of their list", async () => {
    const { path } = await feedbackList();
    const { headers } = await ada.get(`${path}?status=submitted&sort=rating&perPage=2`);
    expect(headers.get("Link")).toMatch(
      /^<\/v1\/projects\/prj_\w+\/feedback\?[^>]*status=submitted[^>]*>; rel="next"$/,
    );
    expect(headers.get("Link")).not.toContain("page=1");
  });

  test("of another list, with page, or made up are a 400", async () => {
    const { path } = await feedbackList();
    const other = await feedbackList();
    const next = linkOf(await ada.get(`${path}?perPage=2`), "next") ?? "";
    const cursor = new URLSearchParams(next.split("?")[1]).get("cursor");
    const forged = Buffer.from(JSON.stringify([1, 0, 1, { $gt: "" }, 0, "fb"])).toString("base64url");
    for (const path of [
      `${next}&page=2`,
      `${next}&status=draft`,
      next.replace("order=desc", "order=asc"),
      `${other.path}?cursor=${cursor}`,
      `/projects?cursor=${cursor}`,
      `/projects?cursor=${forged}`,
      "/projects?cursor=x",
      "/projects?cursor=",
      "/projects?cursor=%24",
    ]) {
      const { status, body } = await ada.get(path);
      expect(status, path).toBe(400);
      expect(body.details[0]).toMatchObject({ in: "query", at: "cursor" });
    }
    expect((await ada.get(next.replace("perPage=2", "perPage=5"))).status).toBe(200);
  });

  test("walk a search", async () => {
    for (let count = 0; count < 5; count += 1) await aProject(ada, { title: `Cursed treasure ${count}` });
    for (const sort of ["created", "title"]) {
      const pages = await walk(bob, `/projects?search=cursed&sort=${sort}&perPage=2`);
      expect(pages.flatMap(idsOf)).toEqual(idsOf(await bob.get(`/projects?search=cursed&sort=${sort}`)));
    }
  });
});

describe("C-LIST-4", () => {
  test("projects are sorted by creation, change or title, in both directions", async () => {
    const dan = await server.account();
    const titles = ["banana", "Äpfel", "cherry", "Apfelsaft"];
    const ids: string[] = [];
    for (const title of titles) ids.push((await aProject(dan, { title, isPublic: false })).id);
    await dan.patch(`/projects/${ids[0]}`, { category: "other" });
    const order = async (query: string) => {
      const found = idsOf(await dan.get(`/projects?owner=me&${query}`)).map((id) => ids.indexOf(id));
      expect(idsOf(await dan.get(`/projects?owner=me&${query}&order=asc`)).map((id) => ids.indexOf(id))).toEqual(
        found.toReversed(),
      );
      return found;
    };
    expect(await order("sort=created")).toEqual([3, 2, 1, 0]);
    expect(await order("sort=updated")).toEqual([0, 3, 2, 1]);
    expect(await order("sort=title")).toEqual([2, 0, 3, 1]);
    expect(await order("")).toEqual([3, 2, 1, 0]);
  });

  test("owner=me lists the caller's own projects, whatever their status", async () => {
    const eve = await server.account();
    const own = [
      await aProject(eve),
      await aProject(eve, { status: "draft" }),
      await aProject(eve, { isPublic: false }),
    ];
    await aProject(bob);
    const { body } = await eve.get("/projects?owner=me");
    expect(body.data.map(({ id }: Item) => id).sort()).toEqual(own.map(({ id }) => id).sort());
    expect(body.pagination.total).toBe(3);
    expect((await eve.get("/projects?owner=me&status=draft")).body.pagination.total).toBe(1);
    expect((await tom.get("/projects?owner=me")).body.data).toEqual([]);
    expect((await eve.get("/projects?owner=you")).status).toBe(400);
  });

  test("several statuses are separated by commas", async () => {
    const fay = await server.account();
    const [active, draft, archived] = [
      await aProject(fay),
      await aProject(fay, { status: "draft" }),
      await aProject(fay, { isPublic: false }),
    ];
    await fay.patch(`/projects/${archived.id}`, { status: "archived" });
    const found = async (status: string) => idsOf(await fay.get(`/projects?owner=me&status=${status}`)).sort();
    expect(await found("active,archived")).toEqual([active.id, archived.id].sort());
    expect(await found("draft%2Cactive%2Cdraft")).toEqual([active.id, draft.id].sort());
    const total = async (status: string) => (await fay.get(`/projects?status=${status}`)).body.pagination.total;
    expect(await total("draft,archived")).toBe((await total("draft")) + (await total("archived")));
    const { path } = await feedbackList();
    expect((await ada.get(`${path}?status=submitted,approved`)).body.pagination.total).toBe(9);
    expect((await ada.get(`${path}?status=draft,approved`)).body.pagination.total).toBe(0);
    for (const status of ["active,", ",", "active,none", "active;draft", "none"]) {
      const { status: code, body } = await fay.get(`/projects?status=${status}`);
      const message = "must be one or several of draft, active, completed, archived, separated by commas";
      expect([code, body.details], status).toEqual([400, [{ in: "query", at: "status", message }]]);
    }
  });

  test("updatedAfter lists what has changed since, ordered by its change", async () => {
    const { projectId, path, ids } = await feedbackList();
    const [first = "", second = ""] = ids;
    const { updatedAt } = (await ada.get(`/feedback/${ids.at(-1)}`)).body;
    await ada.post(`/feedback/${second}/approve`);
    await ada.post(`/feedback/${first}/reply`, { message: "Thanks." });
    await ada.post(`/feedback/${ids[2]}/helpful`);
    const changed = await ada.get(`${path}?updatedAfter=${updatedAt}`);
    expect([idsOf(changed), changed.body.pagination.total]).toEqual([[first, second], 2]);
    expect(idsOf(await ada.get(`${path}?updatedAfter=${updatedAt}&order=asc`))).toEqual([second, first]);
    const { body: before } = await ada.get(`/projects/${projectId}`);
    await ada.patch(`/projects/${projectId}`, { category: "mobile" });
    const projects = await ada.get(`/projects?owner=me&updatedAfter=${before.updatedAt}`);
    expect(idsOf(projects)).toEqual([projectId]);
    expect((await ada.get("/projects?updatedAfter=2999-01-01T00:00:00Z")).body.pagination.total).toBe(0);
    for (const path of ["/projects?updatedAfter=yesterday", "/projects?updatedAfter=2026-01-01T00:00:00Z&sort=title"]) {
      expect((await ada.get(path)).status, path).toBe(400);
    }
  });

  test("testerId=me is the caller", async () => {
    const { path, ids } = await feedbackList();
    expect((await tom.get(`${path}?testerId=me`)).body.pagination.total).toBe(ids.length);
    expect((await ada.get(`${path}?testerId=me`)).body.pagination.total).toBe(0);
  });

  test("records of version 1.0 are in all orders after an upgrade", async () => {
    const { path, ids } = await feedbackList();
    const projectId = path.split("/")[2] ?? "";
    await server.database.feedback.updateOne({ _id: ids[0] ?? "" }, { $unset: { updatedAt: 1, rejectionReason: 1 } });
    await server.database.projects.updateOne({ _id: projectId }, { $unset: { titleKey: 1 } });
    const { body } = await ada.get(`/feedback/${ids[0]}`);
    expect([body.updatedAt, body.rejectionReason]).toEqual([body.createdAt, null]);
    expect(await upgradeRecords(server.database)).toEqual({ projects: 1, feedback: 1 });
    expect(idsOf(await ada.get(`${path}?sort=updated&order=asc`))[0]).toBe(ids[0]);
  });
});

describe("C-ME-1", () => {
  test("GET /me returns id, role, plan and allowance", async () => {
    const pro = await server.account({ role: "tester", plan: "pro" });
    const { status, body, headers } = await pro.get("/me");
    expect(status).toBe(200);
    const [limit, remaining, reset] = ["Limit", "Remaining", "Reset"].map((name) =>
      Number(headers.get(`X-RateLimit-${name}`)),
    );
    expect(body).toEqual({ id: pro.id, role: "tester", plan: "pro", allowance: { limit, remaining, reset } });
  });

  test("GET /me/feedback lists the caller's feedback on all projects, drafts included", async () => {
    const gil = await server.account({ role: "tester" });
    const [one, two, gone] = [await aProject(ada), await aProject(bob), await aProject(ada)];
    const own = [
      await aFeedback(gil, one.id),
      await aFeedback(gil, two.id, { status: "draft" }),
      await aFeedback(gil, two.id),
    ];
    await aFeedback(gil, gone.id);
    await aFeedback(tom, one.id);
    await ada.delete(`/projects/${gone.id}`);
    const mine = await gil.get("/me/feedback");
    expect([idsOf(mine), mine.body.pagination.total]).toEqual([own.map(({ id }) => id).toReversed(), 3]);
    expect(Object.keys(mine.body.data[0])).toEqual(
      Object.keys((await ada.get(`/projects/${one.id}/feedback`)).body.data[0]),
    );
    expect(idsOf(await gil.get("/me/feedback?status=draft"))).toEqual([own[1]?.id]);
    expect((await walk(gil, "/me/feedback?perPage=1&order=asc")).flatMap(idsOf)).toEqual(own.map(({ id }) => id));
    expect((await gil.get(`/me/feedback?updatedAfter=${own[1]?.updatedAt}`)).body.pagination.total).toBe(1);
  });
});

describe("C-FB-6", () => {
  test("its author deletes a draft, and only a draft", async () => {
    const { id: projectId } = await aProject(ada);
    const draft = await aFeedback(tom, projectId, { status: "draft" });
    const submitted = await aFeedback(tom, projectId);
    expect((await ada.delete(`/feedback/${draft.id}`)).status).toBe(404);
    expect((await ada.delete(`/feedback/${submitted.id}`)).status).toBe(403);
    expect((await tom.delete(`/feedback/${submitted.id}`)).body.code).toBe("not_draft");
    const { status, body } = await tom.delete(`/feedback/${draft.id}`);
    expect([status, body]).toEqual([200, { success: true, message: expect.any(String) }]);
    expect((await tom.get(`/feedback/${draft.id}`)).status).toBe(404);
    const { body: list } = await tom.get(`/projects/${projectId}/feedback`);
    expect([list.data.length, list.pagination.total]).toEqual([1, 1]);
  });

  test("the reason of a rejection is seen by the author and the owner alone", async () => {
    const { id: projectId } = await aProject(ada);
    const { id } = await aFeedback(tom, projectId);
    const { status, body } = await ada.post(`/feedback/${id}/reject`, { reason: "It is about another project." });
    expect([status, body.status, body.rejectionReason]).toEqual([200, "rejected", "It is about another project."]);
    expect((await tom.get(`/feedback/${id}`)).body.rejectionReason).toBe("It is about another project.");
    expect((await bob.get(`/feedback/${id}`)).body.rejectionReason).toBeNull();
  });

  test("a rejection needs no reason and no body, and takes no other field", async () => {
    const { id: projectId } = await aProject(ada);
    for (const sent of [undefined, {}, { reason: null }]) {
      const { id } = await aFeedback(tom, projectId);
      const { status, body } = await ada.post(`/feedback/${id}/reject`, sent);
      expect([status, body.rejectionReason]).toEqual([200, null]);
    }
    const { id } = await aFeedback(tom, projectId);
    for (const sent of [{ reason: " " }, { reason: 5 }, { why: "a" }, []]) {
      expect((await ada.post(`/feedback/${id}/reject`, sent)).status, JSON.stringify(sent)).toBe(400);
    }
  });
});

test("C-HELP-2: a mark is removed, once; others' marks stay", async () => {
  const { id: projectId } = await aProject(ada);
  const { id } = await aFeedback(tom, projectId);
  for (const developer of [ada, bob]) await developer.post(`/feedback/${id}/helpful`);
  for (let count = 0; count < 2; count += 1) {
    const { status, body } = await bob.delete(`/feedback/${id}/helpful`);
    expect([status, body]).toEqual([200, { success: true, helpfulCount: 1 }]);
  }
  expect((await tom.delete(`/feedback/${id}/helpful`)).status).toBe(403);
  expect((await bob.post(`/feedback/${id}/helpful`)).body.helpfulCount).toBe(2);
  expect((await ada.get(`/feedback/${id}`)).body.helpfulCount).toBe(2);
});
