// What a run measured, as it stands in results.json.

import type { Work } from "./work.ts";

export interface Results {
  /** ISO 8601. */
  readonly at: string;
  readonly machine: Machine;
  readonly options: Options;
  /** Server → one sentence. */
  readonly servers: Readonly<Record<string, string>>;
  /** With `--compare`: the name of the server of the other checkout. */
  readonly compared?: string;
  readonly rows: readonly Row[];
  /** This server alone, at the smallest and the largest size, side by side: the median of several processes. Empty for one size. */
  readonly growth: readonly Row[];
  /** Projects → server → milliseconds from the start of the process to its first response. */
  readonly startMs: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>>;
  /** Projects → server → peak memory in bytes. */
  readonly peakBytes: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export interface Machine {
  readonly cores: number;
  readonly model: string;
  readonly memoryGiB: number;
  readonly system: string;
  readonly node: string;
  readonly mongod: string;
  readonly cacheGigabytes: number;
}

/** How it was measured. */
export interface Options {
  /** Numbers of connections, each with one request at a time. */
  readonly connections: readonly number[];
  readonly rounds: number;
  /** Of each measurement. */
  readonly seconds: number;
  /** Before each measurement, not counted. */
  readonly warmSeconds: number;
  /** Of each work on each server, before the first round. */
  readonly firstSeconds: number;
}

/** Where a row stands in the tables. */
export interface Cell {
  readonly projects: number;
  readonly work: Work;
  readonly connections: number;
}

/** All measurements of one server in one cell. */
export interface Row extends Cell {
  readonly server: string;
  readonly rounds: readonly Round[];
}

/** A measurement, and the round it was made in: rows are compared within a round. */
export interface Round extends Figures {
  readonly round: number;
}

/** What one measurement saw. */
export interface Figures {
  /** Requests answered per second. */
  readonly rate: number;
  /** Microseconds of processor time, user and system, per request. */
  readonly serverCpu: number;
  readonly mongodCpu: number;
  /** Milliseconds from request to response. */
  readonly p50: number;
  readonly p99: number;
  /** Responses other than 2xx, as a part of all. */
  readonly failures: number;
}
