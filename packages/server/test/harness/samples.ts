import type { components } from "@project-feedback/spec";
import type { Caller } from "./caller.ts";

type Schemas = components["schemas"];

/** A project with every field that can be sent. */
export const fullProject = {
  title: "Pocket Garden",
  description: "Plan beds and sowing times for small gardens.",
  category: "mobile",
  screenshots: ["https://example.com/beds.png", "http://example.com/list.png"],
  projectUrl: "https://example.com/garden?lang=en#top",
  isPublic: true,
  testingRequirements: { minTesters: 3, maxTesters: 20, feedbackTypes: ["ui", "ux"] },
} as const satisfies Schemas["ProjectCreate"];

/** Feedback with every field that can be sent. */
export const fullFeedback = {
  overallRating: 4,
  uiFeedback: { design: 5, colors: "Calm greens.", typography: "Easy to read.", layout: "The beds fit." },
  uxFeedback: { navigation: 3, flow: "Two taps.", usability: "Good with gloves off.", suggestions: "Larger handles." },
  bugs: [
    {
      description: "A bed is lost when the phone is turned.",
      severity: "high",
      screenshot: "https://example.com/turned.png",
      stepsToReproduce: "Add a bed, turn the phone.",
    },
    { description: "The list flickers.", severity: "medium" },
  ],
  generalComments: "I planted beans by it.",
} as const satisfies Schemas["FeedbackCreate"];

/** Creates a project. Returns its detail. */
export async function aProject(
  owner: Caller,
  fields: Partial<Schemas["ProjectCreate"]> = {},
): Promise<Schemas["Project"]> {
  const sent = { title: "A project", description: "For a test.", category: "web", ...fields };
  const { status, body, text } = await owner.post("/projects", sent);
  if (status !== 201) throw new Error(`no project was created: ${text}`);
  return body;
}

/** Submits feedback, or saves a draft. Returns its detail. */
export async function aFeedback(
  author: Caller,
  projectId: string,
  fields: Partial<Schemas["FeedbackCreate"]> = {},
): Promise<Schemas["Feedback"]> {
  const { status, body, text } = await author.post(`/projects/${projectId}/feedback`, { overallRating: 3, ...fields });
  if (status !== 201) throw new Error(`no feedback was created: ${text}`);
  return body;
}
