import { readFileSync } from "node:fs";

/** A block of code in a README. */
export interface Block {
  readonly language: string;
  readonly text: string;
}

/** The blocks of code in a Markdown file, from top to bottom. */
export function blocksOf(file: string): Block[] {
  const found = readFileSync(file, "utf8").matchAll(/^```(\w+)\n(.*?)^```$/gms);
  return [...found].map(([, language = "", text = ""]) => ({ language, text }));
}
