import type { Json } from "./assertions.ts";

/** A key this short, or a plain word, also occurs where it is not a key. */
const shortest = 8;

interface Secret {
  readonly key: string;
  readonly variable: string;
  /** Whether every occurrence is the key: a word such as `tester`, or `1`, occurs for other reasons too. */
  readonly distinctive: boolean;
  /** The key as such, and as it is written in JSON and in a URL. */
  readonly forms: readonly string[];
}

/** Replaces every key in every text that leaves the process by the name of a shell variable. */
export class Redactor {
  readonly #secrets: Secret[] = [];

  /** From now on `key` becomes `$variable`. */
  hide(key: string, variable: string): void {
    if (key === "") return;
    const distinctive = key.length >= shortest && !/^(?:[a-z]+|[0-9]+)$/i.test(key);
    this.#secrets.push({ key, variable, distinctive, forms: formsOf(key) });
    // Longest first, so that a key that begins with another one does not leave its end behind.
    this.#secrets.sort((one, other) => other.key.length - one.key.length);
  }

  /** A text without keys. A key that is also a plain word is replaced only after `Bearer`. */
  readonly redact = (text: string): string => this.#replace(text, (variable) => `$${variable}`);

  /** The same, with the form that the variables take in the text told by `mark`. */
  redactAs(text: string, mark: (variable: string) => string): string {
    return this.#replace(text, mark);
  }

  /** A value without keys, in texts at any depth and in the names of fields. */
  readonly redactValue = (value: unknown): unknown => {
    if (typeof value === "string") return this.redact(value);
    if (typeof value === "number") {
      const text = String(value);
      const clean = this.redact(text);
      return clean === text ? value : clean;
    }
    if (Array.isArray(value)) return value.map(this.redactValue);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value as Json).map(([name, part]) => [this.redact(name), this.redactValue(part)]),
    );
  };

  /** Whether a text holds one of the keys that stand under these variables, as a key. */
  holds(text: string, variables: readonly string[]): boolean {
    return this.#secrets.some(
      (secret) =>
        variables.includes(secret.variable) &&
        (secret.distinctive ? secret.forms.some((form) => text.includes(form)) : pattern(secret.key).test(text)),
    );
  }

  #replace(text: string, mark: (variable: string) => string): string {
    let clean = text;
    for (const { key, variable, distinctive, forms } of this.#secrets) {
      const name = mark(variable);
      if (distinctive) for (const form of forms) clean = clean.replaceAll(form, () => name);
      else clean = clean.replace(pattern(key), (_, before: string) => `${before}${name}`);
    }
    return clean;
  }
}

const formsOf = (key: string): string[] => [
  ...new Set([key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key)]),
];

const pattern = (key: string): RegExp =>
  new RegExp(`(bearer\\s+)${key.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\w-])`, "gi");
