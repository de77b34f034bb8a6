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

const ofAccount = "It is about the account's own interface, which has its own contract; this suite tests v1.";

/** Clauses that no check can see, with the reason. */
export const unseen: Readonly<Record<string, string>> = {
  "C-KEY-2": "Accounts, plans and keys are managed outside v1, which has no operation for them.",
  "C-KEY-3": "Keys expire and are replaced outside v1, which has no operation for them.",
  "C-ACC-1": ofAccount,
  "C-ACC-2": ofAccount,
  "C-ACC-3": ofAccount,
  "C-ACC-4": ofAccount,
  "C-CORS-1": "Which origins are allowed is configured by the operator; the tests of the reference prove it.",
  "C-EVENT-1": "That nothing is ever sent cannot be seen by asking.",
  "C-VER-1": "It is about versions to come; the build of the reference compares contracts.",
};
