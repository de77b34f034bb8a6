import { assertSuccess, type Json } from "../engine/assertions.ts";
import { type Exchange, summary } from "../engine/exchange.ts";
import { Violation } from "../engine/outcome.ts";
import { idOf, idsOf, isOwn, isWhole, itemsOf, paginationOf } from "../evidence/lists.ts";

interface Filter {
  readonly field: "status" | "category" | "testerId";
  readonly value: unknown;
  /** What the field is in each record that is known of; undefined where that is not sure. */
  readonly known: ReadonlyMap<string, unknown>;
}

/** @throws Violation where a filtered list holds what it ought not, or lacks what it ought to hold */
export function assertFiltered(list: Exchange, { field, value, known }: Filter): void {
  assertSuccess(list);
  const items = itemsOf(list);
  const fieldOf = (item: Json) => (known.has(idOf(item)) ? known.get(idOf(item)) : item[field]);
  const wrong = items.filter((item) => fieldOf(item) !== undefined && fieldOf(item) !== value);
  if (wrong.length > 0) {
    throw new Violation(`${summary(list)} holds what has another ${field}.`, {
      expected: { [field]: value },
      seen: wrong,
      exchange: list,
    });
  }
  const found = new Set(items.map(idOf));
  const lacking = Array.from(known).flatMap(([id, own]) => (own === value && !found.has(id) ? [id] : []));
  if (lacking.length > 0 && isWhole(list)) {
    throw new Violation(`${summary(list)} lacks what has this ${field}.`, {
      expected: lacking,
      seen: [...found],
      exchange: list,
    });
  }
}

/** @throws Violation unless a list holds these records and no others */
export function assertFound(list: Exchange, expected: readonly string[]): void {
  assertSuccess(list);
  const seen = idsOf(list);
  if (seen.toSorted().join() === expected.toSorted().join()) return;
  throw new Violation(`${summary(list)} does not hold what it was asked for and that alone.`, {
    expected,
    seen,
    exchange: list,
  });
}

/** @throws Violation where a first page that holds every match tells another total */
export function assertTotals(lists: readonly Exchange[]): void {
  for (const list of lists.filter((list) => list.status < 300 && isOwn(list) && isWhole(list))) {
    const [expected, seen] = [itemsOf(list).length, paginationOf(list, "total")];
    if (seen === undefined || seen === expected) continue;
    throw new Violation(`${summary(list)} holds every match and tells another total.`, {
      expected,
      seen,
      exchange: list,
    });
  }
}
