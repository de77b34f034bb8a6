/** The words of the interface that the suite sends and looks for. */
export const categories = ["web", "mobile", "desktop", "other"] as const;
export const projectStatuses = ["draft", "active", "completed", "archived"] as const;
export const feedbackStatuses = ["draft", "submitted", "approved", "rejected"] as const;
export const sortKeys = ["date", "rating", "helpful"] as const;
export type SortKey = (typeof sortKeys)[number];

/** Fields of a project that only a change by its owner moves. Its status may change by itself. */
export const projectFields = [
  "id",
  "title",
  "description",
  "category",
  "createdAt",
  "screenshots",
  "projectUrl",
  "isPublic",
  "testingRequirements",
] as const;

/** Fields of feedback that only its author, a mark or a reply changes. Its status may change by itself. */
export const feedbackFields = [
  "id",
  "projectId",
  "testerId",
  "overallRating",
  "createdAt",
  "uiFeedback",
  "uxFeedback",
  "bugs",
  "generalComments",
  "helpfulCount",
  "developerResponse",
] as const;
