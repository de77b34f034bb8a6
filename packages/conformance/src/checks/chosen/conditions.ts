import type { Exchange } from "../../engine/exchange.ts";
import { chosen } from "../declare.ts";
import { aFeedback, aProject, assert, assertStatus } from "./expect.ts";

function etagOf(exchange: Exchange): string {
  const etag = exchange.headers.get("etag") ?? "";
  assert(/^"[^"]*"$/.test(etag), "there is no strong ETag", exchange, "a quoted tag without W/", etag);
  return etag;
}

export const conditions = [
  chosen({
    id: "chosen.not-modified",
    title: "A record in full has a strong ETag; a GET with If-None-Match that names it is a 304 without content.",
    clauses: ["C-COND-1"],
    cost: { developer: 8, tester: 1 },
    writes: true,
    async prove(context) {
      const project = await aProject(context);
      const feedback = await aFeedback(context, project);
      for (const path of [project, feedback]) {
        const etag = etagOf(assertStatus(await context.send("developer", "GET", path), 200));
        const read = (list: string) => context.send("developer", "GET", path, { headers: { "if-none-match": list } });
        const known = assertStatus(await read(`"other", W/${etag}`), 304);
        assert(known.text === "", "it has content", known, "no content", known.text);
        assertStatus(await read('"other"'), 200);
      }
    },
  }),
  chosen({
    id: "chosen.if-match",
    title: "PATCH and DELETE with an If-Match that is not current are 412 and change nothing.",
    clauses: ["C-COND-1"],
    cost: { developer: 8 },
    writes: true,
    async prove(context) {
      const path = await aProject(context);
      const stale = etagOf(await context.send("developer", "GET", path));
      const change = (title: string, etag: string) =>
        context.send("developer", "PATCH", path, { body: { title }, headers: { "if-match": etag } });
      const current = etagOf(assertStatus(await change(`${context.run} first edit`, stale), 200));
      assertStatus(await change(`${context.run} lost edit`, stale), 412);
      assertStatus(await change(`${context.run} weak edit`, `W/${current}`), 412);
      assertStatus(await context.send("developer", "DELETE", path, { headers: { "if-match": stale } }), 412);
      const read = assertStatus(await context.send("developer", "GET", path), 200);
      assert(etagOf(read) === current, "a refused write changed it", read, current, etagOf(read));
      assertStatus(await change(`${context.run} second edit`, `"other", ${current}`), 200);
    },
  }),
];
