import { randomBytes, randomUUID } from "node:crypto";
import type { Choices } from "./choices.ts";

let lastId = 1_000;

/** A new id in the chosen form. */
export function newId(kind: "prj" | "fb" | "bug" | "acc", form: Choices["ids"]): string {
  lastId += 1;
  const forms = {
    prefixed: () => `${kind}_${randomBytes(12).toString("hex")}`,
    digits: () => `${lastId}${randomBytes(3).readUIntBE(0, 3)}`,
    uuid: () => randomUUID(),
    encoded: () => `${kind}:/ ${randomBytes(6).toString("base64")}é'"=${lastId}`,
  };
  return forms[form]();
}

/** An instant in the chosen form of ISO 8601 in UTC. */
export function timestamp(instant: number, form: Choices["time"]): string {
  const text = new Date(instant).toISOString();
  const forms = {
    milliseconds: () => text,
    seconds: () => `${text.slice(0, 19)}+00:00`,
    "short-offset": () => text.replace("Z", "+00"),
    "basic-offset": () => text.replace("Z", "+0000"),
    comma: () => text.replace(".", ","),
  };
  return forms[form]();
}

const fold = (text: string) =>
  text
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "")
    .toLowerCase();
const words = (text: string) => fold(text).split(/[^\p{L}\p{N}\p{M}]+/u);

/** Whether a search finds a text, in the chosen way. */
export function finds(search: string, text: string, way: Choices["search"]): boolean {
  if (way === "substring") return text.includes(search);
  const found = words(text);
  return words(search)
    .filter(Boolean)
    .every((word) => found.some((one) => one.startsWith(word)));
}
