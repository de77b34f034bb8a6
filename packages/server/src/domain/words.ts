// What a search compares: words without case and accents (C-SEARCH-1).

// Marks of European scripts. Marks of other scripts, such as Indic vowels, are letters to their readers and stay.
const accents = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/gu;
/** Letters with a stroke, which Unicode does not take apart. */
const strokes: Readonly<Record<string, string>> = { ø: "o", ł: "l", đ: "d", ħ: "h", ŧ: "t" };
// Nothing of a word means anything in a regular expression: the store searches for words as prefixes (C-SEARCH-1).
const separators = /[^\p{L}\p{N}\p{M}]+/u;

/** Text in the form in which it is compared. Upper before lower case, so that `ß` meets `SS` and `ς` meets `Σ`. */
function fold(text: string): string {
  return text
    .normalize("NFKD")
    .replace(accents, "")
    .toUpperCase()
    .toLowerCase()
    .normalize("NFKD")
    .replace(accents, "")
    .replaceAll("ς", "σ")
    .replace(/[øłđħŧ]/g, (letter) => strokes[letter] ?? letter)
    .normalize("NFC");
}

/** The distinct words of a text, folded. Empty where it has no letter or digit. */
export function wordsOf(...texts: readonly string[]): string[] {
  const words = new Set<string>();
  for (const text of texts) for (const word of fold(text).split(separators)) words.add(word);
  // What is left of an emoji, a mark alone, is no word.
  return [...words].filter((word) => /[\p{L}\p{N}]/u.test(word));
}
