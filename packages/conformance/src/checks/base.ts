import { summary } from "../engine/exchange.ts";
import { NotApplicable, Violation } from "../engine/outcome.ts";
import { firstResponses } from "../evidence/first-responses.ts";
import { stated } from "./declare.ts";

const json = /^application\/([\w.+-]+\+)?json\s*(;|$)/i;
const loopback = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/;

export const base = [
  stated({
    id: "base.version",
    title: "The base address ends in the path segment v1.",
    clauses: ["S-BASE-1"],
    prove({ options }) {
      const { pathname } = new URL(options.baseUrl);
      const segment = pathname.replace(/\/+$/, "").split("/").at(-1);
      if (segment !== "v1")
        throw new Violation("The base address does not end in v1.", { expected: "v1", seen: segment });
    },
  }),
  stated({
    id: "base.https",
    title: "The deployment is reached over HTTPS.",
    clauses: ["S-BASE-2"],
    prove({ options }) {
      const { protocol, hostname } = new URL(options.baseUrl);
      if (protocol === "https:") return;
      if (loopback.test(hostname)) throw new NotApplicable("The address is a loopback address.");
      if (options.tls === "elsewhere")
        throw new NotApplicable("The configuration declares that TLS ends before this address.");
      throw new Violation("The base address is not https.", { expected: "https:", seen: protocol });
    },
  }),
  stated({
    id: "base.json",
    title: "Every body that the server sends is JSON and says so.",
    clauses: ["S-BASE-3"],
    needs: [firstResponses.developer],
    phase: "end",
    prove({ exchanges }) {
      for (const exchange of exchanges) {
        if (exchange.text === "" || exchange.method === "HEAD" || exchange.retried) continue;
        const type = exchange.headers.get("content-type") ?? "absent";
        if (!json.test(type)) {
          throw new Violation(`${summary(exchange)} does not say that its body is JSON.`, {
            expected: "Content-Type: application/json",
            seen: type,
            exchange,
          });
        }
        if (exchange.json === undefined) {
          throw new Violation(`${summary(exchange)} has a body that is not JSON.`, {
            expected: "JSON",
            seen: exchange.text,
            exchange,
          });
        }
      }
    },
  }),
];
