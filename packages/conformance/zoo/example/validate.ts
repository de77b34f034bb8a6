import type { Choices, Range } from "./choices.ts";
import { Refusal } from "./refusal.ts";

type Fields = Readonly<Record<string, unknown>>;

const projectFields = [
  "title",
  "description",
  "category",
  "screenshots",
  "projectUrl",
  "isPublic",
  "testingRequirements",
  "status",
];
const feedbackFields = ["overallRating", "uiFeedback", "uxFeedback", "bugs", "generalComments"];

const refuse = (message: string): never => {
  throw new Refusal("invalid", message);
};

function text(value: unknown, name: string, { min, max }: Range): void {
  if (value === undefined || value === null) return;
  if (typeof value !== "string" || value.length < min || value.length > max) refuse(`${name} is out of bounds.`);
}

const known = (body: Fields, names: readonly string[]) => {
  for (const name of Object.keys(body)) if (!names.includes(name)) refuse(`${name} is unknown.`);
};

const recordOf = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});

/** @throws Refusal where a project cannot be created or changed so */
export function validateProject(body: Fields, choices: Choices, required: boolean): void {
  known(body, projectFields);
  if (required)
    for (const name of ["title", "description", "category"]) if (!body[name]) refuse(`${name} is required.`);
  text(body.title, "title", choices.title);
  text(body.description, "description", choices.description);
  if (body.category !== undefined && !["web", "mobile", "desktop", "other"].includes(String(body.category)))
    refuse("category is unknown.");
  if (Array.isArray(body.screenshots) && body.screenshots.length > choices.screenshots) refuse("Too many screenshots.");
  const { minTesters, maxTesters } = recordOf(body.testingRequirements);
  if (
    [minTesters, maxTesters].some((count) => count !== undefined && count !== null && Number(count) > choices.testers)
  )
    refuse("Too many testers.");
}

/** @throws Refusal where feedback cannot be submitted or changed so */
export function validateFeedback(body: Fields, choices: Choices, required: boolean): void {
  known(body, [...feedbackFields, ...Object.keys(choices.draft)]);
  if (required && body.overallRating === undefined) refuse("overallRating is required.");
  const ui = recordOf(body.uiFeedback);
  const ux = recordOf(body.uxFeedback);
  const { min, max, step } = choices.rating;
  for (const rating of [body.overallRating, ui.design, ux.navigation]) {
    if (rating === undefined || rating === null) continue;
    const fits = Number.isInteger(rating) && Number(rating) >= min && Number(rating) <= max;
    if (!fits || (Number(rating) - min) % step !== 0) refuse("A rating is out of bounds.");
  }
  for (const name of ["colors", "typography", "layout"]) text(ui[name], name, choices.text);
  for (const name of ["flow", "usability", "suggestions"]) text(ux[name], name, choices.text);
  text(body.generalComments, "generalComments", choices.text);
  const bugs = Array.isArray(body.bugs) ? body.bugs.map(recordOf) : [];
  if (bugs.length > choices.bugs) refuse("Too many bugs.");
  for (const bug of bugs) {
    if (!bug.description || !bug.severity) refuse("A bug needs a description and a severity.");
    text(bug.description, "description", choices.text);
    text(bug.stepsToReproduce, "stepsToReproduce", choices.text);
  }
}
