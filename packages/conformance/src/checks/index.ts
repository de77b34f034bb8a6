import type { Check } from "../engine/check.ts";
import { auth } from "./auth.ts";
import { base } from "./base.ts";
import { chosenChecks } from "./chosen/index.ts";
import { developersOnly } from "./developers-only.ts";
import { feedbackChanges } from "./feedback-changes.ts";
import { feedbackLists } from "./feedback-lists.ts";
import { feedbackRecords } from "./feedback-records.ts";
import { paging } from "./paging.ts";
import { projectLists } from "./project-lists.ts";
import { projectRecords } from "./project-records.ts";
import { rate } from "./rate.ts";

/** Every check. They are run in this order: lists while nothing is changed or deleted yet, deletions late. */
export const checks: readonly Check[] = (() => {
  const changes = ["projects.patch", "projects.delete"];
  const late = ({ id }: Check) => changes.some((beginning) => id.startsWith(beginning)) || id.startsWith("auth.");
  const all = [
    ...base,
    ...projectLists,
    ...projectRecords,
    ...feedbackRecords,
    ...feedbackChanges,
    ...feedbackLists,
    ...developersOnly,
    ...auth,
    ...paging,
    ...rate,
  ];
  return [...all.filter((check) => !late(check)), ...all.filter(late), ...chosenChecks];
})();

/** Clauses that no check can see, with the reason. */
export const unseen: Readonly<Record<string, string>> = {
  "C-KEY-2": "Accounts, plans and keys are managed by commands of the server; v1 has no operation for them.",
  "C-EVENT-1": "That nothing is ever sent cannot be seen by asking.",
  "C-VER-1": "It is about versions to come; the build of the reference compares contracts.",
};
