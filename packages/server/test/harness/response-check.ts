import type { ValidateFunction } from "ajv/dist/2020.js";
import type { Contract } from "../../src/contract/contract.ts";
import { type Document, type JsonSchema, resolve } from "../../src/contract/document.ts";
import { createAjv, localSchema } from "../../src/contract/schemas.ts";

interface Response {
  readonly headers?: Record<string, { readonly required?: boolean; readonly schema: JsonSchema } | { $ref: string }>;
  readonly content?: Record<string, { readonly schema: JsonSchema }>;
}

interface Validators {
  readonly headers: readonly { name: string; required: boolean; isInteger: boolean; validate: ValidateFunction }[];
  readonly body: ValidateFunction | undefined;
}

/** Finds where a response of an operation breaks a contract; one message each. Header names are in lower case. */
type CheckResponse<Id extends string> = (
  id: Id,
  status: number,
  headers: Readonly<Record<string, unknown>>,
  body: unknown,
) => string[];

/** @param json the OpenAPI document of the contract */
function createResponseCheck<Id extends string>(json: string): CheckResponse<Id> {
  const document = JSON.parse(json) as Document<Id>;
  const ajv = createAjv(document, { allErrors: true });
  const responses = new Map(
    Object.values(document.paths)
      .flatMap((methods) => Object.values(methods))
      .map((operation) => [operation.operationId, operation.responses]),
  );
  const compiled = new Map<string, Validators>();

  const compile = (described: unknown): Validators => {
    const response = resolve<Response>(document, described);
    const headers = Object.entries(response.headers ?? {}).map(([header, entry]) => {
      const { required = false, schema } = resolve<{ required?: boolean; schema: JsonSchema }>(document, entry);
      const isInteger = schema.type === "integer";
      return { name: header, required, isInteger, validate: ajv.compile(localSchema(schema)) };
    });
    const schema = response.content?.["application/json"]?.schema;
    return { headers, body: schema && ajv.compile(localSchema(schema)) };
  };

  return (id, status, headers, body) => {
    const name = `${id} ${status}`;
    const described = responses.get(id)?.[status];
    if (described === undefined) return [`${name} is not in the contract`];
    const validators = compiled.get(name) ?? compile(described);
    compiled.set(name, validators);
    const problems: string[] = [];
    for (const { name: header, required, isInteger, validate } of validators.headers) {
      const value = headers[header.toLowerCase()];
      if (value === undefined && required) problems.push(`${name} has no header ${header}`);
      if (value === undefined) continue;
      if (!validate(isInteger ? Number(value) : value)) {
        problems.push(`${name}: header ${header} ${ajv.errorsText(validate.errors)}`);
      }
    }
    if (validators.body && !validators.body(body)) {
      problems.push(`${name}: ${ajv.errorsText(validators.body.errors)}`);
    }
    return problems;
  };
}

/** A response as the harness receives it. */
interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** Throws an Error when a response to a method and a path breaks a contract. A path that it does not have is not checked. */
type RequireContract = (method: string, path: string, received: Received) => void;

/** @param basePath every path of the contract is appended to this */
export function contractRequirement<Id extends string>(
  { operations, json }: Pick<Contract<Id>, "operations" | "json">,
  basePath: string,
): RequireContract {
  const check = createResponseCheck<Id>(json);
  const routes = [...operations.values()].map((operation) => ({
    operation,
    pattern: new RegExp(`^${basePath}${operation.path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
  }));
  return (method, path, { status, headers, body }) => {
    const route = routes.find(
      ({ operation, pattern }) => operation.method === method.toLowerCase() && pattern.test(path),
    );
    if (!route) return;
    const problems = check(route.operation.id, status, Object.fromEntries(headers), body);
    if (problems.length > 0) throw new Error(`The response breaks the contract: ${problems.join("; ")}`);
  };
}
