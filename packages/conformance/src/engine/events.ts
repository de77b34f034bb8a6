import type { CheckResult, Report } from "./report.ts";
import type { Depth, Payer } from "./terms.ts";

/** What a run reports while it lasts. */
export type RunEvent =
  | {
      readonly type: "plan";
      readonly run: string;
      readonly checks: number;
      readonly depth: Depth;
      readonly requests: Readonly<Record<Payer, number>>;
    }
  | { readonly type: "evidence"; readonly name: string }
  | { readonly type: "check"; readonly result: CheckResult; readonly number: number; readonly of: number }
  | { readonly type: "wait"; readonly payer: Payer; readonly seconds: number; readonly why: string }
  | { readonly type: "notice"; readonly text: string }
  | { readonly type: "end"; readonly report: Report };
