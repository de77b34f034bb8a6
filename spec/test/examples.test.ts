import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import {
  type Document,
  type Header,
  type MediaType,
  type Parameter,
  type Response,
  resolve,
  type Schema,
} from "../document.ts";
import { operationsOf, readAccountContract, readContract } from "./contract.ts";

/** A copy of the schema that refers to components by the names they are registered under. */
function relocate(schema: Schema): Schema {
  const text = JSON.stringify(schema, (key, value: unknown) =>
    key === "$ref" ? String(value).replace("#/components/schemas/", "") : value,
  );
  return JSON.parse(text);
}

interface Example {
  place: string;
  schema: Schema;
  example: unknown;
}

/** Every example at or below a value, with its schema. */
function examplesIn(value: unknown, where = "#"): Example[] {
  if (typeof value !== "object" || value === null) return [];
  const { schema, example, examples = {} } = value as Partial<MediaType>;
  const own: Example[] = [];
  if (schema && example !== undefined) own.push({ place: where, schema, example });
  if (schema) {
    for (const [name, each] of Object.entries(examples)) {
      own.push({ place: `${where}/${name}`, schema, example: each.value });
    }
  }
  return [...own, ...Object.entries(value).flatMap(([key, inner]) => examplesIn(inner, `${where}/${key}`))];
}

/** An ajv with the keywords and the schemas of a contract. */
function createAjv(contract: Document): Ajv2020 {
  const ajv = new Ajv2020({ allErrors: true, strict: true, strictRequired: false, allowUnionTypes: true });
  addFormats.default(ajv);
  ajv.addVocabulary(["x-clauses", "x-pattern-message", "x-web-url", "x-visible", "example"]);
  ajv.addKeyword({
    keyword: "x-well-formed",
    type: "string",
    validate: (_: boolean, text: string) => text.isWellFormed(),
  });
  ajv.addKeyword({
    keyword: "x-ordered",
    type: "object",
    validate: ([low, high]: [string, string], value: Record<string, number | null>) => {
      const [least, most] = [value[low] ?? null, value[high] ?? null];
      return least === null || most === null || least <= most;
    },
  });
  for (const [name, schema] of Object.entries(contract.components.schemas)) ajv.addSchema(relocate(schema), name);
  return ajv;
}

function faultsOf(ajv: Ajv2020, schema: Schema, value: unknown): string[] {
  const validate = ajv.compile(relocate(schema));
  return validate(value)
    ? []
    : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

test("an example that does not match its schema is found", () => {
  const ajv = createAjv(readContract());
  expect(faultsOf(ajv, { $ref: "#/components/schemas/FeedbackCreate" }, { overallRating: 6 })).not.toEqual([]);
  expect(
    faultsOf(ajv, { $ref: "#/components/schemas/TestingRequirementsInput" }, { minTesters: 2, maxTesters: 1 }),
  ).not.toEqual([]);
});

describe.each([
  { name: "v1", contract: readContract() },
  { name: "account", contract: readAccountContract() },
])("$name", ({ contract }) => {
  const ajv = createAjv(contract);

  const examples = examplesIn(contract);

  test("there are examples of parameters, requests and responses", () => {
    for (const kind of ["/parameters/", "/requestBody/", "/responses/"]) {
      expect(examples.filter(({ place }) => place.includes(kind)).length).toBeGreaterThan(0);
    }
  });

  test("every parameter, header, property and error has an example", () => {
    const { components } = contract;
    const missing: string[] = [];
    const need = (value: object, where: string) => {
      if (!["$ref", "example", "examples"].some((key) => key in value)) missing.push(where);
    };
    for (const { name, operation } of operationsOf(contract)) {
      for (const parameter of operation.parameters ?? [])
        need(parameter as Parameter, `${name} ${(parameter as Parameter).name}`);
      for (const [status, entry] of Object.entries(operation.responses)) {
        for (const [header, each] of Object.entries(resolve<Response>(contract, entry).headers ?? {})) {
          need(each as Header, `${name} ${status} ${header}`);
        }
      }
    }
    for (const [name, parameter] of Object.entries(components.parameters)) need(parameter, name);
    for (const [name, header] of Object.entries(components.headers)) need(header, name);
    for (const [name, { content }] of Object.entries(components.responses))
      need(content?.["application/json"] ?? {}, name);
    for (const [name, { properties }] of Object.entries(components.schemas)) {
      for (const [property, schema] of Object.entries(properties ?? {})) need(schema, `${name}.${property}`);
    }
    expect(missing).toEqual([]);
  });

  test.each(examples)("the example at $place is valid", ({ schema, example }) => {
    expect(faultsOf(ajv, schema, example)).toEqual([]);
  });

  describe.each(operationsOf(contract))("$name", ({ operation }) => {
    test("has an example of its success, and of its request in each media type", () => {
      const [, response] = Object.entries(operation.responses).find(([status]) => status.startsWith("2")) ?? [];
      // The return from a provider only sends the browser on.
      if (!response) return expect(Object.keys(operation.responses)).toContain("303");
      expect(resolve<Response>(contract, response).content?.["application/json"]?.example).toBeDefined();
      for (const [type, { example }] of Object.entries(operation.requestBody?.content ?? {})) {
        expect(example, type).toBeDefined();
      }
    });
  });
});
