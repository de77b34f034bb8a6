import { array, assertNoFaults, faults, integer, isRecord, record, succeeded } from "../engine/assertions.ts";
import { type Exchange, summary } from "../engine/exchange.ts";
import { Unmet, Violation } from "../engine/outcome.ts";
import { arrivals } from "../evidence/arrival.ts";
import { isFeedbackList, isOwn, isProjectList, paginationOf, sentQuery } from "../evidence/lists.ts";
import { stated } from "./declare.ts";

function listsAmong(exchanges: readonly Exchange[]): Exchange[] {
  const lists = exchanges.filter((one) => (isProjectList(one) || isFeedbackList(one)) && succeeded(one));
  if (lists.length === 0) throw new Unmet("No list was answered.");
  return lists;
}

export const paging = [
  stated({
    id: "page.envelope",
    title: "Every list is `data`, an array, and `pagination` with the integers page, perPage and total.",
    clauses: ["S-PAGE-1", "S-PROJ-LIST-1", "S-FB-LIST-1"],
    needs: [arrivals.developer],
    phase: "end",
    prove({ exchanges }) {
      for (const list of listsAmong(exchanges)) {
        const pagination = isRecord(list.json) ? list.json.pagination : undefined;
        assertNoFaults(list, faults(list.json, { data: array, pagination: record }));
        assertNoFaults(
          list,
          faults(pagination, { page: integer, perPage: integer, total: integer }, { at: "pagination" }),
        );
      }
    },
  }),
  stated({
    id: "page.numbers",
    title: "A list that is asked for a page and a size tells that page and that size, and holds no more.",
    clauses: ["S-PAGE-1", "S-PROJ-LIST-2", "S-FB-LIST-3"],
    needs: [arrivals.developer],
    phase: "end",
    prove({ exchanges }) {
      for (const list of listsAmong(exchanges)) {
        for (const name of ["page", "perPage"] as const) {
          const [sent, seen] = [sentQuery(list, name), paginationOf(list, name)];
          if (sent === null || seen === undefined || Number(sent) === seen || Number(sent) > 100) continue;
          throw new Violation(`${summary(list)} tells another ${name}.`, {
            expected: Number(sent),
            seen,
            exchange: list,
          });
        }
        const [data, perPage, total] = [
          isRecord(list.json) ? list.json.data : [],
          paginationOf(list, "perPage"),
          paginationOf(list, "total"),
        ];
        const held = Array.isArray(data) ? data.length : 0;
        const most = Math.min(perPage ?? held, isOwn(list) ? (total ?? held) : held);
        if (held > most)
          throw new Violation(`${summary(list)} holds more than it tells.`, {
            expected: `at most ${most}`,
            seen: held,
            exchange: list,
          });
      }
    },
  }),
];
