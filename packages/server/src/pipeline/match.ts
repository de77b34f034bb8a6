import Router from "@koa/router";
import type { ContractOperation } from "../contract.ts";
import { notFound, Refusal } from "../errors.ts";
import type { Exchange, ExchangeState, Step } from "./exchange.ts";

/**
 * Finds the operation that path and method ask for, and takes it through `steps`; else answers 404 or 405 (C-ERR-2).
 * Whatever an operation answers that is to go, it says so (C-VER-1).
 */
export function match(operations: Iterable<ContractOperation>, basePath: string, steps: readonly Step[]): Step {
  const router = new Router<ExchangeState>({ prefix: basePath, strict: true, sensitive: true });
  for (const operation of operations) {
    const enter: Step = async (exchange, next) => {
      exchange.state.operation = operation;
      exchange.state.path = (exchange as Exchange & { params: Record<string, string> }).params;
      if (operation.deprecation) {
        exchange.set("Deprecation", operation.deprecation.deprecation);
        exchange.set("Sunset", operation.deprecation.sunset);
      }
      await next();
    };
    const path = operation.path.replaceAll(/\{(\w+)\}/g, ":$1");
    router.register(path, [operation.method], [enter, ...steps] as never[], { name: operation.id });
  }
  const route = router.routes() as unknown as Step;
  return (exchange) =>
    route(exchange, async () => {
      const matched = router.match(exchange.path, exchange.method).path;
      if (matched.length === 0) throw notFound("path");
      const allow = [...new Set(matched.flatMap(({ methods }) => methods))].join(", ");
      throw new Refusal("MethodNotAllowed", `This path does not take ${exchange.method}. Use one of ${allow}.`, {
        headers: { Allow: allow },
      });
    });
}
