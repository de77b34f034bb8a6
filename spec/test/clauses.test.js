import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compile, NodeHost } from "@typespec/compiler";
import { describe, expect, test } from "vitest";
import { clausesUrl } from "../index.js";
import { read, readContract } from "./contract.js";

const clauses = read("clauses.yaml");

/** Codes and messages of our own diagnostics when a program of test/programs is compiled. */
async function compileProgram(name) {
  const main = fileURLToPath(new URL(`./programs/${name}.tsp`, import.meta.url));
  const program = await compile(NodeHost, main, { noEmit: true });
  const ours = program.diagnostics.filter(({ code }) => code.startsWith("@project-feedback/spec/"));
  // These programs say next to none of the clauses, which is not what they are for.
  const said = ours.filter(({ code }) => !code.endsWith("/unsaid-clause"));
  const rest = program.diagnostics.filter((diagnostic) => !ours.includes(diagnostic));
  return {
    problems: said.map(({ code, severity, message }) => `${severity} ${code.split("/").at(-1)}: ${message}`),
    unsaid: ours.filter((diagnostic) => !said.includes(diagnostic)).map(({ message }) => message),
    rest: rest.map(({ message }) => message),
  };
}

describe("@clause", () => {
  test("a program whose operations and errors name clauses has nothing against it", async () => {
    expect(await compileProgram("with-clauses")).toMatchObject({ problems: [], rest: [] });
  }, 30_000);

  test.each([
    ["operation-without-clause", 'error no-clause: Operation "read" keeps no clause.'],
    ["error-without-clause", 'error no-clause: Error "Broken" keeps no clause.'],
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

  test("a clause that the contract nowhere names fails the compilation", async () => {
    const { unsaid } = await compileProgram("with-clauses");
    expect(unsaid).toContainEqual(expect.stringContaining("names the clause C-EVENT-1."));
    expect(unsaid).toHaveLength(Object.keys(clauses).length - 1);
  }, 30_000);
});

describe("clauses.yaml", () => {
  test("names no id twice", () => {
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

  test("holds the ids that the contract names, and those alone", () => {
    const said = new Set();
    JSON.stringify(readContract(), (key, value) => {
      if (key === "x-clauses") for (const id of value) said.add(id);
      return value;
    });
    expect([...said].sort()).toEqual(Object.keys(clauses).sort());
  });
});
