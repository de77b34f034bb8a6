import { array, assertNoFaults, faults, integer, record, succeeded } from "../engine/assertions.ts";
import { type Exchange, summary } from "../engine/exchange.ts";
import { Violation } from "../engine/outcome.ts";
import { firstResponses } from "../evidence/first-responses.ts";
import { fieldsOf, isFeedbackList, isProjectList, paginationOf, queryOf } from "../evidence/lists.ts";
import { stated } from "./declare.ts";

const listsAmong = (exchanges: readonly Exchange[]) =>
  exchanges.filter((one) => succeeded(one) && one.payer !== "nobody" && (isProjectList(one) || isFeedbackList(one)));

export const paging = [
  stated({
    id: "page.envelope",
    title: "Every list is `data`, an array, and `pagination` with the integers page, perPage and total.",
    clauses: ["S-PAGE-1"],
    group: "lists",
    needs: [firstResponses.developer],
    phase: "end",
    prove({ observed: exchanges }) {
      for (const list of listsAmong(exchanges)) {
        assertNoFaults(list, faults(list.json, { data: array, pagination: record }));
        const rules = { page: integer, perPage: integer, total: integer };
        assertNoFaults(list, faults(fieldsOf(list.json).pagination, rules, { at: "pagination" }));
      }
    },
  }),
  stated({
    id: "page.numbers",
    title: "A list that is asked for a page and a size tells that page and that size, and holds no more.",
    clauses: ["S-PAGE-1", "S-PROJ-LIST-2", "S-FB-LIST-3"],
    group: "lists",
    needs: [firstResponses.developer],
    phase: "end",
    prove({ observed: exchanges }) {
      for (const list of listsAmong(exchanges)) {
        const query = queryOf(list);
        for (const name of ["page", "perPage"] as const) {
          const [sent, seen] = [
            Number(query.get(name) ?? (name === "page" ? 1 : Number.NaN)),
            paginationOf(list, name),
          ];
          if (Number.isNaN(sent) || seen === undefined || sent === seen) continue;
          // What is larger than the server gives may be cut.
          if (name === "perPage" && (sent > 100 || (isFeedbackList(list) && sent > 2 && seen < sent))) continue;
          throw new Violation(`${summary(list)} tells another ${name}.`, { expected: sent, seen, exchange: list });
        }
        const { data } = fieldsOf(list.json);
        const held = Array.isArray(data) ? data.length : 0;
        const most = paginationOf(list, "perPage") ?? held;
        if (held > most)
          throw new Violation(`${summary(list)} holds more than its perPage.`, {
            expected: `at most ${most}`,
            seen: held,
            exchange: list,
          });
      }
    },
  }),
];
