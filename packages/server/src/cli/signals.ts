import { closeSync, openSync } from "node:fs";
import { constants } from "node:os";
import type { Log } from "../http/context.ts";

/** Why and how the server is to stop. */
export interface StopRequest {
  /** How long it serves on while /readyz answers 503, in milliseconds. */
  readonly drainMs: number;
}

export interface SignalOptions {
  readonly log: Log;
  /** How long SIGTERM drains, in milliseconds. */
  readonly drainMs: number;
  readonly onReload: () => void;
  /** Called before the process ends at once. */
  readonly onKill: () => void;
}

/** The signals of an operator: SIGTERM and SIGINT stop, a second one kills, SIGHUP reloads. */
export class Signals {
  readonly #options: SignalOptions;
  readonly #stop = Promise.withResolvers<StopRequest>();
  #isStarted = false;
  #isStopping = false;

  constructor(options: SignalOptions) {
    this.#options = options;
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => this.#onStop(signal));
    process.on("SIGHUP", () => (isTerminalGone() ? this.#onStop("SIGHUP") : options.onReload()));
  }

  /** Until this is called there is nothing to stop gracefully: a signal ends the process at once. */
  started(): void {
    this.#isStarted = true;
  }

  /** The first request to stop. */
  get stop(): Promise<StopRequest> {
    return this.#stop.promise;
  }

  /** Requests a stop without a signal. */
  requestStop(): void {
    this.#isStopping = true;
    this.#stop.resolve({ drainMs: 0 });
  }

  #onStop(signal: "SIGTERM" | "SIGINT" | "SIGHUP"): void {
    const { log, drainMs, onKill } = this.#options;
    if (this.#isStopping || !this.#isStarted) {
      log.warn({ signal }, "stopping at once");
      onKill();
      process.exit(128 + constants.signals[signal]);
    }
    log.info({ signal }, "stopping");
    this.#isStopping = true;
    this.#stop.resolve({ drainMs: signal === "SIGINT" ? 0 : drainMs });
  }
}

/** A terminal that is closed sends SIGHUP too: there is nobody left to serve for. */
function isTerminalGone(): boolean {
  if (!process.stdout.isTTY) return false;
  try {
    closeSync(openSync("/dev/tty", "r"));
    return false;
  } catch {
    return true;
  }
}
