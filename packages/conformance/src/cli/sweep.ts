import { cleanUp } from "../engine/cleanup.ts";
import { Client } from "../engine/client.ts";
import { defaultLedgerFolder, Ledger } from "../engine/ledger.ts";
import { ConfigurationError } from "../engine/outcome.ts";
import { Pacer } from "../engine/pacer.ts";
import type { Holder } from "../engine/terms.ts";
import { type KeyFlags, readKeys, sources } from "./keys.ts";
import { fetchWith } from "./network.ts";

export interface SweepFlags extends KeyFlags {
  readonly baseUrl?: string;
  readonly ledger?: string;
  readonly ca?: string;
}

/** Deletes what a run left behind; answers 0 when nothing is left, else 1. Without a run it lists those that may have left something. */
export async function sweep(run: string | undefined, flags: SweepFlags): Promise<number> {
  const folder = flags.ledger ?? defaultLedgerFolder();
  if (run === undefined) {
    const runs = Ledger.runs(folder);
    process.stdout.write(runs.length === 0 ? "No run has left anything behind.\n" : `${runs.join("\n")}\n`);
    return 0;
  }
  const ledger = Ledger.open(folder, run);
  const standing = ledger.standing();
  const keys = readKeys(flags, process.env, [...new Set(standing.map(({ holder }) => holder))]);
  const baseUrl = (flags.baseUrl ?? ledger.baseUrl ?? "").replace(/\/+$/, "");
  if (baseUrl === "") throw new ConfigurationError("The ledger names no base address. Give it with --base-url.");
  const tell = (line: string) => process.stdout.write(`${line}\n`);
  const client = new Client({
    baseUrl,
    fetch: fetchWith(flags.ca),
    pacer: new Pacer(
      3660,
      (payer, seconds, why) => tell(`Waiting ${Math.ceil(seconds)} s for the ${payer} key: ${why}.`),
      (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000)),
    ),
    timeout: 15,
    userAgent: `project-feedback-conformance (sweep ${run})`,
    signal: undefined,
    onExchange: ({ method, target, status }) => tell(`${method} ${target} → ${status}`),
  });
  const left = await cleanUp(ledger, run, (holder: Holder, method, path, query) => {
    const key = keys[holder];
    if (!key) throw new ConfigurationError(`The key of the ${holder} is missing: ${sources[holder].flag}.`);
    return client.send(holder, `Bearer ${key}`, method, path, query ? { query } : {});
  });
  if (left.length > 0) {
    tell(`Still there: ${left.join(", ")}.`);
    return 1;
  }
  ledger.close();
  tell(`Nothing of run ${run} is left.`);
  return 0;
}
