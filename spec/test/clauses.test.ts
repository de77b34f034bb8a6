import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compile, NodeHost } from "@typespec/compiler";
import { describe, expect, test } from "vitest";
import { clausesUrl } from "../index.ts";
import { read, readAccountContract, readContract } from "./contract.ts";

interface Clause {
  level: string;
  text: string;
  why?: string;
}

const clauses = read<Record<string, Clause>>("clauses.yaml");

/** Compiles a program of test/programs. Returns our own diagnostics and the messages of all others. */
async function compileProgram(name: string) {
  const main = fileURLToPath(new URL(`./programs/${name}.tsp`, import.meta.url));
  const program = await compile(NodeHost, main, { noEmit: true });
  const ours = program.diagnostics.filter(({ code }) => code.startsWith("@project-feedback/spec/"));
  // These programs name hardly any clause, and are not about that.
  const problems = ours.filter(({ code }) => !code.endsWith("/unused-clause"));
  const rest = program.diagnostics.filter((diagnostic) => !ours.includes(diagnostic));
  return {
    problems: problems.map(({ code, severity, message }) => `${severity} ${code.split("/").at(-1)}: ${message}`),
    unused: ours.filter((diagnostic) => !problems.includes(diagnostic)).map(({ message }) => message),
    rest: rest.map(({ message }) => message),
  };
}

describe("@clause", () => {
  test("a program whose operations and errors name clauses compiles without a diagnostic", async () => {
    expect(await compileProgram("with-clauses")).toMatchObject({ problems: [], rest: [] });
  }, 30_000);

  test.each([
    ["operation-without-clause", 'error no-clause: Operation "read" names no clause.'],
    ["error-without-clause", 'error no-clause: Error "Broken" names no clause.'],
    ["unknown-clause", 'error unknown-clause: There is no clause "S-NONE-1".'],
  ])(
    "%s fails the compilation",
    async (name, message) => {
      const { problems, rest } = await compileProgram(name);
      expect(problems).toEqual([expect.stringContaining(message)]);
      expect(rest).toEqual([]);
    },
    30_000,
  );

  test("a clause that nothing in the contract names fails the compilation", async () => {
    const { unused } = await compileProgram("with-clauses");
    expect(unused).toContainEqual(expect.stringContaining("names the clause C-EVENT-1."));
    expect(unused).toHaveLength(Object.keys(clauses).length - 1);
  }, 30_000);
});

describe("clauses.yaml", () => {
  test("has no id twice", () => {
    const ids = [...readFileSync(clausesUrl, "utf8").matchAll(/^([^#\s].*):$/gm)].map(([, id]) => id);
    expect(ids).toEqual([...new Set(ids)]);
    expect(ids).toEqual(Object.keys(clauses));
  });

  test.each(Object.entries(clauses))("%s has a level and a text, and a choice its reason", (id, clause) => {
    expect(id).toMatch(/^[SC](-[A-Z]+)+-[1-9]\d*$/);
    expect(clause.level).toBe(id.startsWith("S-") ? "stated" : "chosen");
    expect(clause.text).toMatch(/\w.*\.$/);
    if (clause.level === "chosen") expect(clause.why).toMatch(/\w.*\.$/);
    expect(Object.keys(clause).filter((key) => !["level", "text", "why"].includes(key))).toEqual([]);
  });

  test("has exactly the ids that the contracts name", () => {
    const named = new Set<string>();
    JSON.stringify([readContract(), readAccountContract()], (key, value) => {
      if (key === "x-clauses") for (const id of value) named.add(id);
      return value;
    });
    expect([...named].sort()).toEqual(Object.keys(clauses).sort());
  });
});
