import { STATUS_CODES } from "node:http";
import { isRecord } from "../../engine/assertions.ts";
import { firstResponses } from "../../evidence/first-responses.ts";
import { chosen } from "../declare.ts";
import { assert, assertStatus, fieldsOf, leastProject, tryProject } from "./expect.ts";

const nowhere = "/nowhere";

/** Node's phrases, but for two that RFC 9110 has since renamed. */
const phrases: Readonly<Record<number, string | undefined>> = {
  ...STATUS_CODES,
  413: "Content Too Large",
  422: "Unprocessable Content",
};

export const errors = [
  chosen({
    id: "chosen.status",
    title: "Success is 200, or 201 with a Location for what was created.",
    clauses: ["C-STATUS-1"],
    needs: [firstResponses.developer],
    phase: "end",
    prove({ exchanges }) {
      for (const exchange of exchanges.filter(({ status }) => status < 300)) {
        const creates =
          exchange.method === "POST" && (/^\/projects$/.test(exchange.target) || exchange.target.endsWith("/feedback"));
        assertStatus(exchange, creates ? 201 : 200);
        if (creates) assert(exchange.headers.has("location"), "there is no Location", exchange, "a Location", "absent");
      }
    },
  }),
  chosen({
    id: "chosen.error-body",
    title: "An error has the reason phrase, a message, and for a 400 up to 20 details.",
    clauses: ["C-ERR-1"],
    needs: [firstResponses.developer],
    phase: "end",
    prove({ exchanges }) {
      for (const exchange of exchanges.filter(({ status }) => status >= 400)) {
        const { error, message, details } = fieldsOf(exchange);
        assert(
          error === phrases[exchange.status],
          "error is not the reason phrase",
          exchange,
          phrases[exchange.status],
          error,
        );
        assert(typeof message === "string" && message !== "", "there is no message", exchange, "a sentence", message);
        if (exchange.status !== 400) continue;
        const whole = Array.isArray(details) && details.length > 0 && details.length <= 20;
        assert(
          whole &&
            details.every(
              (fault) => isRecord(fault) && ["in", "at", "message"].every((name) => typeof fault[name] === "string"),
            ),
          "details do not name the faults",
          exchange,
          "1 to 20 of {in, at, message}",
          details,
        );
      }
    },
  }),
  chosen({
    id: "chosen.error-statuses",
    title:
      "Malformed input is 400, an unknown path 404, another method 405 with Allow, another type 415, too much 413.",
    clauses: ["C-ERR-2", "C-BOUND-1"],
    cost: { developer: 5 },
    writes: true,
    async prove(context) {
      assertStatus(await context.send("developer", "GET", nowhere), 404);
      const put = assertStatus(await context.send("developer", "PUT", "/projects", { body: {} }), 405);
      assert(
        /\bPOST\b/.test(put.headers.get("allow") ?? ""),
        "Allow does not list POST",
        put,
        "GET, POST",
        put.headers.get("allow"),
      );
      assertStatus(
        await context.send("developer", "POST", "/projects", {
          text: "title=x",
          headers: { "content-type": "application/x-www-form-urlencoded" },
        }),
        415,
      );
      assertStatus(await context.send("developer", "POST", "/projects", { text: '{"title":' }), 400);
      assertStatus(
        await context.send("developer", "POST", "/projects", {
          text: JSON.stringify({ title: "x".repeat(1_100_000) }),
        }),
        413,
      );
    },
  }),
  chosen({
    id: "chosen.error-order",
    title: "A request is judged by key, path, form of the body, contract and existence, in this order.",
    clauses: ["C-ERR-3"],
    cost: { developer: 4, nobody: 1 },
    writes: true,
    async prove(context) {
      const text = { text: "x", headers: { "content-type": "text/plain" } };
      assertStatus(await context.sendAs(undefined, "POST", nowhere, text), 401);
      assertStatus(await context.send("developer", "POST", nowhere, text), 404);
      assertStatus(await context.send("developer", "PATCH", "/projects/none", text), 415);
      assertStatus(await context.send("developer", "PATCH", "/projects/none", { body: { title: 1 } }), 400);
      assertStatus(await context.send("developer", "PATCH", "/projects/none", { body: { title: "x" } }), 404);
    },
  }),
  chosen({
    id: "chosen.error-code",
    title: "Every error but a 401 has a code.",
    clauses: ["C-ERR-5"],
    needs: [firstResponses.developer],
    phase: "end",
    prove({ exchanges }) {
      for (const exchange of exchanges.filter(({ status }) => status >= 400 && status !== 401)) {
        const { code } = fieldsOf(exchange);
        assert(typeof code === "string" && code !== "", "there is no code", exchange, "a code", code);
      }
    },
  }),
  chosen({
    id: "chosen.request-id",
    title: "Every answer carries X-Request-Id, and a 401 carries WWW-Authenticate: Bearer.",
    clauses: ["C-ERR-4"],
    needs: [firstResponses.developer],
    phase: "end",
    prove({ exchanges }) {
      for (const exchange of exchanges) {
        assert(exchange.headers.has("x-request-id"), "there is no X-Request-Id", exchange, "an id", "absent");
        const scheme = exchange.headers.get("www-authenticate");
        if (exchange.status === 401)
          assert(scheme === "Bearer", "there is no WWW-Authenticate: Bearer", exchange, "Bearer", scheme);
      }
    },
  }),
  chosen({
    id: "chosen.request-id-kept",
    title: "A client's own X-Request-Id is kept, one that is not well-formed is not.",
    clauses: ["C-ERR-4"],
    cost: { developer: 2 },
    async prove(context) {
      const ask = (id: string) => context.send("developer", "GET", nowhere, { headers: { "x-request-id": id } });
      const kept = await ask(`${context.run}-1`);
      assert(
        kept.headers.get("x-request-id") === `${context.run}-1`,
        "the id was not kept",
        kept,
        `${context.run}-1`,
        kept.headers.get("x-request-id"),
      );
      const long = "x".repeat(129);
      const other = await ask(long);
      assert(
        other.headers.get("x-request-id") !== long,
        "an id of 129 characters was kept",
        other,
        "a new id",
        "the same",
      );
    },
  }),
  chosen({
    id: "chosen.scheme",
    title: "The scheme Bearer is matched whatever its case; a bare key is no key.",
    clauses: ["C-AUTH-1"],
    cost: { developer: 1, nobody: 1 },
    async prove(context) {
      const { developer } = context.options.keys;
      assertStatus(await context.sendRaw("developer", `bEARER ${developer}`, "GET", "/projects"), 200);
      assertStatus(await context.sendAs(developer, "GET", "/projects"), 401);
    },
  }),
  chosen({
    id: "chosen.strict",
    title: "An unknown body field or query parameter, or one given twice, is a 400 that names it.",
    clauses: ["C-STRICT-1"],
    cost: { developer: 3 },
    writes: true,
    async prove(context) {
      const answers = [
        await tryProject(context, { ...leastProject(context.run), tittle: "x" }),
        await context.send("developer", "GET", "/projects", { query: { tittle: 1 } }),
      ];
      for (const answer of answers) {
        assertStatus(answer, 400);
        assert(
          JSON.stringify(fieldsOf(answer).details ?? "").includes("tittle"),
          "the unknown name is not named",
          answer,
          "tittle",
          fieldsOf(answer).details,
        );
      }
      assertStatus(await context.send("developer", "GET", "/projects?page=1&page=1"), 400);
    },
  }),
  chosen({
    id: "chosen.unknown-id",
    title: "An id that was never given is a 404, whatever its form.",
    clauses: ["C-ID-1"],
    cost: { developer: 5 },
    async prove(context) {
      for (const id of ["0", "none", "prj_ffffffffffffffffffffffff", encodeURIComponent("a/b ü?")]) {
        assertStatus(await context.send("developer", "GET", `/projects/${id}`), 404);
      }
      assertStatus(await context.send("developer", "GET", "/feedback/-1"), 404);
    },
  }),
];
