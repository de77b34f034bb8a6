import { isDeepStrictEqual } from "node:util";
import { type Ask, type Keys, operationOf, type WireRequest, type WireResponse } from "./wire.ts";

/** Records in which cells of the matrix a mutant behaves differently from the server below it. */
export class Touched {
  readonly #keys: Keys;
  readonly #cells = new Set<string>();

  constructor(keys: Keys) {
    this.#keys = keys;
  }

  /** Wraps an interceptor, so that what it changes is seen. */
  around(ask: Ask, intercept: (inner: Ask) => Ask): Ask {
    let calls: { readonly sent: WireRequest; readonly got: WireResponse }[] = [];
    const outer = intercept(async (sent) => {
      const got = await ask(sent);
      calls.push({ sent, got: structuredClone(got) });
      return got;
    });
    return async (request) => {
      calls = [];
      const response = await outer(request);
      const [only] = calls;
      const untouched =
        calls.length === 1 &&
        only !== undefined &&
        isDeepStrictEqual(only.sent, request) &&
        isDeepStrictEqual(only.got, response);
      if (!untouched) this.#cells.add(cellOf(request, this.#keys));
      return response;
    };
  }

  cells(): string[] {
    return [...this.#cells].sort();
  }
}

/** `listProjects developer page+status`. */
function cellOf(request: WireRequest, keys: Keys): string {
  const authorization = request.headers.authorization ?? "";
  const role = (["developer", "tester", "spare"] as const).find((holder) => authorization === `Bearer ${keys[holder]}`);
  const parameters = Object.keys(request.query).sort().join("+");
  return `${operationOf(request)} ${role === "spare" ? "developer" : (role ?? "nobody")} ${parameters}`.trim();
}
