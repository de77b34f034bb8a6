// Parsers of the values of command-line flags.

import { InvalidArgumentError } from "commander";

/** Reads a comma-separated list, without duplicates. */
export function listOf<Value>(parse: (text: string) => Value): (text: string) => Value[] {
  return (text) => [...new Set(text.split(",").map(parse))];
}

/** Reads one of these names. */
export function oneOf(names: readonly string[]): (text: string) => string {
  return (text) => {
    if (names.includes(text)) return text;
    throw new InvalidArgumentError(`Choose among ${names.join(", ")}.`);
  };
}

/** Reads a whole number above 0. */
export function positive(text: string): number {
  if (/^[1-9]\d{0,7}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Give a whole number above 0.");
}

/** Reads a number of projects: with fewer, a search has no 40 matches; more were never tested. */
export function size(text: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= 1_000 && number <= 1_000_000) return number;
  throw new InvalidArgumentError("Give numbers of projects from 1000 to 1000000.");
}

/** Reads minutes. */
export function minutes(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value >= 0.1 && value <= 1_440) return value;
  throw new InvalidArgumentError("Give minutes, from 0.1 to 1440.");
}

/** Reads seconds. */
export function seconds(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value >= 0.1 && value <= 3_600) return value;
  throw new InvalidArgumentError("Give seconds, from 0.1 to 3600.");
}
