import { createHash } from "node:crypto";
import type { Json } from "../engine/assertions.ts";

/** The words of the contract that the suite sends and looks for. */
export const categories = ["web", "mobile", "desktop", "other"] as const;
export const projectStatuses = ["draft", "active", "completed", "archived"] as const;
export const feedbackStatuses = ["draft", "submitted", "approved", "rejected"] as const;
export const sortKeys = ["date", "rating", "helpful"] as const;

export const projectItemFields = ["id", "title", "description", "category", "status", "createdAt"] as const;
export const feedbackItemFields = ["id", "projectId", "testerId", "overallRating", "status", "createdAt"] as const;
/** Stated fields of a project's detail that only its owner's changes move, and those that may also be shown. */
export const projectFields = [
  ...projectItemFields,
  "screenshots",
  "projectUrl",
  "isPublic",
  "testingRequirements",
] as const;
/** Fields of feedback's detail; the last three may or may not be shown. */
export const feedbackFields = [
  ...feedbackItemFields,
  "uiFeedback",
  "uxFeedback",
  "bugs",
  "generalComments",
  "helpfulCount",
  "developerResponse",
] as const;

/** A word of twelve letters that belongs to one run and one purpose, and begins or contains no other. */
export function wordFor(run: string, purpose: string): string {
  const digest = createHash("sha256").update(`${run} ${purpose}`).digest();
  return Array.from(digest.subarray(0, 12), (byte) => String.fromCharCode(97 + (byte % 26))).join("");
}

/** The nth project of a run. Every stated field is sent, since which are required is not stated. */
export function projectBody(run: string, n: number): Json {
  const inTitle = n === 0 ? ` ${wordFor(run, "title")}` : "";
  const inDescription = n === 1 ? ` ${wordFor(run, "description")}` : "";
  return {
    title: `${run} garden planner ${n + 1}${inTitle}`,
    description: `${run} plans "beds" & sowing times, für kleine Gärten${inDescription}`,
    category: categories[n % categories.length],
    screenshots: [`https://example.com/${n + 1}/beds.png`, `https://example.com/${n + 1}/calendar.png`],
    projectUrl: `https://example.com/garden/${n + 1}`,
    isPublic: true,
    testingRequirements: { minTesters: 2 + n, maxTesters: 12 + n, feedbackTypes: n % 2 === 0 ? ["ui", "ux"] : ["ux"] },
  };
}

/**
 * Overall ratings in the order of sending. In the order of dates they rise and fall, in the order of ratings the
 * dates do, and the third, which is marked as helpful, stands inside in both: a sort that is ignored, or taken for
 * another, always shows.
 */
const overall = [4, 1, 3, 5, 2, 5, 3];

/** The nth feedback of a run, with one bug for each severity. */
export function feedbackBody(run: string, n: number, severities: readonly string[]): Json {
  const rating = overall[n % overall.length] ?? 3;
  return {
    overallRating: rating,
    uiFeedback: {
      design: (rating % 5) + 1,
      colors: `${run} calm greens ${n}`,
      typography: `${run} easy to read ${n}`,
      layout: `${run} "beds" & paths fit, größtenteils ${n}`,
    },
    uxFeedback: {
      navigation: ((rating + 2) % 5) + 1,
      flow: `${run} two taps ${n}`,
      usability: `${run} hard with gloves ${n}`,
      suggestions: `${run} larger handles ${n}`,
    },
    bugs: severities.map((severity, index) => ({
      description: `${run} a bed is lost ${n}.${index}`,
      severity,
      screenshot: `https://example.com/bugs/${n}/${index}.png`,
      stepsToReproduce: `${run} add a bed, turn the phone ${n}.${index}`,
    })),
    generalComments: `${run} planted beans by it ${n}`,
  };
}
