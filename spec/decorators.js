// The decorators of decorators.tsp. This file is JavaScript because the TypeSpec compiler imports no TypeScript; tsc
// checks it by its JSDoc types.
import { readFileSync } from "node:fs";
import { createTypeSpecLibrary, navigateProgram, paramMessage } from "@typespec/compiler";
import { getExtensions, setExtension } from "@typespec/openapi";
import { parse } from "yaml";

/**
 * @import { DecoratorContext, Interface, Model, Namespace, Program, Type } from "@typespec/compiler"
 * @import { LinkSource } from "./document.ts"
 */

const library = createTypeSpecLibrary({
  name: "@project-feedback/spec",
  diagnostics: {
    "no-clause": {
      severity: "error",
      messages: {
        default: paramMessage`${"what"} names no clause. Name at least one with @clause("…") from clauses.yaml.`,
      },
    },
    "unknown-clause": {
      severity: "error",
      messages: {
        default: paramMessage`There is no clause "${"id"}". Use an id of clauses.yaml, or add it there first.`,
      },
    },
    "unused-clause": {
      severity: "error",
      messages: {
        default: paramMessage`Nothing in the contract names the clause ${"id"}. Add @clause("${"id"}") where it applies.`,
      },
    },
  },
});
export const $lib = library;

/** @type {Record<string, unknown>} */
const clauses = parse(readFileSync(new URL("./clauses.yaml", import.meta.url), "utf8"));

/**
 * Writes `x-clauses`: the ids of the clauses that an operation, model, property, error or the service keeps.
 *
 * @param {DecoratorContext} context
 * @param {Type} target
 * @param {string[]} ids
 */
function $clause({ program }, target, ...ids) {
  for (const id of ids) {
    if (!Object.hasOwn(clauses, id)) {
      library.reportDiagnostic(program, { code: "unknown-clause", format: { id }, target });
    }
  }
  setExtension(program, target, "x-clauses", ids);
}

/**
 * Writes `additionalProperties: false`: a request body with a field that is not described is rejected (C-STRICT-1).
 *
 * @param {DecoratorContext} context
 * @param {Model} target
 */
function $closed({ program }, target) {
  // The emitter writes an extension of any name, though the type allows only names that begin with `x-`.
  const name = /** @type {`x-${string}`} */ (/** @type {string} */ ("additionalProperties"));
  setExtension(program, target, name, false);
}

/**
 * Writes `x-ordered`: in an object with both numbers, `low` is at most `high`.
 *
 * @param {DecoratorContext} context
 * @param {Model} target
 * @param {string} low
 * @param {string} high
 */
function $ordered({ program }, target, low, high) {
  setExtension(program, target, "x-ordered", [low, high]);
}

/**
 * Writes `x-well-formed`: a text has no lone surrogates, which UTF-8 cannot encode.
 *
 * @param {DecoratorContext} context
 * @param {Type} target
 */
function $wellFormed({ program }, target) {
  setExtension(program, target, "x-well-formed", true);
}

/**
 * Adds a link from the response with `status` to `operationId`: its `parameter` is the value at the JSON pointer `from`
 * of the response body.
 *
 * @param {DecoratorContext} context
 * @param {Type} target
 * @param {string} status
 * @param {string} operationId
 * @param {string} parameter
 * @param {string} from
 */
function $link({ program }, target, status, operationId, parameter, from = "/id") {
  /** @type {LinkSource[]} */
  const links = getExtensions(program, target).get("x-links") ?? [];
  setExtension(program, target, "x-links", [{ status, operationId, parameter, from }, ...links]);
}

/**
 * Writes `x-web-url`: a text is an absolute http or https URL (RFC 3986, RFC 3987) without user information.
 *
 * @param {DecoratorContext} context
 * @param {Type} target
 */
function $webUrl({ program }, target) {
  setExtension(program, target, "x-web-url", true);
}

/**
 * Writes `x-visible`: a text has a visible character.
 *
 * @param {DecoratorContext} context
 * @param {Type} target
 */
function $visible({ program }, target) {
  setExtension(program, target, "x-visible", true);
}

/**
 * Writes `x-pattern-message`: what a text that does not match the pattern is told, as the rest of a sentence.
 *
 * @param {DecoratorContext} context
 * @param {Type} target
 * @param {string} message
 */
function $patternMessage({ program }, target, message) {
  setExtension(program, target, "x-pattern-message", message);
}

/**
 * Names the schema of a body that is sent as a JSON merge patch; TypeSpec has one body for all media types.
 *
 * @param {DecoratorContext} context
 * @param {Type} target
 * @param {string} schema
 */
function $mergePatch({ program }, target, schema) {
  setExtension(program, target, "x-merge-patch", schema);
}

/**
 * Writes `x-open-query`: query parameters that are not described are ignored. A provider of OpenID Connect may send any.
 *
 * @param {DecoratorContext} context
 * @param {Type} target
 */
function $openQuery({ program }, target) {
  setExtension(program, target, "x-open-query", true);
}

export const $decorators = {
  ProjectFeedback: {
    clause: $clause,
    closed: $closed,
    ordered: $ordered,
    wellFormed: $wellFormed,
    webUrl: $webUrl,
    visible: $visible,
    patternMessage: $patternMessage,
    mergePatch: $mergePatch,
    link: $link,
    openQuery: $openQuery,
  },
};

/**
 * Reports every operation and error without a clause, and every clause that nothing names.
 *
 * @param {Program} program
 */
export function $onValidate(program) {
  /** @type {Set<string>} */
  const named = new Set();
  /** @param {Type} type */
  const collect = (type) => {
    for (const id of getExtensions(program, type).get("x-clauses") ?? []) named.add(id);
  };
  /**
   * @param {Type} type
   * @param {string} what
   */
  const requireClause = (type, what) => {
    if (getExtensions(program, type).has("x-clauses")) return;
    library.reportDiagnostic(program, { code: "no-clause", format: { what }, target: type });
  };
  navigateProgram(program, {
    namespace: collect,
    scalar: collect,
    enum: collect,
    modelProperty: collect,
    operation(operation) {
      collect(operation);
      if (isOurs(operation)) requireClause(operation, `Operation "${operation.name}"`);
    },
    model(model) {
      collect(model);
      if (isOurs(model) && isError(model)) requireClause(model, `Error "${model.name}"`);
    },
  });
  const service = program.getGlobalNamespaceType().namespaces.get("ProjectFeedback");
  for (const id of service ? Object.keys(clauses) : []) {
    if (named.has(id)) continue;
    library.reportDiagnostic(program, {
      code: "unused-clause",
      format: { id },
      target: service ?? program.getGlobalNamespaceType(),
    });
  }
}

/** The namespaces of the contracts. */
const contracts = ["ProjectFeedback", "ProjectFeedbackAccount"];

/**
 * Whether a type is declared in the namespace of a contract.
 *
 * @param {{ namespace?: Namespace | undefined, interface?: Interface | undefined }} type
 * @returns {boolean}
 */
function isOurs(type) {
  for (let namespace = type.namespace; namespace; namespace = namespace.namespace) {
    if (contracts.includes(namespace.name)) return true;
  }
  return type.interface !== undefined && isOurs(type.interface);
}

/** @param {Model} model */
function isError(model) {
  return model.decorators.some(({ definition }) => definition?.name === "@error");
}
