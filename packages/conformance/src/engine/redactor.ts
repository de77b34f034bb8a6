/** Takes every key out of every text that leaves the process, and puts the name of a shell variable in its place. */
export class Redactor {
  readonly #names = new Map<string, string>();

  /** From now on `secret`, as such or as it is written in JSON or in an address, becomes `$variable`. */
  hide(secret: string, variable: string): void {
    if (secret === "") return;
    for (const form of [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)]) {
      this.#names.set(form, `$${variable}`);
    }
  }

  /** Longest first, so that a key that begins with another one does not leave its end behind. */
  readonly redact = (text: string): string => {
    const secrets = [...this.#names].sort(([one], [other]) => other.length - one.length);
    return secrets.reduce((clean, [secret, name]) => clean.replaceAll(secret, name), text);
  };

  /** Whether a text holds a secret that stands under one of these variables. */
  holds(text: string, variables: readonly string[]): boolean {
    return [...this.#names].some(([secret, name]) => variables.includes(name.slice(1)) && text.includes(secret));
  }
}
