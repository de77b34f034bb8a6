import type { MongoClient } from "mongodb";

/** Counts of a client's connection pools. Create it before the client connects. */
export class PoolStatistics {
  /** Open connections. */
  open = 0;
  /** Connections on which a command is running. */
  inUse = 0;
  /** Commands that wait for a connection. */
  waiting = 0;
  /** Waits that have ended, and their total length in milliseconds. */
  waits = 0;
  waitMs = 0;
  /** Waits that ended without a connection. */
  failures = 0;

  constructor(client: MongoClient) {
    client.on("connectionCreated", () => {
      this.open += 1;
    });
    client.on("connectionClosed", () => {
      this.open -= 1;
    });
    client.on("connectionCheckOutStarted", () => {
      this.waiting += 1;
    });
    client.on("connectionCheckedOut", ({ durationMS }) => {
      this.#endWait(durationMS);
      this.inUse += 1;
    });
    client.on("connectionCheckOutFailed", ({ durationMS }) => {
      this.#endWait(durationMS);
      this.failures += 1;
    });
    client.on("connectionCheckedIn", () => {
      this.inUse -= 1;
    });
  }

  #endWait(durationMs: number): void {
    this.waiting -= 1;
    this.waits += 1;
    this.waitMs += durationMs;
  }
}
