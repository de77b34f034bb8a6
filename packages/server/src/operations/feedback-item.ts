import type { components } from "@project-feedback/spec";
import type { FeedbackOrder, ListedFeedback } from "../store/feedback-repository.ts";

/** Feedback as an item of a list (S-FB-LIST-1). */
export function itemOf({ value: _value, createdAt, ...fields }: ListedFeedback): components["schemas"]["FeedbackItem"] {
  return { ...fields, createdAt: createdAt.toISOString() };
}

/** The type of the values of an order, as its cursors have them. */
export function valueTypeOf({ field }: FeedbackOrder): "none" | "number" | "date" {
  if (field === undefined) return "none";
  return field === "updatedAt" ? "date" : "number";
}
