import { randomInt } from "node:crypto";

const letters = "abcdefghijklmnopqrstuvwxyz";

/** Random lower-case letters. */
export const randomLetters = (length: number): string =>
  Array.from({ length }, () => letters[randomInt(letters.length)]).join("");

/** A key that does not exist, with the name of the shell variable that stands for it in scripts. */
export interface FalseKey {
  readonly key: string;
  readonly variable: string;
  /** How it differs from a real key. */
  readonly form: string;
}

/** Keys shorter than this have neighbours that may be real keys. */
const shortest = 12;

/**
 * Keys that do not exist: a random one, and forms of a real one that a careless comparison accepts. Forms that equal
 * another real key are left out.
 */
export function falseKeysOf(holder: "developer" | "tester", key: string, real: readonly string[]): readonly FalseKey[] {
  const name = holder.toUpperCase();
  const forms: FalseKey[] = [
    { key: alike(key), variable: `UNKNOWN_${name}_KEY`, form: "random" },
    { key: `${key}${randomLetters(8)}`, variable: `EXTENDED_${name}_KEY`, form: "extended" },
  ];
  if (key.length >= shortest) {
    const last = key.endsWith("A") ? "B" : "A";
    forms.push(
      { key: `${key.slice(0, -1)}${last}`, variable: `ALTERED_${name}_KEY`, form: "altered at its end" },
      { key: key.slice(0, -1), variable: `TRUNCATED_${name}_KEY`, form: "one character short" },
      { key: key.slice(0, Math.ceil(key.length / 2)), variable: `HALF_${name}_KEY`, form: "its first half" },
      { key: swapCase(key), variable: `RECASED_${name}_KEY`, form: "in another case" },
    );
  }
  return forms.filter((one) => !real.includes(one.key));
}

/** A random key of the same kinds of characters, long enough to be nobody's. */
function alike(key: string): string {
  const copy = key
    .replace(/[a-z]/g, () => randomLetters(1))
    .replace(/[A-Z]/g, () => randomLetters(1).toUpperCase())
    .replace(/[0-9]/g, () => String(randomInt(10)));
  return key.length >= shortest ? copy : `${copy}${randomLetters(20)}`;
}

const swapCase = (text: string): string =>
  text.replace(/[a-z]|[A-Z]/g, (letter) => (/[a-z]/.test(letter) ? letter.toUpperCase() : letter.toLowerCase()));
