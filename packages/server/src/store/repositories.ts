import type { Database } from "./database.ts";
import { FeedbackRepository } from "./feedback-repository.ts";
import { IdempotencyRepository } from "./idempotency-repository.ts";
import type { Loaders } from "./loaders.ts";
import { ProjectRepository } from "./project-repository.ts";
import type { Transaction } from "./transaction.ts";

/** What an operation reads and writes. */
export interface Repositories {
  readonly projects: ProjectRepository;
  readonly feedback: FeedbackRepository;
  readonly idempotency: IdempotencyRepository;
}

/** @param transaction without one, the repositories can only read */
export function createRepositories(database: Database, loaders: Loaders, transaction?: Transaction): Repositories {
  return {
    projects: new ProjectRepository(database, loaders, transaction),
    feedback: new FeedbackRepository(database, loaders, transaction),
    idempotency: new IdempotencyRepository(database, transaction?.session),
  };
}
