import type { ContractOperation } from "../contract.ts";
import { badRequest, type Fault } from "../errors.ts";
import type { Step } from "./exchange.ts";

const integer = /^-?(?:0|[1-9]\d*)$/;

/** Holds query, headers and body against the contract and fills in its defaults; a 400 names every fault (C-ERR-1). */
export const validate: Step = async (exchange, next) => {
  const { operation, body } = exchange.state;
  if (!operation) throw new Error("validate comes after match");
  const { query, faults } = readQuery(exchange.querystring, operation);
  const headers = Object.fromEntries(
    operation.headerNames.flatMap((name) =>
      exchange.headers[name] === undefined ? [] : [[name, exchange.headers[name]]],
    ),
  );
  // A parameter that could not be read is not judged again by the contract.
  const unread = new Set(faults.map(({ at }) => at));
  faults.push(...operation.checkQuery(query).filter(({ at }) => !unread.has(at)));
  faults.push(...operation.checkHeaders(headers));
  faults.push(...operation.checkBody(body));
  if (faults.length > 0) throw badRequest(faults);
  exchange.state.query = query;
  await next();
};

/** The query's parameters: decoded, integers as numbers, none of them twice (C-STRICT-1). */
function readQuery(text: string, operation: ContractOperation): { query: Record<string, unknown>; faults: Fault[] } {
  const query: Record<string, unknown> = {};
  const faults: Fault[] = [];
  for (const part of text.split("&")) {
    if (part === "") continue;
    const [rawName = "", ...rest] = part.split("=");
    const name = decode(rawName);
    const value = decode(rest.join("="));
    if (name === undefined) {
      faults.push({ in: "query", at: rawName, message: "is not percent-encoded UTF-8" });
    } else if (Object.hasOwn(query, name)) {
      faults.push({ in: "query", at: name, message: "is given twice" });
    } else if (value === undefined) {
      query[name] = "";
      faults.push({ in: "query", at: name, message: "is not percent-encoded UTF-8" });
    } else {
      const isInteger = operation.integerNames.has(name) && integer.test(value) && Number.isSafeInteger(Number(value));
      Object.defineProperty(query, name, {
        value: isInteger ? Number(value) : value,
        enumerable: true,
        writable: true,
      });
    }
    if (faults.length >= 20) break;
  }
  return { query, faults };
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}
