import type { ConformanceOptions } from "../options.ts";
import { isRecord, succeeded } from "./assertions.ts";
import type { Context, Evidence, FalseKeys } from "./check.ts";
import type { Client, Sending } from "./client.ts";
import type { Exchange, Method } from "./exchange.ts";
import type { Holder, Payer } from "./keys.ts";
import type { Ledger } from "./ledger.ts";
import { NotTestable, Unmet, Violation } from "./outcome.ts";
import type { Redactor } from "./redactor.ts";

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

/** The context of one run: sends with its keys, writes its ledger, and keeps its evidence. */
export class RunContext implements Context {
  readonly run: string;
  readonly options: ConformanceOptions;
  readonly falseKeys: FalseKeys;
  readonly redactor: Redactor;
  readonly exchanges: Exchange[];
  readonly #client: Client;
  readonly #ledger: Ledger;
  readonly #gathered = new Map<string, Gathered>();
  readonly #scopes: Scope[] = [];

  constructor(parts: {
    run: string;
    options: ConformanceOptions;
    falseKeys: FalseKeys;
    redactor: Redactor;
    exchanges: Exchange[];
    client: Client;
    ledger: Ledger;
  }) {
    this.run = parts.run;
    this.options = parts.options;
    this.falseKeys = parts.falseKeys;
    this.redactor = parts.redactor;
    this.exchanges = parts.exchanges;
    this.#client = parts.client;
    this.#ledger = parts.ledger;
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
    const answer = await send();
    if (succeeded(answer) && isRecord(answer.json) && answer.json.id != null) {
      this.#ledger.write({ did: "made", mark, id: String(answer.json.id) });
    } else if (!succeeded(answer) && answer.status < 500) {
      this.#ledger.write({ did: "refused", mark });
    }
    return answer;
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
    throw passedOn(wanted, known.outcome.error);
  }

  /** Runs a check's function, and answers the exchanges it rests on. */
  async within(
    scope: Omit<Scope, "exchanges">,
    work: () => Promise<void> | void,
  ): Promise<{ exchanges: Exchange[]; error?: unknown }> {
    const own: Scope = { ...scope, exchanges: new Set() };
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
    const own: Scope = { name: `Evidence "${wanted.name}"`, needs: wanted.needs, exchanges: new Set() };
    this.#scopes.push(own);
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

/** A failure of evidence, as the check that needs it has to see it: named, and not as its own failure. */
function passedOn(wanted: Evidence<unknown>, error: unknown): unknown {
  if (error instanceof Violation)
    return new Unmet(`"${wanted.name}" could not be had: ${error.message}`, error.exchange);
  if (error instanceof Unmet) {
    const named = error.message.startsWith('"') ? error.message : `"${wanted.name}" could not be had: ${error.message}`;
    return new Unmet(named, error.exchange);
  }
  return error;
}
