import { describe, expect, test } from "vitest";
import { type Header, type Parameter, type Response, resolve, type Schema } from "../document.ts";
import { operationsOf, readAccountContract, readContract } from "./contract.ts";

/** A schema and all schemas of its properties, with their places. */
function partsOf(schema: Schema, where: string): { schema: Schema; where: string }[] {
  const inner = Object.entries(schema.properties ?? {}).flatMap(([name, each]) => partsOf(each, `${where}.${name}`));
  return [{ schema, where }, ...inner];
}

/** Objects of the account's requests that browsers may add fields to; they are ignored. */
const openObjects = [
  "POST /passkeys body/credential",
  "POST /passkeys body/credential/response",
  "POST /sign-in/passkey body/credential",
  "POST /sign-in/passkey body/credential/response",
];

describe.each([
  { name: "v1", contract: readContract(), open: [] },
  { name: "account", contract: readAccountContract(), open: openObjects },
])("$name", ({ name, contract, open }) => {
  const { schemas, responses, headers, parameters } = contract.components;

  test.each(Object.entries(schemas))("%s and its properties are described", (name, schema) => {
    for (const part of partsOf(schema, name)) expect(part.schema.description, part.where).toMatch(/\w.*\.$/s);
  });

  test.each(operationsOf(contract))(
    "$name has a summary and a description, and so are its parameters",
    ({ operation }) => {
      expect(operation.summary).toMatch(/^[A-Z].*[^.]$/);
      expect(operation.description).toMatch(/\.$/);
      for (const parameter of operation.parameters ?? []) {
        if (!("$ref" in parameter)) expect(parameter.description, parameter.name).toMatch(/\.$/);
      }
      if (operation.requestBody) expect(operation.requestBody.description).toMatch(/\.$/);
    },
  );

  test("shared parameters, headers and error responses are described", () => {
    for (const kind of [parameters, headers, responses]) {
      for (const [name, { description }] of Object.entries(kind)) expect(description, name).toMatch(/\.$/);
    }
  });

  test("every text and every list of a request is bounded (C-ERR-1)", () => {
    const requests = operationsOf(contract).flatMap(({ name, operation }) => [
      ...Object.values(operation.requestBody?.content ?? {}).map(({ schema }) => ({ schema, where: `${name} body` })),
      ...(operation.parameters ?? [])
        .map((parameter) => resolve<Parameter>(contract, parameter))
        // The limit on the request's head bounds the path.
        .filter((parameter) => parameter.in !== "path")
        .map((parameter) => ({ schema: parameter.schema, where: `${name} ${parameter.name}` })),
    ]);
    const unbounded: string[] = [];
    const visit = (each: Schema, where: string): void => {
      const schema = resolve<Schema>(contract, each);
      // A point in time has a short form.
      const isBounded = schema.enum || schema.format === "date-time" || schema.maxLength !== undefined;
      if (schema.type === "string" && !isBounded) unbounded.push(where);
      if (schema.type === "array" && schema.maxItems === undefined) unbounded.push(where);
      if (schema.type === "object" && schema.additionalProperties !== false) unbounded.push(where);
      if (schema.items) visit(schema.items, `${where}/*`);
      for (const each of schema.anyOf ?? []) visit(each, where);
      for (const [name, each] of Object.entries(schema.properties ?? {})) visit(each, `${where}/${name}`);
    };
    for (const { schema, where } of requests) visit(schema, where);
    expect(unbounded).toEqual(open);
  });

  describe("headers", () => {
    const answers = operationsOf(contract).flatMap(({ name, operation }) =>
      Object.entries(operation.responses).map(([status, entry]) => ({
        place: `${name} ${status}`,
        status,
        headers: resolve<Response>(contract, entry).headers ?? {},
      })),
    );

    test("every response has the headers of the allowance and the request id (S-RATE-1, C-ERR-4)", () => {
      const standard = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Request-Id"];
      for (const { place, headers: described } of answers) {
        expect(Object.keys(described), place).toEqual(expect.arrayContaining(standard));
      }
    });

    const described: [status: string, name: string, required: boolean][] = [
      ...(name === "v1" ? [["201", "Location", true] as [string, string, boolean]] : []),
      ["401", "WWW-Authenticate", true],
      ["415", "Accept-Patch", false],
      ["429", "Retry-After", true],
      ["503", "Retry-After", true],
    ];
    test.each(described)("%s describes %s", (status, name, required) => {
      const those = answers.filter((answer) => answer.status === status);
      expect(those.length).toBeGreaterThan(0);
      for (const { place, headers: described } of those) {
        const header = described[name] && resolve<Header>(contract, described[name]);
        expect(header?.description, place).toMatch(/\.$/);
        expect(header?.required ?? false, place).toBe(required);
      }
    });
  });
});

const contract = readContract();

test("there are no webhooks and no callbacks (C-EVENT-1)", () => {
  expect(contract).not.toHaveProperty("webhooks");
  expect(contract.components).not.toHaveProperty("callbacks");
  for (const { name, operation } of operationsOf(contract)) expect(operation, name).not.toHaveProperty("callbacks");
});

test("every link leads to an operation, to a path parameter that it has", () => {
  const operations = new Map(operationsOf(contract).map(({ operation }) => [operation.operationId, operation]));
  let count = 0;
  for (const { name, operation } of operationsOf(contract)) {
    for (const response of Object.values(operation.responses)) {
      for (const link of Object.values(resolve<Response>(contract, response).links ?? {})) {
        const target = operations.get(link.operationId)?.parameters ?? [];
        const names = target.map((parameter) => resolve<Parameter>(contract, parameter).name);
        expect(names, `${name} → ${link.operationId}`).toEqual(expect.arrayContaining(Object.keys(link.parameters)));
        count += 1;
      }
    }
  }
  expect(count).toBeGreaterThan(0);
});
