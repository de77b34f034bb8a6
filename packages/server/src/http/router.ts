import Router from "@koa/router";
import type { ContractOperation } from "../contract/contract.ts";
import { HttpError, pathNotFound } from "./http-error.ts";

/** An operation that a request calls, with the parameters of its path, decoded. */
export interface Route<Id extends string> {
  readonly operation: ContractOperation<Id>;
  readonly path: Readonly<Record<string, string>>;
}

/**
 * Finds the operation that a method and a path name.
 * @throws HttpError 404 for an unknown path, 405 with `Allow` for a method that the path does not take (C-ERR-2)
 */
export type FindRoute<Id extends string> = (method: string, path: string) => Route<Id>;

/** What a contract's operations are found by. */
export interface RouterOptions<Id extends string> {
  readonly operations: Iterable<ContractOperation<Id>>;
  /** Every path is appended to this. */
  readonly basePath: string;
  /** Path of the contract's document, for those who do not find a path. */
  readonly documentPath: string;
}

export function createRouter<Id extends string>(options: RouterOptions<Id>): FindRoute<Id> {
  const { operations, basePath, documentPath } = options;
  const router = new Router({ prefix: basePath, strict: true, sensitive: true });
  const byId = new Map<string, ContractOperation<Id>>();
  for (const operation of operations) {
    byId.set(operation.id, operation);
    // The router only finds routes: app.ts calls what handles them.
    router.register(operation.path.replaceAll(/\{(\w+)\}/g, ":$1"), [operation.method], () => undefined, {
      name: operation.id,
    });
  }
  return (method, path) => {
    const { path: layers, pathAndMethod } = router.match(path, method);
    const [layer] = pathAndMethod.filter(({ methods }) => methods.length > 0);
    const operation = byId.get(layer?.name ?? "");
    if (layer && operation) return { operation, path: layer.params(path, layer.captures(path)) };
    if (layers.length === 0) throw pathNotFound(documentPath);
    const allow = [...new Set(layers.flatMap(({ methods }) => methods))].join(", ");
    throw new HttpError("MethodNotAllowed", `This path does not take ${method}. Use one of ${allow}.`, {
      headers: { Allow: allow },
    });
  };
}
