import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { describe, expect, test } from "vitest";
import { operationsOf, readContract } from "./contract.js";

const contract = readContract();
const ajv = new Ajv2020({ allErrors: true, strict: true, strictRequired: false, allowUnionTypes: true });
addFormats.default(ajv);
ajv.addVocabulary(["x-clauses", "example"]);
ajv.addKeyword({ keyword: "x-well-formed", type: "string", validate: (_, text) => text.isWellFormed() });
ajv.addKeyword({
  keyword: "x-ordered",
  type: "object",
  validate: ([low, high], value) => value[low] == null || value[high] == null || value[low] <= value[high],
});
for (const [name, schema] of Object.entries(contract.components.schemas)) ajv.addSchema(relocate(schema), name);

/** The same schema, with references to components by the names they are registered under. */
function relocate(schema) {
  const text = JSON.stringify(schema, (key, value) =>
    key === "$ref" ? value.replace("#/components/schemas/", "") : value,
  );
  return JSON.parse(text);
}

function faultsOf(schema, value) {
  const validate = ajv.compile(relocate(schema));
  return validate(value) ? [] : validate.errors.map(({ instancePath, message }) => `${instancePath} ${message}`);
}

function resolve(value) {
  if (value.$ref === undefined) return value;
  const [, , kind, name] = value.$ref.split("/");
  return contract.components[kind][name];
}

/** Everything below a value that has a schema and an example, with where it stands. */
function examplesIn(value, where = "#") {
  if (typeof value !== "object" || value === null) return [];
  const named = Object.entries(value.examples ?? {}).map(([name, { value: example }]) => [`${where}/${name}`, example]);
  const found = value.schema ? [...("example" in value ? [[where, value.example]] : []), ...named] : [];
  return [
    ...found.map(([place, example]) => ({ place, schema: value.schema, example })),
    ...Object.entries(value).flatMap(([key, inner]) => examplesIn(inner, `${where}/${key}`)),
  ];
}

const examples = examplesIn(contract);

test("there are examples of parameters, requests and responses", () => {
  for (const kind of ["/parameters/", "/requestBody/", "/responses/"]) {
    expect(examples.filter(({ place }) => place.includes(kind)).length).toBeGreaterThan(0);
  }
});

test.each(examples)("the example at $place is valid", ({ schema, example }) => {
  expect(faultsOf(schema, example)).toEqual([]);
});

test("an example that is off its schema would be found", () => {
  expect(faultsOf({ $ref: "#/components/schemas/FeedbackCreate" }, { overallRating: 6 })).not.toEqual([]);
  expect(
    faultsOf({ $ref: "#/components/schemas/TestingRequirementsInput" }, { minTesters: 2, maxTesters: 1 }),
  ).not.toEqual([]);
});

describe.each(operationsOf(contract))("$name", ({ operation }) => {
  test("has an example of its success, and of its request in each media type", () => {
    const [, response] = Object.entries(operation.responses).find(([status]) => status.startsWith("2"));
    expect(resolve(response).content["application/json"].example).toBeDefined();
    for (const [type, { example }] of Object.entries(operation.requestBody?.content ?? {})) {
      expect(example, type).toBeDefined();
    }
  });
});
