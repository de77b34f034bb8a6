import type { Check } from "../engine/check.ts";
import { auth } from "./auth.ts";
import { base } from "./base.ts";
import { chosenChecks } from "./chosen/index.ts";
import { developerActions } from "./developer-actions.ts";
import { feedbackChanges } from "./feedback-changes.ts";
import { feedbackListChecks } from "./feedback-lists.ts";
import { feedbackRecords } from "./feedback-records.ts";
import { paging } from "./paging.ts";
import { projectListChecks } from "./project-lists.ts";
import { projectRecords } from "./project-records.ts";
import { rate } from "./rate.ts";

/** Every check, in the order of the reports. The evidence is gathered in the order of scenario.ts. */
export const checks: readonly Check[] = [
  ...base,
  ...auth,
  ...projectRecords,
  ...projectListChecks,
  ...paging,
  ...feedbackRecords,
  ...feedbackChanges,
  ...feedbackListChecks,
  ...developerActions,
  ...rate,
  ...chosenChecks,
];

/** Clauses that no check can see, with the reason. */
export const unseen: Readonly<Record<string, string>> = {
  "C-KEY-2": "Accounts, plans and keys are managed by commands of the server; v1 has no operation for them.",
  "C-CORS-1": "Which origins are allowed is configured by the operator; the tests of the reference prove it.",
  "C-EVENT-1": "That nothing is ever sent cannot be seen by asking.",
  "C-VER-1": "It is about versions to come; the build of the reference compares contracts.",
};
