import type { Check } from "../engine/check.ts";
import type { Group } from "../engine/terms.ts";

type Declared = Omit<Check, "level" | "group" | "needs" | "cost"> & Partial<Pick<Check, "needs" | "cost" | "group">>;

/** The group of a check by the beginning of its id. */
const groupOf: Readonly<Record<string, Group>> = {
  base: "base",
  auth: "authentication",
  projects: "projects",
  page: "lists",
  feedback: "feedback",
  helpful: "feedback",
  reply: "feedback",
  role: "roles",
  rate: "rate limits",
};

const declare = (declared: Declared, level: Check["level"]): Check => ({
  needs: [],
  cost: {},
  group: groupOf[declared.id.split(".")[0] ?? ""] ?? "base",
  ...declared,
  level,
});

/** A check that decides the verdict. It assumes nothing that the interface leaves open. */
export const stated = (declared: Declared): Check => declare(declared, "stated");

/** A check that compares with the choices of the reference. */
export const chosen = (declared: Declared): Check => declare(declared, "chosen");
