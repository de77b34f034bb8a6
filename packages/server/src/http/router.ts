import Router from "@koa/router";
import type { ContractOperation } from "../contract/contract.ts";
import { HttpError, pathNotFound } from "./http-error.ts";
import { basePath } from "./response.ts";

/** An operation that a request calls, with the parameters of its path, decoded. */
export interface Route {
  readonly operation: ContractOperation;
  readonly path: Readonly<Record<string, string>>;
}

/**
 * Finds the operation that a method and a path name.
 * @throws HttpError 404 for an unknown path, 405 with `Allow` for a method that the path does not take (C-ERR-2)
 */
export type FindRoute = (method: string, path: string) => Route;

export function createRouter(operations: Iterable<ContractOperation>): FindRoute {
  const router = new Router({ prefix: basePath, strict: true, sensitive: true });
  const byId = new Map<string, ContractOperation>();
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
    if (layers.length === 0) throw pathNotFound();
    const allow = [...new Set(layers.flatMap(({ methods }) => methods))].join(", ");
    throw new HttpError("MethodNotAllowed", `This path does not take ${method}. Use one of ${allow}.`, {
      headers: { Allow: allow },
    });
  };
}
