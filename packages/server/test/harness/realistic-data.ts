import type { Feedback, FeedbackStatus } from "../../src/domain/feedback.ts";
import { type Category, noCounts, type Project, type ProjectStatus } from "../../src/domain/project.ts";

/** Random numbers that are the same in every run (mulberry32). */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}

const nouns =
  "garden recipe route ticket invoice playlist journal budget weather library camera puzzle market clinic school studio harbor ledger mentor parcel".split(
    " ",
  );
const verbs =
  "plan share track find compare collect repair translate measure remind sketch publish review schedule sort".split(
    " ",
  );
const places =
  "balcony kitchen office train village classroom workshop beach gallery airport hospital theatre orchard".split(" ");
const categories: readonly Category[] = ["web", "web", "mobile", "desktop", "other"];
const statuses: readonly ProjectStatus[] = ["active", "active", "active", "completed", "archived", "draft"];
const feedbackStatuses: readonly FeedbackStatus[] = ["submitted", "submitted", "approved", "rejected", "draft"];
const begin = Date.UTC(2025, 0, 1);

/** A realistic project; `words` are added to its description. */
export function realisticProject(
  number: number,
  random: (below: number) => number,
  owners: readonly string[],
  words = "",
): Project {
  const pick = <Item>(items: readonly Item[]): Item => items[random(items.length)] as Item;
  const sentence = () => `${pick(verbs)} your ${pick(nouns)} and ${pick(nouns)} from the ${pick(places)}`;
  const createdAt = new Date(begin + number * 1_000);
  const project = {
    id: `prj_${number.toString(16).padStart(24, "0")}`,
    ownerId: pick(owners),
    title: `${pick(places)} ${pick(nouns)} ${number}`,
    description: `${sentence()}. It helps people who ${sentence()}. ${words}`.trim(),
    category: pick(categories),
    status: pick(statuses),
    screenshots: [],
    projectUrl: `https://example.com/${number}`,
    isPublic: random(10) > 0,
    testingRequirements: null,
    counts: noCounts,
    createdAt,
    updatedAt: createdAt,
  };
  return { ...project, wasActive: project.status !== "draft" };
}

/** Realistic feedback. */
export function realisticFeedback(
  number: number,
  random: (below: number) => number,
  projectId: string,
  testers: readonly string[],
): Feedback {
  const status = feedbackStatuses[random(feedbackStatuses.length)] as FeedbackStatus;
  return {
    id: `fb_${number.toString(16).padStart(24, "0")}`,
    projectId,
    testerId: testers[random(testers.length)] as string,
    overallRating: 1 + random(5),
    uiFeedback: null,
    uxFeedback: null,
    bugs: [],
    generalComments: `I would ${verbs[random(verbs.length)]} it again.`,
    status,
    helpfulCount: status === "draft" ? 0 : random(8),
    developerResponse: null,
    rejectionReason: null,
    createdAt: new Date(begin + number * 1_000),
    updatedAt: new Date(begin + number * 1_000 + random(5_000_000)),
  };
}
