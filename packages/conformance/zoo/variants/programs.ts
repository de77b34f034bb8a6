import type { Deployment } from "../../src/options.ts";

/** A legal server in Python, in this folder, and what its operator declares. */
export interface Program {
  readonly id: string;
  readonly description: string;
  readonly file: string;
  /** Arguments of the program. */
  readonly options: readonly string[];
  readonly declares: Deployment;
}

const drafts = { alder: { draft: { fields: { saveOnly: true } } }, birch: { draft: { fields: { state: "draft" } } } };
const published = { project: { patch: { status: "active" } } };

export const programs: readonly Program[] = [
  {
    id: "python-objects",
    description:
      "UUIDs, 200 on creation with little in the response, 422, rising sorts, replies that append, marks that add up, Reset in seconds left, feedback on any project.",
    file: "alder.py",
    options: [],
    declares: drafts.alder,
  },
  {
    id: "python-sqlite",
    description:
      "Numbers as ids, projects that begin as drafts, 410, problem documents, Reset in milliseconds, testers who see their own feedback alone, marks that toggle.",
    file: "birch.py",
    options: [],
    declares: { ...drafts.birch, ...published },
  },
  {
    id: "python-objects-undeclared",
    description: "The first of them, with nothing declared about drafts.",
    file: "alder.py",
    options: [],
    declares: {},
  },
  {
    id: "python-objects-by-endpoint",
    description: "The first of them, with an allowance for each endpoint and Reset in minutes.",
    file: "alder.py",
    options: ["--by-endpoint", "--minutes"],
    declares: drafts.alder,
  },
  {
    id: "python-objects-closed",
    description: "The first of them, where testers read no feedback and a feedback page has two items.",
    file: "alder.py",
    options: ["--testers-blind", "--page", "2"],
    declares: drafts.alder,
  },
  {
    id: "python-objects-exhausted-503",
    description: "The first of them, with an exhausted allowance answered 503.",
    file: "alder.py",
    options: ["--exhausted", "503"],
    declares: drafts.alder,
  },
];
