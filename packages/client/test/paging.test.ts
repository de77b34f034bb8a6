import { describe, expect, test } from "vitest";
import { json, page, scripted } from "./harness/scripted.ts";

/** A server with a list of records, newest first, which a test may change between requests. */
function shelf(size: number, perPage = 2) {
  const records = Array.from({ length: size }, (_, index) => ({ id: `prj_${size - index}` }));
  const { client, requests } = scripted([
    ({ url }) => {
      const { searchParams } = new URL(url);
      const number = Number(searchParams.get("page"));
      const held = Number(searchParams.get("perPage") ?? perPage);
      return json(page(records.slice((number - 1) * held, number * held), records.length, number, held));
    },
  ]);
  const pages = () => requests.map(({ url }) => Number(new URL(url).searchParams.get("page")));
  return { records, client, pages };
}

const ids = async (list: AsyncIterable<{ id: string }>) => {
  const seen: string[] = [];
  for await (const { id } of list) seen.push(id);
  return seen;
};

describe("a list", () => {
  test("is awaited for one page with its envelope", async () => {
    const { client, pages } = shelf(5);
    const { data, pagination } = await client.projects.list();
    expect(data).toEqual([{ id: "prj_5" }, { id: "prj_4" }]);
    expect(pagination).toEqual({ page: 1, perPage: 2, total: 5 });
    expect(pages()).toEqual([1]);
  });

  test("is a promise", async () => {
    const { client } = shelf(1);
    expect(client.projects.list()).toBeInstanceOf(Promise);
    expect(await client.projects.list().then(({ data }) => data.length)).toBe(1);
  });

  test.each([
    [0, 1],
    [1, 1],
    [2, 1],
    [3, 2],
    [4, 2],
    [5, 3],
  ])("of %i records is iterated in %i requests", async (size, requests) => {
    const { client, pages } = shelf(size);
    expect(await ids(client.projects.list())).toHaveLength(size);
    expect(pages()).toHaveLength(requests);
  });

  test("is iterated by pages, from the one asked for, with its filters on each", async () => {
    const { client, pages } = shelf(9);
    const seen = [];
    for await (const { pagination, requestId } of client.projects.list({ page: 2, perPage: 3 }).pages()) {
      seen.push(pagination.page);
      expect(requestId).toBeUndefined();
    }
    expect(seen).toEqual([2, 3]);
    expect(pages()).toEqual([2, 3]);
  });

  test("stops at maxPages, and where the loop is left", async () => {
    const { client, pages } = shelf(9);
    expect(await ids(client.projects.list({}, { maxPages: 2 }))).toHaveLength(4);
    expect(pages()).toEqual([1, 2]);
    for await (const _ of client.feedback.list("prj_1")) break;
    expect(pages()).toEqual([1, 2, 1]);
  });

  test("that was awaited is iterated from the page at hand, and afresh the next time", async () => {
    const { client, pages } = shelf(3);
    const list = client.projects.list();
    await list;
    expect(await ids(list)).toHaveLength(3);
    expect(pages()).toEqual([1, 2]);
    expect(await ids(list)).toHaveLength(3);
    expect(pages()).toEqual([1, 2, 1, 2]);
  });

  test("ends on an empty page, whatever the total says", async () => {
    const { client } = scripted([json(page([{ id: "a" }], 99, 1, 1)), json(page([], 99, 2, 1))]);
    expect(await ids(client.projects.list())).toEqual(["a"]);
  });
});

describe("while others change the list", () => {
  const during = async (change: (records: { id: string }[]) => void) => {
    const { client, records } = shelf(6);
    const seen: string[] = [];
    for await (const { id } of client.projects.list()) {
      seen.push(id);
      if (seen.length === 2) change(records);
    }
    return seen;
  };

  test("a record that is created pushes one to the next page, which is not given twice", async () => {
    const seen = await during((records) => records.unshift({ id: "prj_7" }));
    expect(seen).toEqual(["prj_6", "prj_5", "prj_4", "prj_3", "prj_2", "prj_1"]);
  });

  test("pages() gives the pages as they are, so it is there twice", async () => {
    const { client, records } = shelf(4);
    const seen: string[] = [];
    for await (const { data } of client.projects.list().pages()) {
      seen.push(...data.map(({ id }) => id));
      if (seen.length === 2) records.unshift({ id: "prj_5" });
    }
    expect(seen).toEqual(["prj_4", "prj_3", "prj_3", "prj_2", "prj_1"]);
  });

  test("a record that is deleted from a page already read pulls one there, which is not seen", async () => {
    const seen = await during((records) => records.shift());
    expect(seen).toEqual(["prj_6", "prj_5", "prj_3", "prj_2", "prj_1"]);
  });

  test("a record that is deleted from a page yet to come is not seen, and nothing else changes", async () => {
    const seen = await during((records) => records.pop());
    expect(seen).toEqual(["prj_6", "prj_5", "prj_4", "prj_3", "prj_2"]);
  });

  test("collecting first and deleting then misses none", async () => {
    const { client, records } = shelf(5);
    for (const id of await ids(client.projects.list()))
      records.splice(
        records.findIndex((each) => each.id === id),
        1,
      );
    expect(records).toEqual([]);
  });
});
