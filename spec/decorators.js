// Decorators of this contract: @clause ties a promise to its id, @closed refuses unknown fields,
// @ordered bounds one number by another, @wellFormed refuses broken Unicode, @link leads from an answer onwards.
import { readFileSync } from "node:fs";
import { createTypeSpecLibrary, navigateProgram, paramMessage } from "@typespec/compiler";
import { getExtensions, setExtension } from "@typespec/openapi";
import { parse } from "yaml";

const library = createTypeSpecLibrary({
  name: "@project-feedback/spec",
  diagnostics: {
    "no-clause": {
      severity: "error",
      messages: {
        default: paramMessage`${"what"} keeps no clause. Name at least one with @clause("…") from clauses.yaml.`,
      },
    },
    "unknown-clause": {
      severity: "error",
      messages: {
        default: paramMessage`There is no clause "${"id"}". Use an id of clauses.yaml, or add it there first.`,
      },
    },
    "unsaid-clause": {
      severity: "error",
      messages: {
        default: paramMessage`Nothing in the contract names the clause ${"id"}. Put @clause("${"id"}") where it is kept.`,
      },
    },
  },
});
export const $lib = library;

const clauses = parse(readFileSync(new URL("./clauses.yaml", import.meta.url), "utf8"));

/** Clause ids kept by an operation, model, property, error or the service itself; written as `x-clauses`. */
function $clause({ program }, target, ...ids) {
  for (const id of ids) {
    if (!Object.hasOwn(clauses, id)) {
      library.reportDiagnostic(program, { code: "unknown-clause", format: { id }, target });
    }
  }
  setExtension(program, target, "x-clauses", ids);
}

/** A request body that takes the named fields and no other (C-STRICT-1). */
function $closed({ program }, target) {
  setExtension(program, target, "additionalProperties", false);
}

/** In an object, the number `low` is at most the number `high` where both are given; written as `x-ordered`. */
function $ordered({ program }, target, low, high) {
  setExtension(program, target, "x-ordered", [low, high]);
}

/** Text without lone surrogates, which no UTF-8 can carry; written as `x-well-formed`. */
function $wellFormed({ program }, target) {
  setExtension(program, target, "x-well-formed", true);
}

/** An OpenAPI link from the answer with `status` to `operationId`, whose `parameter` is what the answer has at `from`. */
function $link({ program }, target, status, operationId, parameter, from = "/id") {
  const links = getExtensions(program, target).get("x-links") ?? [];
  setExtension(program, target, "x-links", [{ status, operationId, parameter, from }, ...links]);
}

export const $decorators = {
  ProjectFeedback: {
    clause: $clause,
    closed: $closed,
    ordered: $ordered,
    wellFormed: $wellFormed,
    link: $link,
  },
};

/** Every operation and every error keeps a clause, and every clause is kept somewhere. */
export function $onValidate(program) {
  const said = new Set();
  const note = (type) => {
    for (const id of getExtensions(program, type).get("x-clauses") ?? []) said.add(id);
  };
  const requireClause = (type, what) => {
    if (getExtensions(program, type).has("x-clauses")) return;
    library.reportDiagnostic(program, { code: "no-clause", format: { what }, target: type });
  };
  const isOurs = (type) => {
    for (let namespace = type.namespace; namespace; namespace = namespace.namespace) {
      if (namespace.name === "ProjectFeedback") return true;
    }
    return type.interface !== undefined && isOurs(type.interface);
  };
  const isError = (model) => model.decorators.some(({ definition }) => definition?.name === "@error");
  navigateProgram(program, {
    namespace: note,
    scalar: note,
    enum: note,
    modelProperty: note,
    operation(operation) {
      note(operation);
      if (isOurs(operation)) requireClause(operation, `Operation "${operation.name}"`);
    },
    model(model) {
      note(model);
      if (isOurs(model) && isError(model)) requireClause(model, `Error "${model.name}"`);
    },
  });
  const service = program.getGlobalNamespaceType().namespaces.get("ProjectFeedback");
  for (const id of service ? Object.keys(clauses) : []) {
    if (said.has(id)) continue;
    library.reportDiagnostic(program, { code: "unsaid-clause", format: { id }, target: service });
  }
}
