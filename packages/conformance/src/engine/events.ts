import type { Payer } from "./keys.ts";
import type { CheckResult, Report } from "./report.ts";

/** What a run tells of itself while it lasts. */
export type RunEvent =
  | {
      readonly type: "plan";
      readonly run: string;
      readonly checks: number;
      readonly requests: Readonly<Record<Payer, number>>;
    }
  | { readonly type: "check"; readonly result: CheckResult; readonly number: number; readonly of: number }
  | { readonly type: "wait"; readonly payer: Payer; readonly seconds: number; readonly why: string }
  | { readonly type: "notice"; readonly text: string }
  | { readonly type: "end"; readonly report: Report };
