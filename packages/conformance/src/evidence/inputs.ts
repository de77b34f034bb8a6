import { createHash } from "node:crypto";
import type { Json } from "../engine/assertions.ts";
import type { Context } from "../engine/check.ts";
import type { Lengths, Limits } from "../options.ts";
import { categories } from "./vocabulary.ts";

/** Lengths that most servers accept: modest, so that few partners declare limits. */
const modest = {
  title: { min: 1, max: 40 },
  description: { min: 20, max: 60 },
  text: { min: 30, max: 60 },
} as const;

/** Longest text that the suite tries, where no smaller limit is declared. */
const longest = { title: 80, description: 1_000, text: 1_000 } as const;

const filler = "It grows beds, herbs and trees all year round. ";

/** A word of twelve letters that belongs to one run and one purpose, and begins or contains no other. */
export function wordFor(run: string, purpose: string): string {
  const digest = createHash("sha256").update(`${run} ${purpose}`).digest();
  return Array.from(digest.subarray(0, 12), (byte) => String.fromCharCode(97 + (byte % 26))).join("");
}

/** Characters that careless servers change: quotes, escapes, tags, percent signs, and one beyond the basic plane. */
const special = `<b>"&amp;'</b>\\n%41é😀`;
const multiLine = `one\n\ttwo <i>3 &lt; 4</i> "q" \\u0041 𝒳😀`;

type Part = "title" | "description" | "text";

/** Bodies within the limits that the deployment declared. */
export class Inputs {
  readonly run: string;
  readonly #limits: Limits;

  constructor({ run, options }: Pick<Context, "run" | "options">) {
    this.run = run;
    this.#limits = options.limits ?? {};
  }

  /** The nth project of a run. Every stated field is sent, since it is not stated which are required. */
  project(n: number): Json {
    const { run } = this;
    const inTitle = n === 0 ? ` ${wordFor(run, "title")}` : ` planner ${n + 1}`;
    const inDescription = n === 1 ? ` ${wordFor(run, "description")}` : ` plan ${n + 1}`;
    return {
      title: this.#fit("title", `${run}${inTitle}`),
      description: this.#fit("description", `${run}${inDescription} "beds" & Gärten`),
      category: categories[n % categories.length],
      screenshots: [
        `https://example.com/${n + 1}/beds.png?size=2&tag=a%20b`,
        `https://example.com/${n + 1}/calendar.png`,
      ].slice(0, this.#limits.screenshots ?? 2),
      projectUrl: `https://example.com/garden/${n + 1}?a=1&b=%C3%A9#top`,
      isPublic: true,
      testingRequirements: {
        minTesters: Math.min(2 + n, this.#limits.testers ?? 10),
        maxTesters: Math.min(6 + n, this.#limits.testers ?? 10),
        feedbackTypes: n % 2 === 0 ? ["ui", "ux"] : ["ux"],
      },
    };
  }

  /** The nth feedback of a run. */
  feedback(n: number, rating: number, severities: readonly string[]): Json {
    const text = (words: string) => this.text(`${words} ${n}`);
    return {
      overallRating: rating,
      uiFeedback: {
        design: this.rating((n + 1) % 3),
        colors: text("calm greens"),
        typography: text("easy to read"),
        layout: text(`"beds" & paths, größtenteils`),
      },
      uxFeedback: {
        navigation: this.rating((n + 2) % 3),
        flow: text("two taps"),
        usability: text("hard with gloves"),
        suggestions: text("larger handles"),
      },
      bugs: severities.slice(0, this.#limits.bugs ?? severities.length).map((severity, index) => ({
        description: text(`a bed is lost ${index}.`),
        severity,
        screenshot: `https://example.com/bugs/${n}/${index}.png?a=1&b=2`,
        stepsToReproduce: text(`turn the phone ${index}.`),
      })),
      generalComments: text("planted beans by it"),
    };
  }

  /** The lowest, the middle or the highest of three ratings; 1, 2 and 3 unless declared. */
  rating(level: number): number {
    const { min, max, step = 1 } = this.#limits.rating ?? { min: 1, max: 3 };
    const steps = Math.floor((max - min) / step);
    return min + step * ([0, Math.floor(steps / 2), steps][level % 3] ?? 0);
  }

  /**
   * Ratings that show an order by text instead of by number, or a scale beyond three. An undeclared scale may refuse
   * them.
   */
  get moreRatings(): readonly number[] {
    const { rating } = this.#limits;
    if (rating === undefined) return [5, 10];
    const { min, max, step = 1 } = rating;
    const known = [0, 1, 2].map((level) => this.rating(level));
    const candidates = [min + step, min + 2 * step, max - step].filter((value) => value > min && value < max);
    return [...new Set(candidates)].filter((value) => !known.includes(value)).slice(0, 2);
  }

  /** A free text of feedback. */
  text(words: string): string {
    return this.#fit("text", `${this.run} ${words}`);
  }

  /** A text with characters that careless servers change, within the same limits. */
  special(part: Part): string {
    return this.#fit(part, `${this.run} ${part === "title" ? special : multiLine}`);
  }

  /** A text that is longer than usual, up to the declared limit. */
  long(part: Part): string {
    const declared = this.#limits[part]?.max;
    const length = Math.min(declared ?? longest[part], longest[part]);
    const words = Array.from({ length: Math.ceil(length / 8) }, (_, n) => `${n} "é" <`).join(" ");
    const text = `${this.run} ${part === "title" ? special : multiLine} ${words}`;
    return wholeCharacters(text.slice(0, length)).trimEnd().padEnd(length, "z");
  }

  /** Most projects that exist at the same time. */
  get projects(): number {
    return Math.max(1, this.#limits.projects ?? categories.length);
  }

  /** Most submissions of the tester on one project. */
  get submissions(): number {
    return this.#limits.feedbackPerTester ?? Number.POSITIVE_INFINITY;
  }

  #fit(part: Part, text: string): string {
    const declared: Lengths = this.#limits[part] ?? {};
    const min = declared.min ?? Math.min(modest[part].min, declared.max ?? Number.POSITIVE_INFINITY);
    const max = Math.max(min, declared.max ?? Math.max(modest[part].max, declared.min ?? 0));
    if (text.length > max) return wholeCharacters(text.slice(0, max)).trimEnd();
    const padding = filler.repeat(Math.ceil(min / filler.length));
    return text.length >= min ? text : `${text} ${padding}`.slice(0, min).trimEnd().padEnd(min, ".");
  }
}

/** Cuts off the half of a surrogate pair, and the half of an escape. */
const wholeCharacters = (text: string): string => text.replace(/[\ud800-\udbff]$/, "");
