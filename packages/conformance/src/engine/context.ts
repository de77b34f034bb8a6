import type { ConformanceOptions } from "../options.ts";
import { isRecord, succeeded } from "./assertions.ts";
import type { Context, Evidence } from "./check.ts";
import type { Client, Sending } from "./client.ts";
import type { Exchange, Method } from "./exchange.ts";
import type { Ledger } from "./ledger.ts";
import { HarnessError, NotTestable, Unmet, Violation } from "./outcome.ts";
import type { Redactor } from "./redactor.ts";
import { budgets, type Cost, type Depth, type Holder, type Payer } from "./terms.ts";

interface Gathered {
  readonly outcome: { readonly value: unknown } | { readonly error: unknown };
  /** Its own exchanges and those of what it needed, in order. */
  readonly exchanges: ReadonlySet<Exchange>;
}

interface Scope {
  readonly name: string;
  readonly needs: readonly Evidence<unknown>[];
  readonly exchanges: Set<Exchange>;
}

/** Requests kept in reserve for those that have to be sent again, because the server is unavailable for a moment. */
const spareRequests = 6;

export interface RunParts {
  readonly run: string;
  readonly options: ConformanceOptions;
  readonly redactor: Redactor;
  readonly exchanges: Exchange[];
  readonly client: Client;
  readonly ledger: Ledger;
  /** Everything that the plan needs, for keeping requests in reserve. */
  readonly planned: readonly Needed[];
  readonly pause: (seconds: number) => Promise<void>;
}

/** Evidence or a check that will be run, with the requests that it needs. */
export interface Needed {
  readonly name: string;
  readonly cost: Cost;
  readonly reads: number;
}

/** The context of one run: sends with its keys, writes its ledger, and keeps its evidence. */
export class RunContext implements Context {
  readonly run: string;
  readonly options: ConformanceOptions;
  readonly redactor: Redactor;
  readonly exchanges: Exchange[];
  readonly pause: (seconds: number) => Promise<void>;
  depth: Depth = "quick";
  readonly #client: Client;
  readonly #ledger: Ledger;
  readonly #outstanding: Map<string, Needed>;
  #reader: Holder = "tester";
  #stopped: string | undefined;
  #observed: readonly Exchange[] | undefined;
  readonly #gathered = new Map<string, Gathered>();
  readonly #scopes: Scope[] = [];

  constructor(parts: RunParts) {
    this.run = parts.run;
    this.options = parts.options;
    this.redactor = parts.redactor;
    this.exchanges = parts.exchanges;
    this.pause = parts.pause;
    this.#client = parts.client;
    this.#ledger = parts.ledger;
    this.#outstanding = new Map(parts.planned.map((one) => [one.name, one]));
  }

  get observed(): readonly Exchange[] {
    return this.#observed ?? this.exchanges;
  }

  /** From now on exchanges are those of chosen checks. */
  closeObservation(): void {
    this.#observed ??= [...this.exchanges];
  }

  /** From now on nothing more is sent or gathered for checks; what is known is still judged. */
  stop(reason: string): void {
    this.#stopped ??= reason;
  }

  readFeedbackWith(holder: "tester" | "developer"): void {
    this.#reader = holder;
  }

  affords(payer: Payer, count = 1): boolean {
    // The projects that still exist will be deleted by requests of their owner.
    let reserved = payer === "developer" ? this.#ledger.standing().length : 0;
    for (const { cost, reads } of this.#outstanding.values())
      reserved += (cost[payer] ?? 0) + (payer === this.#reader ? reads : 0);
    return this.#client.sentBy(payer) + reserved + count + spareRequests <= budgets[this.depth];
  }

  async send(holder: Holder, method: Method, path: string, sending?: Sending): Promise<Exchange> {
    const key = this.options.keys[holder];
    if (key === undefined) throw new NotTestable(`a key of the ${holder}`);
    return this.#note(await this.#client.send(holder, `Bearer ${key}`, method, path, sending));
  }

  async sendAs(authorization: string | undefined, method: Method, path: string, sending?: Sending): Promise<Exchange> {
    return this.sendRaw("nobody", authorization, method, path, sending);
  }

  async sendRaw(
    payer: Payer,
    authorization: string | undefined,
    method: Method,
    path: string,
    sending?: Sending,
  ): Promise<Exchange> {
    return this.#note(await this.#client.send(payer, authorization, method, path, sending));
  }

  async make(what: "project" | "feedback", holder: Holder, send: () => Promise<Exchange>): Promise<Exchange> {
    const mark = this.#ledger.announce(what, holder);
    const response = await send();
    if (succeeded(response) && isRecord(response.json) && response.json.id != null) {
      this.#ledger.write({ did: "made", mark, id: String(response.json.id) });
    } else if (!succeeded(response) && response.status < 500) {
      this.#ledger.write({ did: "refused", mark });
    }
    return response;
  }

  gone(id: string): void {
    this.#ledger.write({ did: "gone", id });
  }

  async use<T>(wanted: Evidence<T>): Promise<T> {
    const scope = this.#scopes.at(-1);
    if (scope && !scope.needs.includes(wanted)) {
      throw new Error(`${scope.name} uses "${wanted.name}" without naming it among its needs.`);
    }
    const known = this.#gathered.get(wanted.name) ?? (await this.#gather(wanted));
    for (const exchange of known.exchanges) scope?.exchanges.add(exchange);
    if ("value" in known.outcome) return known.outcome.value as T;
    throw passedOn(known.outcome.error);
  }

  /** Gathers evidence ahead of the checks that need it. Returns what keeps the run from sending anything further, if so. */
  async prepare(wanted: Evidence<unknown>): Promise<HarnessError | undefined> {
    if (this.#gathered.has(wanted.name)) return undefined;
    const { outcome } = await this.#gather(wanted);
    return "error" in outcome && outcome.error instanceof HarnessError ? outcome.error : undefined;
  }

  /** Runs the function of a check, and returns the exchanges on which it rests. */
  async within(
    scope: Omit<Scope, "exchanges">,
    work: () => Promise<void> | void,
  ): Promise<{ exchanges: Exchange[]; error?: unknown }> {
    const own: Scope = { ...scope, exchanges: new Set() };
    this.#outstanding.delete(scope.name);
    this.#scopes.push(own);
    try {
      await work();
      return { exchanges: ordered(own.exchanges) };
    } catch (error) {
      return { exchanges: ordered(own.exchanges), error };
    } finally {
      this.#scopes.pop();
    }
  }

  async #gather(wanted: Evidence<unknown>): Promise<Gathered> {
    if (this.#stopped !== undefined) throw new HarnessError(this.#stopped);
    const own: Scope = { name: `Evidence "${wanted.name}"`, needs: wanted.needs, exchanges: new Set() };
    this.#scopes.push(own);
    // Its own requests are due now; what it adds beyond them must leave enough for the others.
    this.#outstanding.delete(wanted.name);
    const outcome = await wanted.gather(this).then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    this.#scopes.pop();
    const gathered = { outcome, exchanges: own.exchanges };
    this.#gathered.set(wanted.name, gathered);
    return gathered;
  }

  #note(exchange: Exchange): Exchange {
    this.#scopes.at(-1)?.exchanges.add(exchange);
    return exchange;
  }
}

const ordered = (exchanges: ReadonlySet<Exchange>) => [...exchanges].sort((one, other) => one.number - other.number);

/** A violation that stopped the evidence is not a failure of the check that needs it. */
function passedOn(error: unknown): unknown {
  if (error instanceof Violation) return new Unmet(error.message, error.exchange);
  return error;
}
