import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { ConfigurationError } from "./outcome.ts";
import type { Holder } from "./terms.ts";

/** A line of the ledger. No line holds a key. */
export type Entry =
  | { readonly did: "begin"; readonly run: string; readonly baseUrl: string; readonly at: string }
  /** Written before the request, so that a crash in the middle of it leaves a trace. */
  | { readonly did: "make"; readonly what: "project" | "feedback"; readonly holder: Holder; readonly mark: number }
  | { readonly did: "made"; readonly mark: number; readonly id: string }
  /** The server refused to create it. */
  | { readonly did: "refused"; readonly mark: number }
  | { readonly did: "gone"; readonly id: string }
  | { readonly did: "end"; readonly at: string };

/** A project that may still exist: `id` is unknown where the run ended before the response came. */
export interface Standing {
  readonly holder: Holder;
  readonly id: string | undefined;
}

/** Where ledgers are kept by default. */
export function defaultLedgerFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const state = environment.XDG_STATE_HOME || join(homedir(), ".local", "state");
  return join(state, "project-feedback-conformance");
}

/** Everything that a run creates, one JSON line each, written at once. */
export class Ledger {
  readonly #file: string | undefined;
  readonly #entries: Entry[] = [];

  private constructor(file: string | undefined) {
    this.#file = file;
  }

  /** @param folder undefined keeps it in memory only */
  static begin(folder: string | undefined, run: string, baseUrl: string): Ledger {
    if (folder !== undefined) mkdirSync(folder, { recursive: true });
    const ledger = new Ledger(folder === undefined ? undefined : join(folder, `${run}.jsonl`));
    ledger.write({ did: "begin", run, baseUrl, at: new Date().toISOString() });
    return ledger;
  }

  /** @throws ConfigurationError where there is no such run */
  static open(folder: string, run: string): Ledger {
    const file = join(folder, `${run}.jsonl`);
    if (!/^[a-z]+$/.test(run) || !existsSync(file)) {
      const known = Ledger.runs(folder);
      const others = known.length === 0 ? "It holds none" : `It holds ${known.join(", ")}`;
      throw new ConfigurationError(`There is no ledger of the run "${run}" in ${folder}. ${others}.`);
    }
    const ledger = new Ledger(file);
    for (const line of readFileSync(file, "utf8").split("\n")) {
      // A line that a crash cut in half adds nothing to the line before it.
      if (line.endsWith("}")) ledger.#entries.push(JSON.parse(line));
    }
    return ledger;
  }

  /** Runs whose ledgers exist, which means that something they created may still exist. */
  static runs(folder: string): string[] {
    if (!existsSync(folder)) return [];
    return readdirSync(folder).flatMap((name) => (name.endsWith(".jsonl") ? [name.slice(0, -".jsonl".length)] : []));
  }

  get baseUrl(): string | undefined {
    return this.#entries.find((entry) => entry.did === "begin")?.baseUrl;
  }

  write(entry: Entry): void {
    if (this.#file !== undefined) appendFileSync(this.#file, `${JSON.stringify(entry)}\n`);
    this.#entries.push(entry);
  }

  /** Announces a request that creates something; returns the mark that closes it. */
  announce(what: "project" | "feedback", holder: Holder): number {
    const mark = this.#entries.length;
    this.write({ did: "make", what, holder, mark });
    return mark;
  }

  /** Projects that may still exist, the latest first. Feedback goes with its project: the interface cannot delete it. */
  standing(): Standing[] {
    const gone = new Set(this.#entries.flatMap((entry) => (entry.did === "gone" ? [entry.id] : [])));
    const refused = new Set(this.#entries.flatMap((entry) => (entry.did === "refused" ? [entry.mark] : [])));
    const ids = new Map(
      this.#entries.flatMap((entry) => (entry.did === "made" ? [[entry.mark, entry.id] as const] : [])),
    );
    return this.#entries
      .flatMap((entry) => (entry.did === "make" && entry.what === "project" && !refused.has(entry.mark) ? [entry] : []))
      .map(({ holder, mark }) => ({ holder, id: ids.get(mark) }))
      .filter(({ id }) => id === undefined || !gone.has(id))
      .reverse();
  }

  /** Nothing is left, so that the ledger is no longer needed. */
  close(): void {
    this.write({ did: "end", at: new Date().toISOString() });
    if (this.#file !== undefined) rmSync(this.#file, { force: true });
  }
}
