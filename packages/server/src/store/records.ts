import { AnswerRecords } from "./answer-records.ts";
import type { Database } from "./database.ts";
import { FeedbackRecords } from "./feedback-records.ts";
import { ProjectRecords } from "./project-records.ts";
import { ProjectTallies } from "./project-tallies.ts";
import type { Reads } from "./reads.ts";
import type { Writing } from "./writing.ts";

/** What an operation reads and writes; all of it in one transaction, or none in any. */
export interface Records {
  readonly projects: ProjectRecords;
  readonly feedback: FeedbackRecords;
  readonly answers: AnswerRecords;
}

/** Records that are read by `reads`; without `writing` there is no transaction, and nothing can be written. */
export function recordsOf(database: Database, reads: Reads, writing?: Writing): Records {
  return {
    projects: new ProjectRecords(database, reads, new ProjectTallies(reads, writing), writing),
    feedback: new FeedbackRecords(database, reads, writing),
    answers: new AnswerRecords(database, writing?.session),
  };
}
