import type { Json } from "../../engine/assertions.ts";
import { chosen } from "../declare.ts";
import { aFeedback, aProject, assertStatus, leastProject, tryFeedback, tryProject } from "./expect.ts";

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
    async prove(context) {
      const project = await aProject(context);
      for (const overallRating of [0, 6, 3.5, "3"])
        assertStatus(await tryFeedback(context, project, { overallRating }), 400);
      assertStatus(await tryFeedback(context, project, { overallRating: 3, uiFeedback: { design: 6 } }), 400);
      for (const overallRating of [1, 5]) assertStatus(await tryFeedback(context, project, { overallRating }), 201);
    },
  }),
  chosen({
    id: "chosen.required",
    title:
      "Required are a project's title, description and category, feedback's rating, a bug's description and severity, a reply's message.",
    clauses: ["C-REQ-1"],
    cost: { developer: 7, tester: 4 },
    writes: true,
    async prove(context) {
      const least = leastProject(context.run);
      for (const name of Object.keys(least)) assertStatus(await tryProject(context, without(least, name)), 400);
      const project = await aProject(context);
      assertStatus(await tryFeedback(context, project, { generalComments: "x" }), 400);
      for (const name of Object.keys(bug))
        assertStatus(await tryFeedback(context, project, { overallRating: 3, bugs: [without(bug, name)] }), 400);
      const feedback = await aFeedback(context, project);
      assertStatus(await context.send("developer", "POST", `${feedback}/reply`, { body: { resolvedItems: [] } }), 400);
    },
  }),
  chosen({
    id: "chosen.bounds",
    title: "Texts, addresses and arrays are taken up to their bounds and refused beyond.",
    clauses: ["C-BOUND-1"],
    cost: { developer: 13 },
    writes: true,
    async prove(context) {
      const least = leastProject(context.run);
      const title = (length: number) => context.run.padEnd(length, "x");
      assertStatus(await tryProject(context, { ...least, title: title(200), description: title(5_000) }), 201);
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
      for (const fields of beyond) assertStatus(await tryProject(context, { ...least, ...fields }), 400);
      assertStatus(
        await tryProject(context, {}, "developer", {
          text: `{"title":"${context.run} \\ud800","description":"x","category":"web"}`,
        }),
        400,
      );
      assertStatus(await context.send("developer", "GET", "/projects", { query: { search: "x".repeat(201) } }), 400);
    },
  }),
  chosen({
    id: "chosen.enums",
    title: "Severities are low, medium, high and critical; feedbackTypes are ui, ux, bugs and general, none twice.",
    clauses: ["C-ENUM-1"],
    cost: { developer: 4, tester: 2 },
    writes: true,
    async prove(context) {
      const project = await aProject(context, {
        testingRequirements: { feedbackTypes: ["ui", "ux", "bugs", "general"] },
      });
      assertStatus(
        await tryFeedback(context, project, {
          overallRating: 3,
          bugs: [
            { ...bug, severity: "low" },
            { ...bug, severity: "critical" },
          ],
        }),
        201,
      );
      assertStatus(
        await tryFeedback(context, project, { overallRating: 3, bugs: [{ ...bug, severity: "blocker" }] }),
        400,
      );
      for (const feedbackTypes of [["ui", "ui"], ["price"]]) {
        assertStatus(
          await tryProject(context, { ...leastProject(context.run), testingRequirements: { feedbackTypes } }),
          400,
        );
      }
    },
  }),
];
