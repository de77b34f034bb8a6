import { setTimeout as pause } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { idsOf, itemsOf } from "../../evidence/lists.ts";
import { chosen } from "../declare.ts";
import { aFeedback, aProject, demand, demandStatus, fieldsOf, leastProject, tryProject } from "./expect.ts";

const idIn = (path: string) => decodeURIComponent(path.split("/")[2] ?? "");

export const projects = [
  chosen({
    id: "chosen.project-detail",
    title:
      "A project's detail has isPublic and testingRequirements, null and [] for what is absent; POST answers it whole.",
    clauses: ["C-SHOW-1", "C-PROJ-1"],
    cost: { developer: 3 },
    writes: true,
    async prove(stage) {
      const created = demandStatus(await tryProject(stage, leastProject(stage.run)), 201);
      const read = await stage.send("developer", "GET", `/projects/${fieldsOf(created).id}`);
      const { isPublic, testingRequirements, projectUrl, screenshots, status } = fieldsOf(read);
      const seen = { isPublic, testingRequirements, projectUrl, screenshots, status };
      const expected = {
        isPublic: true,
        testingRequirements: null,
        projectUrl: null,
        screenshots: [],
        status: "active",
      };
      demand(isDeepStrictEqual(seen, expected), "defaults or absent values are others", read, expected, seen);
      demand(
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
    async prove(stage) {
      const list = `${await aProject(stage)}/feedback`;
      for (const query of [{ page: 0 }, { perPage: 0 }, { perPage: 101 }])
        demandStatus(await stage.send("developer", "GET", list, { query }), 400);
      const plain = demandStatus(await stage.send("developer", "GET", list), 200);
      const expected = { page: 1, perPage: 20, total: 0 };
      demand(
        isDeepStrictEqual(fieldsOf(plain).pagination, expected),
        "the defaults are others",
        plain,
        expected,
        fieldsOf(plain).pagination,
      );
      const past = demandStatus(await stage.send("developer", "GET", "/projects", { query: { page: 1_000_000 } }), 200);
      demand(itemsOf(past).length === 0, "a page past the end holds something", past, [], itemsOf(past));
    },
  }),
  chosen({
    id: "chosen.newest-first",
    title: "Projects are listed newest first.",
    clauses: ["C-LIST-2"],
    cost: { developer: 5 },
    writes: true,
    async prove(stage) {
      const word = `${stage.run}order`;
      const paths = [await aProject(stage, { description: word }), await aProject(stage, { description: word })];
      const list = await stage.send("developer", "GET", "/projects", { query: { search: word } });
      const expected = paths.map(idIn).reverse();
      demand(isDeepStrictEqual(idsOf(list), expected), "the newest is not first", list, expected, idsOf(list));
    },
  }),
  chosen({
    id: "chosen.search",
    title:
      "A search matches beginnings of words, all of them, whatever case and accents; without a letter it finds nothing.",
    clauses: ["C-SEARCH-1"],
    cost: { developer: 7 },
    writes: true,
    async prove(stage) {
      const path = await aProject(stage, { description: `${stage.run} Über Gärten ${stage.run}zaun` });
      const search = (text: string) => stage.send("developer", "GET", "/projects", { query: { search: text } });
      for (const [text, found] of [
        [`${stage.run.toUpperCase()}ZAUN`, true],
        [`${stage.run}zau uber GARTEN`, true],
        [`${stage.run}zaun hecke`, false],
        ["aun", false],
        ["!?", false],
      ] as const) {
        const list = demandStatus(await search(text), 200);
        demand(
          idsOf(list).includes(idIn(path)) === found,
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
    async prove(stage) {
      const path = await aProject(stage, {
        projectUrl: "https://example.com/",
        testingRequirements: { minTesters: 1, maxTesters: 2, feedbackTypes: ["ui"] },
      });
      const patch = async (body: Record<string, unknown>) =>
        demandStatus(await stage.send("developer", "PATCH", path, { body }), 200);
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
      demand(isDeepStrictEqual(seen, expected), "a field was not replaced whole", changed, expected, seen);
      const cleared = await patch({ projectUrl: null, testingRequirements: null });
      const { projectUrl, testingRequirements } = fieldsOf(cleared);
      demand(projectUrl === null && testingRequirements === null, "null did not clear", cleared, null, {
        projectUrl,
        testingRequirements,
      });
      const same = await patch({});
      demand(isDeepStrictEqual(same.json, cleared.json), "{} changed something", same, cleared.json, same.json);
      const read = await stage.send("developer", "GET", path);
      demand(
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
    async prove(stage) {
      const path = await aProject(stage);
      const patch = (type: string) =>
        stage.send("developer", "PATCH", path, {
          body: { title: `${stage.run} merged` },
          headers: { "content-type": type },
        });
      demandStatus(await patch("application/merge-patch+json"), 200);
      const refused = demandStatus(await patch("application/json-patch+json"), 415);
      const accepted = refused.headers.get("accept-patch") ?? "";
      demand(
        accepted.includes("application/merge-patch+json"),
        "Accept-Patch does not say what is taken",
        refused,
        "application/merge-patch+json",
        accepted,
      );
    },
  }),
  chosen({
    id: "chosen.project-moves",
    title: "A project moves as the reference lets it; any other move is a 409.",
    clauses: ["C-PROJ-3"],
    cost: { developer: 10 },
    writes: true,
    async prove(stage) {
      const path = await aProject(stage, { status: "draft" });
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
        demandStatus(await stage.send("developer", "PATCH", path, { body: { status } }), answer);
      }
    },
  }),
  chosen({
    id: "chosen.visibility",
    title: "A project that is a draft or not public is a 404 to others; a tester creates none.",
    clauses: ["C-PROJ-4"],
    cost: { developer: 5, tester: 5 },
    writes: true,
    async prove(stage) {
      for (const fields of [{ status: "draft" }, { isPublic: false }]) {
        const path = await aProject(stage, fields);
        demandStatus(await stage.send("tester", "GET", path), 404);
        demandStatus(await stage.send("tester", "PATCH", path, { body: { title: "x" } }), 404);
      }
      demandStatus(await tryProject(stage, leastProject(stage.run), "tester"), 403);
    },
  }),
  chosen({
    id: "chosen.ownership",
    title: "Only its owner changes or deletes a project, which is a 403 to another developer.",
    clauses: ["C-PROJ-4"],
    provisions: ["otherDeveloper"],
    cost: { developer: 3, otherDeveloper: 2 },
    writes: true,
    async prove(stage) {
      const path = await aProject(stage);
      demandStatus(await stage.send("otherDeveloper", "PATCH", path, { body: { title: `${stage.run} stolen` } }), 403);
      demandStatus(await stage.send("otherDeveloper", "DELETE", path), 403);
      const read = demandStatus(await stage.send("developer", "GET", path), 200);
      demand(
        fieldsOf(read).title === leastProject(stage.run).title,
        "the refused change was made",
        read,
        leastProject(stage.run).title,
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
    async prove(stage) {
      const project = await aProject(stage);
      const feedback = await aFeedback(stage, project);
      demandStatus(await stage.send("tester", "GET", feedback), 200);
      if (demandStatus(await stage.send("developer", "DELETE", project), 200)) stage.gone(idIn(project));
      demandStatus(await stage.send("tester", "GET", feedback), 404);
    },
  }),
  chosen({
    id: "chosen.stats",
    title: "Counts tell readings by others, feedback past draft, its authors, and the authors of approved feedback.",
    clauses: ["C-STATS-1", "C-FB-5"],
    cost: { developer: 5, tester: 4 },
    writes: true,
    async prove(stage) {
      const project = await aProject(stage);
      const first = await aFeedback(stage, project);
      await aFeedback(stage, project);
      await aFeedback(stage, project, { status: "draft" });
      demandStatus(await stage.send("tester", "GET", project), 200);
      demandStatus(await stage.send("developer", "POST", `${first}/approve`), 200);
      await stage.send("developer", "GET", project);
      await pause(1_100);
      const read = await stage.send("developer", "GET", project);
      const expected = { views: 1, testerRequests: 1, approvedTesters: 1, feedbackCount: 2 };
      demand(
        isDeepStrictEqual(fieldsOf(read).stats, expected),
        "the counts are others",
        read,
        expected,
        fieldsOf(read).stats,
      );
    },
  }),
];
