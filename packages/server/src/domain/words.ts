// The words that a search compares (C-SEARCH-1): of a text, each word that a query may begin; of a query, its words.

/**
 * Scripts that are written without spaces, and Korean, which writes compounds without them. A word inside such text has
 * no beginning that could be known without a dictionary, so the text is indexed from each of its letters.
 */
const unspacedScripts = [
  ...["Han", "Hiragana", "Katakana", "Bopomofo", "Hangul", "Yi", "Thai", "Lao", "Khmer", "Myanmar", "Tibetan"],
  ...["Tai_Le", "New_Tai_Lue", "Tai_Tham", "Tai_Viet", "Javanese", "Balinese"],
];
const unspaced = unspacedScripts.map((script) => String.raw`\p{Script_Extensions=${script}}`).join("");

/** Most letters of unspaced text in one word: few queries are longer, and of a longer one each part is searched for. */
const maxUnspaced = 8;
/** Most pieces of a joined word that are indexed together, such as the four of `state-of-the-art`. */
const maxPieces = 8;

// Signs that join the pieces of a word when they stand between two of them: e-mail, node.js, don't, off_line, v2.0.1.
const joiner = "[\\-\\u2010\\u2011_.'\\u2019\\u200c]";
const letters = String.raw`[[\p{L}\p{N}]--[${unspaced}]]`;
// C++, C# and F# are not C and F. A single plus belongs to a word that it ends: Google+, but not a+b.
const sign = String.raw`(?:\+\+|#|\+(?![\p{L}\p{N}]))`;
const piece = `${letters}+${sign}?`;
const words = new RegExp(`${piece}(?:${joiner}${piece})*|[[${unspaced}]&&[\\p{L}\\p{N}]]+`, "gv");
const pieces = new RegExp(piece, "gv");
const isUnspaced = new RegExp(`^[${unspaced}]`, "v");

const marks = /\p{M}/gu;
// The Arabic tatweel and the soft hyphen only change how a word looks, as does the joiner U+200D.
const ignorable = /[\u0640\u00ad\u200d]/g;
/** Letters with a stroke, which Unicode does not decompose. */
const strokes: Readonly<Record<string, string>> = { ø: "o", ł: "l", đ: "d", ħ: "h", ŧ: "t" };

/** Text in the form that is compared. Upper case comes before lower case, so that `ß` equals `SS` and `ς` equals `Σ`. */
export function fold(text: string): string {
  const bare = (decomposed: string) => decomposed.normalize("NFKD").replace(marks, "");
  return bare(bare(text).toUpperCase().toLowerCase())
    .replace(ignorable, "")
    .replaceAll("ς", "σ")
    .replace(/[øłđħŧ]/g, (letter) => strokes[letter] ?? letter)
    .normalize("NFC");
}

/** The distinct words that a query may begin, so that it finds one of these texts. */
export function indexWords(...texts: readonly string[]): string[] {
  const found = new Set<string>();
  for (const text of texts) {
    for (const [word] of fold(text).matchAll(words)) {
      for (const each of isUnspaced.test(word) ? suffixesOf(word) : joinsOf(word)) found.add(each);
    }
  }
  return [...found];
}

/** The distinct words of a query, each of which must begin a word of the index. Empty without a letter or digit. */
export function queryWords(query: string): string[] {
  const found = new Set<string>();
  for (const [word] of fold(query).matchAll(words)) {
    for (const each of isUnspaced.test(word) ? chunksOf(word) : [join(piecesOf(word))]) found.add(each);
  }
  return [...found];
}

/** Unspaced text from each of its letters on: 反馈服务, 馈服务, 服务, 务. */
function suffixesOf(text: string): string[] {
  const all = [...text];
  return all.map((_, start) => all.slice(start, start + maxUnspaced).join(""));
}

/** Unspaced text in parts that the index has; the last part overlaps the one before. */
function chunksOf(text: string): string[] {
  const all = [...text];
  const last = Math.max(0, all.length - maxUnspaced);
  const starts = Array.from({ length: Math.ceil(last / maxUnspaced) }, (_, number) => number * maxUnspaced);
  return [...starts, last].map((start) => all.slice(start, start + maxUnspaced).join(""));
}

/** A joined word from each of its pieces on, and a version without its v: for `e-mail` email and mail. */
function joinsOf(word: string): string[] {
  const all = piecesOf(word);
  return all.flatMap((each, start) => {
    const joined = join(all.slice(start, start + maxPieces));
    const bare = each.replace(/[+#]+$/, "");
    return [joined, each, bare, ...(/^v\d/.test(joined) ? [joined.slice(1)] : [])];
  });
}

function piecesOf(word: string): string[] {
  return word.match(pieces) ?? [];
}

/** One word of its pieces. Between numbers stays a dot: 2.0 is not 20. */
function join(all: readonly string[]): string {
  return all.reduce((joined, each) => joined + (/\d$/.test(joined) && /^\d/.test(each) ? "." : "") + each, "");
}
