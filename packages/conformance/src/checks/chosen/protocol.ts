import { NotTestable, Violation } from "../../engine/outcome.ts";
import { firstResponses } from "../../evidence/first-responses.ts";
import { chosen } from "../declare.ts";
import { assert, assertStatus, fieldsOf, leastProject, tryProject } from "./expect.ts";

const remaining = (headers: Headers) => Number(headers.get("x-ratelimit-remaining"));

export const protocol = [
  chosen({
    id: "chosen.reset",
    title: "X-RateLimit-Reset is Unix time in seconds, within the hour, and the same throughout a window.",
    clauses: ["C-RATE-1"],
    needs: [firstResponses.developer],
    phase: "end",
    prove({ exchanges }) {
      const resets = exchanges.filter(({ payer, status }) => payer === "developer" && status !== 401);
      for (const exchange of resets) {
        const reset = Number(exchange.headers.get("x-ratelimit-reset"));
        const ahead = reset - exchange.receivedAt / 1000;
        assert(
          Number.isInteger(reset) && ahead > -5 && ahead <= 3605,
          "Reset is not Unix time within the hour",
          exchange,
          "now to an hour ahead",
          reset,
        );
      }
      if (new Set(resets.map(({ headers }) => headers.get("x-ratelimit-reset"))).size > 2) {
        throw new Violation("Reset moves within a window.", {
          expected: "one instant",
          seen: resets.map(({ headers }) => headers.get("x-ratelimit-reset")).slice(0, 5),
        });
      }
    },
  }),
  chosen({
    id: "chosen.rate-limit-fields",
    title: "RateLimit and RateLimit-Policy stand beside the stated headers.",
    clauses: ["C-RATE-4"],
    needs: [firstResponses.developer],
    phase: "end",
    prove({ exchanges }) {
      for (const exchange of exchanges.filter(({ payer, status }) => payer === "developer" && status !== 401)) {
        for (const name of ["ratelimit", "ratelimit-policy"])
          assert(exchange.headers.has(name), `there is no ${name}`, exchange, name, "absent");
      }
    },
  }),
  chosen({
    id: "chosen.refusals-count",
    title: "Every authenticated request counts, whatever its outcome.",
    clauses: ["C-RATE-2"],
    cost: { developer: 2 },
    async prove(context) {
      const one = await context.send("developer", "GET", "/nowhere");
      const next = await context.send("developer", "GET", "/nowhere");
      assert(
        remaining(next.headers) < remaining(one.headers),
        "a refused request did not count",
        next,
        `below ${remaining(one.headers)}`,
        remaining(next.headers),
      );
    },
  }),
  chosen({
    id: "chosen.beyond",
    title: "Past the allowance the answer is 429 with Retry-After and Remaining 0.",
    clauses: ["C-RATE-2"],
    provisions: ["spare"],
    phase: "exhaust",
    // After rate.beyond nothing is left of the spare key's allowance.
    cost: { spare: 1 },
    async prove(context) {
      if (!context.exchanges.some(({ payer }) => payer === "spare"))
        throw new NotTestable("a spare key whose allowance was used up");
      const answer = assertStatus(await context.send("spare", "GET", "/projects", { unpaced: true }), 429);
      const after = Number(answer.headers.get("retry-after"));
      assert(
        after > 0 && after <= 3600,
        "Retry-After does not tell the seconds",
        answer,
        "1 to 3600",
        answer.headers.get("retry-after"),
      );
      assert(
        answer.headers.get("x-ratelimit-remaining") === "0",
        "Remaining is not 0",
        answer,
        0,
        answer.headers.get("x-ratelimit-remaining"),
      );
    },
  }),
  chosen({
    id: "chosen.counted-by-address",
    title: "Requests without a valid key are counted too, under the same headers.",
    clauses: ["C-RATE-3"],
    cost: { nobody: 2 },
    async prove(context) {
      const [one, next] = [
        await context.sendAs(undefined, "GET", "/projects"),
        await context.sendAs(undefined, "GET", "/projects"),
      ];
      assert(next.headers.has("x-ratelimit-limit"), "there are no headers", next, "the three headers", "absent");
      assert(
        remaining(next.headers) < remaining(one.headers),
        "it did not count",
        next,
        `below ${remaining(one.headers)}`,
        remaining(next.headers),
      );
    },
  }),
  chosen({
    id: "chosen.key-form",
    title: "A key is `pfs_` and 46 base62 characters.",
    clauses: ["C-KEY-1"],
    prove({ options }) {
      for (const key of [options.keys.developer, options.keys.tester]) {
        if (!/^pfs_[0-9A-Za-z]{46}$/.test(key))
          throw new Violation("A key has another form.", {
            expected: "pfs_ and 46 base62 characters",
            seen: "another form",
          });
      }
    },
  }),
  chosen({
    id: "chosen.idempotency",
    title: "A POST repeated with its Idempotency-Key gets the first answer again; with another body it is a 422.",
    clauses: ["C-IDEM-1"],
    cost: { developer: 5 },
    writes: true,
    async prove(context) {
      const sending = { headers: { "idempotency-key": `${context.run}-1` } };
      const body = leastProject(context.run);
      const first = assertStatus(await tryProject(context, body, "developer", sending), 201);
      const again = assertStatus(await context.send("developer", "POST", "/projects", { body, ...sending }), 201);
      for (const [exchange, expected] of [
        [first, null],
        [again, "true"],
      ] as const) {
        const replayed = exchange.headers.get("idempotency-replayed");
        assert(replayed === expected, "Idempotency-Replayed tells something else", exchange, expected, replayed);
      }
      assert(
        fieldsOf(again).id === fieldsOf(first).id,
        "it was done twice",
        again,
        fieldsOf(first).id,
        fieldsOf(again).id,
      );
      assertStatus(
        await context.send("developer", "POST", "/projects", { body: { ...body, category: "other" }, ...sending }),
        422,
      );
    },
  }),
];
