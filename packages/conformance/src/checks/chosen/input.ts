import type { Json } from "../../engine/judge.ts";
import { chosen } from "../declare.ts";
import { aFeedback, aProject, demandStatus, leastProject, tryFeedback, tryProject } from "./expect.ts";

const without = (body: Json, name: string): Json =>
  Object.fromEntries(Object.entries(body).filter(([key]) => key !== name));
const bug = { description: "A bed is lost.", severity: "high" };

export const input = [
  chosen({
    id: "chosen.ratings",
    title: "Every rating is an integer from 1 to 5.",
    clauses: ["C-RATING-1"],
    cost: { developer: 2, tester: 7 },
    writes: true,
    async prove(stage) {
      const project = await aProject(stage);
      for (const overallRating of [0, 6, 3.5, "3"])
        demandStatus(await tryFeedback(stage, project, { overallRating }), 400);
      demandStatus(await tryFeedback(stage, project, { overallRating: 3, uiFeedback: { design: 6 } }), 400);
      for (const overallRating of [1, 5]) demandStatus(await tryFeedback(stage, project, { overallRating }), 201);
    },
  }),
  chosen({
    id: "chosen.required",
    title:
      "Required are a project's title, description and category, feedback's rating, a bug's description and severity, a reply's message.",
    clauses: ["C-REQ-1"],
    cost: { developer: 7, tester: 4 },
    writes: true,
    async prove(stage) {
      const least = leastProject(stage.run);
      for (const name of Object.keys(least)) demandStatus(await tryProject(stage, without(least, name)), 400);
      const project = await aProject(stage);
      demandStatus(await tryFeedback(stage, project, { generalComments: "x" }), 400);
      for (const name of Object.keys(bug))
        demandStatus(await tryFeedback(stage, project, { overallRating: 3, bugs: [without(bug, name)] }), 400);
      const feedback = await aFeedback(stage, project);
      demandStatus(await stage.send("developer", "POST", `${feedback}/reply`, { body: { resolvedItems: [] } }), 400);
    },
  }),
  chosen({
    id: "chosen.bounds",
    title: "Texts, addresses and arrays are taken up to their bounds and refused beyond.",
    clauses: ["C-BOUND-1"],
    cost: { developer: 13 },
    writes: true,
    async prove(stage) {
      const least = leastProject(stage.run);
      const title = (length: number) => stage.run.padEnd(length, "x");
      demandStatus(await tryProject(stage, { ...least, title: title(200), description: title(5_000) }), 201);
      const beyond: Json[] = [
        { title: title(201) },
        { title: " \t " },
        { description: title(5_001) },
        { projectUrl: "ftp://example.com/" },
        { projectUrl: `https://example.com/${"x".repeat(2_048)}` },
        { screenshots: Array.from({ length: 11 }, (_, n) => `https://example.com/${n}`) },
        { testingRequirements: { minTesters: 3, maxTesters: 2 } },
        { testingRequirements: { minTesters: 0 } },
        { testingRequirements: { maxTesters: 10_001 } },
      ];
      for (const fields of beyond) demandStatus(await tryProject(stage, { ...least, ...fields }), 400);
      demandStatus(
        await tryProject(stage, {}, "developer", {
          text: `{"title":"${stage.run} \\ud800","description":"x","category":"web"}`,
        }),
        400,
      );
      demandStatus(await stage.send("developer", "GET", "/projects", { query: { search: "x".repeat(201) } }), 400);
    },
  }),
  chosen({
    id: "chosen.enums",
    title: "Severities are low, medium, high and critical; feedbackTypes are ui, ux, bugs and general, none twice.",
    clauses: ["C-ENUM-1"],
    cost: { developer: 4, tester: 2 },
    writes: true,
    async prove(stage) {
      const project = await aProject(stage, {
        testingRequirements: { feedbackTypes: ["ui", "ux", "bugs", "general"] },
      });
      demandStatus(
        await tryFeedback(stage, project, {
          overallRating: 3,
          bugs: [
            { ...bug, severity: "low" },
            { ...bug, severity: "critical" },
          ],
        }),
        201,
      );
      demandStatus(
        await tryFeedback(stage, project, { overallRating: 3, bugs: [{ ...bug, severity: "blocker" }] }),
        400,
      );
      for (const feedbackTypes of [["ui", "ui"], ["price"]]) {
        demandStatus(
          await tryProject(stage, { ...leastProject(stage.run), testingRequirements: { feedbackTypes } }),
          400,
        );
      }
    },
  }),
];
