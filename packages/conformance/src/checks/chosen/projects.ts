import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { idsOf, itemsOf } from "../../evidence/lists.ts";
import { chosen } from "../declare.ts";
import { aFeedback, aProject, assert, assertStatus, fieldsOf, leastProject, tryProject } from "./expect.ts";

const idOfPath = (path: string) => decodeURIComponent(path.split("/")[2] ?? "");

export const projects = [
  chosen({
    id: "chosen.project-detail",
    title:
      "A project's detail has isPublic and testingRequirements, null and [] for what is absent; POST answers it whole.",
    clauses: ["C-SHOW-1", "C-PROJ-1"],
    cost: { developer: 3 },
    writes: true,
    async prove(context) {
      const created = assertStatus(await tryProject(context, leastProject(context.run)), 201);
      const read = await context.send("developer", "GET", `/projects/${fieldsOf(created).id}`);
      const { isPublic, testingRequirements, projectUrl, screenshots, status } = fieldsOf(read);
      const seen = { isPublic, testingRequirements, projectUrl, screenshots, status };
      const expected = {
        isPublic: true,
        testingRequirements: null,
        projectUrl: null,
        screenshots: [],
        status: "active",
      };
      assert(isDeepStrictEqual(seen, expected), "defaults or absent values are others", read, expected, seen);
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
    id: "chosen.list-bounds",
    title: "A page below 1 and a perPage outside 1 to 100 are 400; a page past the end is empty.",
    clauses: ["C-LIST-1"],
    cost: { developer: 7 },
    writes: true,
    async prove(context) {
      const list = `${await aProject(context)}/feedback`;
      for (const query of [{ page: 0 }, { perPage: 0 }, { perPage: 101 }])
        assertStatus(await context.send("developer", "GET", list, { query }), 400);
      const plain = assertStatus(await context.send("developer", "GET", list), 200);
      const expected = { page: 1, perPage: 20, total: 0 };
      assert(
        isDeepStrictEqual(fieldsOf(plain).pagination, expected),
        "the defaults are others",
        plain,
        expected,
        fieldsOf(plain).pagination,
      );
      const past = assertStatus(
        await context.send("developer", "GET", "/projects", { query: { page: 1_000_000 } }),
        200,
      );
      assert(itemsOf(past).length === 0, "a page past the end holds something", past, [], itemsOf(past));
    },
  }),
  chosen({
    id: "chosen.newest-first",
    title: "Projects are listed newest first.",
    clauses: ["C-LIST-2"],
    cost: { developer: 5 },
    writes: true,
    async prove(context) {
      const word = `${context.run}order`;
      const paths = [await aProject(context, { description: word }), await aProject(context, { description: word })];
      const list = await context.send("developer", "GET", "/projects", { query: { search: word } });
      const expected = paths.map(idOfPath).reverse();
      assert(isDeepStrictEqual(idsOf(list), expected), "the newest is not first", list, expected, idsOf(list));
    },
  }),
  chosen({
    id: "chosen.search",
    title:
      "A search matches beginnings of words, all of them, whatever case and accents; without a letter it finds nothing.",
    clauses: ["C-SEARCH-1"],
    cost: { developer: 7 },
    writes: true,
    async prove(context) {
      const path = await aProject(context, { description: `${context.run} Über Gärten ${context.run}zaun` });
      const search = (text: string) => context.send("developer", "GET", "/projects", { query: { search: text } });
      for (const [text, found] of [
        [`${context.run.toUpperCase()}ZAUN`, true],
        [`${context.run}zau uber GARTEN`, true],
        [`${context.run}zaun hecke`, false],
        ["aun", false],
        ["!?", false],
      ] as const) {
        const list = assertStatus(await search(text), 200);
        assert(
          idsOf(list).includes(idOfPath(path)) === found,
          `the project is ${found ? "not " : ""}found`,
          list,
          found,
          idsOf(list),
        );
      }
    },
  }),
  chosen({
    id: "chosen.project-patch",
    title: "PATCH takes every field of a project, replaces it whole, clears with null; {} changes nothing.",
    clauses: ["C-PROJ-2", "C-SHOW-1"],
    cost: { developer: 7 },
    writes: true,
    async prove(context) {
      const path = await aProject(context, {
        projectUrl: "https://example.com/",
        testingRequirements: { minTesters: 1, maxTesters: 2, feedbackTypes: ["ui"] },
      });
      const patch = async (body: Record<string, unknown>) =>
        assertStatus(await context.send("developer", "PATCH", path, { body }), 200);
      const sent = {
        category: "other",
        screenshots: ["https://example.com/a.png"],
        isPublic: false,
        status: "completed",
        testingRequirements: { maxTesters: 9 },
      };
      const changed = await patch(sent);
      const expected = { ...sent, testingRequirements: { minTesters: null, maxTesters: 9, feedbackTypes: [] } };
      const seen = Object.fromEntries(Object.keys(sent).map((name) => [name, fieldsOf(changed)[name]]));
      assert(isDeepStrictEqual(seen, expected), "a field was not replaced whole", changed, expected, seen);
      const cleared = await patch({ projectUrl: null, testingRequirements: null });
      const { projectUrl, testingRequirements } = fieldsOf(cleared);
      assert(projectUrl === null && testingRequirements === null, "null did not clear", cleared, null, {
        projectUrl,
        testingRequirements,
      });
      const same = await patch({});
      assert(isDeepStrictEqual(same.json, cleared.json), "{} changed something", same, cleared.json, same.json);
      const read = await context.send("developer", "GET", path);
      assert(
        isDeepStrictEqual(read.json, same.json),
        "PATCH did not answer the whole detail",
        same,
        read.json,
        same.json,
      );
    },
  }),
  chosen({
    id: "chosen.patch-types",
    title: "PATCH takes application/merge-patch+json; another type is a 415 with Accept-Patch.",
    clauses: ["C-PATCH-1"],
    cost: { developer: 4 },
    writes: true,
    async prove(context) {
      const path = await aProject(context);
      const patch = (type: string) =>
        context.send("developer", "PATCH", path, {
          body: { title: `${context.run} merged` },
          headers: { "content-type": type },
        });
      assertStatus(await patch("application/merge-patch+json"), 200);
      const refused = assertStatus(await patch("application/json-patch+json"), 415);
      const accepted = refused.headers.get("accept-patch") ?? "";
      assert(
        accepted.includes("application/merge-patch+json"),
        "Accept-Patch does not say what is taken",
        refused,
        "application/merge-patch+json",
        accepted,
      );
    },
  }),
  chosen({
    id: "chosen.merge-patch",
    title: "A merge patch changes objects member by member, and null removes.",
    clauses: ["C-PATCH-1"],
    cost: { developer: 3 },
    writes: true,
    async prove(context) {
      const path = await aProject(context, {
        projectUrl: "https://example.com/",
        testingRequirements: { minTesters: 1, maxTesters: 2, feedbackTypes: ["ui"] },
      });
      const merged = assertStatus(
        await context.send("developer", "PATCH", path, {
          body: { projectUrl: null, testingRequirements: { maxTesters: 9, feedbackTypes: ["ux"] } },
          headers: { "content-type": "application/merge-patch+json" },
        }),
        200,
      );
      const { projectUrl, testingRequirements } = fieldsOf(merged);
      const seen = { projectUrl, testingRequirements };
      const expected = {
        projectUrl: null,
        testingRequirements: { minTesters: 1, maxTesters: 9, feedbackTypes: ["ux"] },
      };
      assert(isDeepStrictEqual(seen, expected), "it was not merged", merged, expected, seen);
    },
  }),
  chosen({
    id: "chosen.project-moves",
    title: "A project moves as the reference lets it; any other move is a 409.",
    clauses: ["C-PROJ-3"],
    cost: { developer: 10 },
    writes: true,
    async prove(context) {
      const path = await aProject(context, { status: "draft" });
      for (const [status, answer] of [
        ["completed", 409],
        ["active", 200],
        ["active", 200],
        ["draft", 409],
        ["completed", 200],
        ["archived", 200],
        ["completed", 409],
        ["active", 200],
      ] as const) {
        assertStatus(await context.send("developer", "PATCH", path, { body: { status } }), answer);
      }
    },
  }),
  chosen({
    id: "chosen.visibility",
    title: "A project that is a draft or not public is a 404 to others; a tester creates none.",
    clauses: ["C-PROJ-4"],
    cost: { developer: 5, tester: 5 },
    writes: true,
    async prove(context) {
      for (const fields of [{ status: "draft" }, { isPublic: false }]) {
        const path = await aProject(context, fields);
        assertStatus(await context.send("tester", "GET", path), 404);
        assertStatus(await context.send("tester", "PATCH", path, { body: { title: "x" } }), 404);
      }
      assertStatus(await tryProject(context, leastProject(context.run), "tester"), 403);
    },
  }),
  chosen({
    id: "chosen.ownership",
    title: "Only its owner changes or deletes a project, which is a 403 to another developer.",
    clauses: ["C-PROJ-4"],
    provisions: ["otherDeveloper"],
    cost: { developer: 3, otherDeveloper: 2 },
    writes: true,
    async prove(context) {
      const path = await aProject(context);
      assertStatus(
        await context.send("otherDeveloper", "PATCH", path, { body: { title: `${context.run} stolen` } }),
        403,
      );
      assertStatus(await context.send("otherDeveloper", "DELETE", path), 403);
      const read = assertStatus(await context.send("developer", "GET", path), 200);
      assert(
        fieldsOf(read).title === leastProject(context.run).title,
        "the refused change was made",
        read,
        leastProject(context.run).title,
        fieldsOf(read).title,
      );
    },
  }),
  chosen({
    id: "chosen.deletion",
    title: "Deleting a project deletes its feedback.",
    clauses: ["C-PROJ-5"],
    cost: { developer: 2, tester: 3 },
    writes: true,
    async prove(context) {
      const project = await aProject(context);
      const feedback = await aFeedback(context, project);
      assertStatus(await context.send("tester", "GET", feedback), 200);
      if (assertStatus(await context.send("developer", "DELETE", project), 200)) context.gone(idOfPath(project));
      assertStatus(await context.send("tester", "GET", feedback), 404);
    },
  }),
  chosen({
    id: "chosen.stats",
    title: "Counts tell readings by others, feedback past draft, its authors, and the authors of approved feedback.",
    clauses: ["C-STATS-1", "C-FB-5"],
    cost: { developer: 5, tester: 4 },
    writes: true,
    async prove(context) {
      const project = await aProject(context);
      const first = await aFeedback(context, project);
      await aFeedback(context, project);
      await aFeedback(context, project, { status: "draft" });
      assertStatus(await context.send("tester", "GET", project), 200);
      assertStatus(await context.send("developer", "POST", `${first}/approve`), 200);
      await context.send("developer", "GET", project);
      await pause(1_100);
      const read = await context.send("developer", "GET", project);
      const expected = { views: 1, testerRequests: 1, approvedTesters: 1, feedbackCount: 2 };
      assert(
        isDeepStrictEqual(fieldsOf(read).stats, expected),
        "the counts are others",
        read,
        expected,
        fieldsOf(read).stats,
      );
    },
  }),
];
