import type { Choices } from "./choices.ts";

/** An account with its key. */
export interface Account {
  readonly id: string;
  readonly role: "developer" | "tester";
  readonly key: string;
  readonly allowance: number;
}

export interface Project {
  readonly id: string;
  readonly owner: Account;
  fields: Record<string, unknown>;
  status: string;
  readonly created: number;
  updated: number;
  views: number;
  deleted: boolean;
}

export interface Feedback {
  readonly id: string;
  readonly project: Project;
  readonly author: Account;
  fields: Record<string, unknown>;
  bugs: Record<string, unknown>[];
  status: string;
  readonly created: number;
  readonly marks: string[];
  readonly replies: Record<string, unknown>[];
}

/** What the handlers see of the server. */
export interface World {
  /** Unix milliseconds of the running request: within it, no status changes by itself. */
  readonly now: number;
  readonly choices: Choices;
  readonly projects: Project[];
  readonly feedback: Feedback[];
}
