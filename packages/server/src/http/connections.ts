import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/** An idle connection is ended only after this many milliseconds, for a request may be on its way. */
const graceMs = 250;
/** A client that keeps an ended connection open loses it after this many milliseconds. */
const lingerMs = 1_000;
/** Requests that still run when the server stops may take this long, in milliseconds. */
const finishTimeoutMs = 30_000;

/** The open connections of one process, and the requests that run on them. */
export class Connections {
  /** Connection → number of its running requests. */
  readonly #running = new Map<Duplex, number>();
  readonly #overLimit = new WeakSet<Duplex>();
  readonly #limit: number;
  #draining = false;
  #onEmpty: (() => void) | undefined;

  /** @param limit connections past which requests on new ones are refused */
  constructor(limit: number) {
    this.#limit = limit;
  }

  get limit(): number {
    return this.#limit;
  }

  get open(): number {
    return this.#running.size;
  }

  /** Requests that are being answered. */
  get requests(): number {
    return [...this.#running.values()].reduce((sum, running) => sum + running, 0);
  }

  add(connection: Duplex): void {
    if (this.#running.size >= this.#limit) this.#overLimit.add(connection);
    this.#running.set(connection, 0);
    connection.once("close", () => {
      this.#running.delete(connection);
      if (this.#running.size === 0) this.#onEmpty?.();
    });
  }

  /** Counts a request until its response has been sent or its connection is closed. */
  begin(connection: Duplex, response: ServerResponse): void {
    this.#change(connection, 1);
    response.once("close", () => this.#change(connection, -1));
  }

  isOverLimit(connection: Duplex): boolean {
    return this.#overLimit.has(connection);
  }

  /** Whether a response must be the last one on its connection. */
  mustClose(connection: Duplex): boolean {
    return this.#draining || this.#overLimit.has(connection);
  }

  /** From now on every response is the last one on its connection. */
  drain(): void {
    this.#draining = true;
  }

  /**
   * Waits until running requests have ended, 30 s at most, and ends the idle connections. An idle one is shut down for
   * writing first: closed at once, it would reset a client whose request is on its way (RFC 9112 section 9.6).
   */
  async close(): Promise<void> {
    this.drain();
    if (this.#running.size === 0) return;
    const timers = [
      setTimeout(() => this.#forIdle((connection) => connection.end()), graceMs),
      setTimeout(() => this.#forIdle((connection) => connection.destroy()), graceMs + lingerMs),
      setTimeout(() => this.destroyAll(), finishTimeoutMs),
    ];
    await new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
    });
    for (const timer of timers) clearTimeout(timer);
  }

  destroyAll(): void {
    for (const connection of this.#running.keys()) connection.destroy();
  }

  #change(connection: Duplex, by: number): void {
    const running = this.#running.get(connection);
    if (running !== undefined) this.#running.set(connection, running + by);
  }

  #forIdle(end: (connection: Duplex) => void): void {
    for (const [connection, running] of this.#running) if (running === 0) end(connection);
  }
}
