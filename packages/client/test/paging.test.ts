import { describe, expect, test } from "vitest";
import { json, page, scripted } from "./harness/scripted.ts";

/** A server with a list of records, newest first, that a test may change between requests. */
function pagedServer(size: number, perPage = 2) {
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
  test("can be awaited for one page", async () => {
    const { client, pages } = pagedServer(5);
    const { data, pagination } = await client.projects.list();
    expect(data).toEqual([{ id: "prj_5" }, { id: "prj_4" }]);
    expect(pagination).toEqual({ page: 1, perPage: 2, total: 5 });
    expect(pages()).toEqual([1]);
  });

  test("is a promise", async () => {
    const { client } = pagedServer(1);
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
    const { client, pages } = pagedServer(size);
    expect(await ids(client.projects.list())).toHaveLength(size);
    expect(pages()).toHaveLength(requests);
  });

  test("is iterated by pages, from the requested one, with its filters on each request", async () => {
    const { client, pages } = pagedServer(9);
    const seen = [];
    for await (const { pagination, requestId } of client.projects.list({ page: 2, perPage: 3 }).pages()) {
      seen.push(pagination.page);
      expect(requestId).toBeUndefined();
    }
    expect(seen).toEqual([2, 3]);
    expect(pages()).toEqual([2, 3]);
  });

  test("stops at maxPages and when the loop breaks", async () => {
    const { client, pages } = pagedServer(9);
    expect(await ids(client.projects.list({}, { maxPages: 2 }))).toHaveLength(4);
    expect(pages()).toEqual([1, 2]);
    for await (const _ of client.feedback.list("prj_1")) break;
    expect(pages()).toEqual([1, 2, 1]);
  });

  test("that was awaited is iterated from the page already read, and read again the next time", async () => {
    const { client, pages } = pagedServer(3);
    const list = client.projects.list();
    await list;
    expect(await ids(list)).toHaveLength(3);
    expect(pages()).toEqual([1, 2]);
    expect(await ids(list)).toHaveLength(3);
    expect(pages()).toEqual([1, 2, 1, 2]);
  });

  test("ends on an empty page, whatever the total", async () => {
    const { client } = scripted([json(page([{ id: "a" }], 99, 1, 1)), json(page([], 99, 2, 1))]);
    expect(await ids(client.projects.list())).toEqual(["a"]);
  });
});

describe("while others change the list", () => {
  const during = async (change: (records: { id: string }[]) => void) => {
    const { client, records } = pagedServer(6);
    const seen: string[] = [];
    for await (const { id } of client.projects.list()) {
      seen.push(id);
      if (seen.length === 2) change(records);
    }
    return seen;
  };

  test("a created record moves another to the next page, which is not yielded twice", async () => {
    const seen = await during((records) => records.unshift({ id: "prj_7" }));
    expect(seen).toEqual(["prj_6", "prj_5", "prj_4", "prj_3", "prj_2", "prj_1"]);
  });

  test("pages() yields the pages as they are, so a moved record appears twice", async () => {
    const { client, records } = pagedServer(4);
    const seen: string[] = [];
    for await (const { data } of client.projects.list().pages()) {
      seen.push(...data.map(({ id }) => id));
      if (seen.length === 2) records.unshift({ id: "prj_5" });
    }
    expect(seen).toEqual(["prj_4", "prj_3", "prj_3", "prj_2", "prj_1"]);
  });

  test("a record deleted from a page already read moves another there, which is missed", async () => {
    const seen = await during((records) => records.shift());
    expect(seen).toEqual(["prj_6", "prj_5", "prj_3", "prj_2", "prj_1"]);
  });

  test("a record deleted from a page not yet read is missing, and nothing else changes", async () => {
    const seen = await during((records) => records.pop());
    expect(seen).toEqual(["prj_6", "prj_5", "prj_4", "prj_3", "prj_2"]);
  });

  test("collecting first and then deleting misses none", async () => {
    const { client, records } = pagedServer(5);
    for (const id of await ids(client.projects.list()))
      records.splice(
        records.findIndex((each) => each.id === id),
        1,
      );
    expect(records).toEqual([]);
  });
});

/** A server that offers cursors: a page by number or by cursor names the next one in its Link header. */
function cursorServer(size: number, perPage = 2, link = (next: string) => `<${next}>; rel="next"`) {
  const records = Array.from({ length: size }, (_, index) => ({ id: `prj_${String(size - index).padStart(3, "0")}` }));
  const { client, requests } = scripted([
    ({ url }) => {
      const { searchParams } = new URL(url);
      const cursor = searchParams.get("cursor");
      const start = cursor
        ? records.findIndex(({ id }) => id < cursor.replace("after/", ""))
        : (Number(searchParams.get("page")) - 1) * perPage;
      const data = start < 0 ? [] : records.slice(start, start + perPage);
      const last = data.at(-1)?.id ?? "";
      const hasNext = records.some(({ id }) => id < last);
      searchParams.delete("page");
      searchParams.set("cursor", `after/${last}`);
      const headers = hasNext ? { link: link(`/v1/projects?${searchParams}`) } : {};
      return json(page(data, records.length, 1, perPage), 200, headers);
    },
  ]);
  return { records, client, queries: () => requests.map(({ url }) => new URL(url).search) };
}

describe("with a server that offers cursors, an iteration", () => {
  test("follows them, with its filters on each request", async () => {
    const { client, queries } = cursorServer(5);
    expect(await ids(client.projects.list({ status: "active" }))).toHaveLength(5);
    expect(queries()).toEqual([
      "?status=active&page=1",
      "?status=active&cursor=after%2Fprj_004",
      "?status=active&cursor=after%2Fprj_002",
    ]);
  });

  test("neither repeats nor skips a record, whatever is created or deleted meanwhile", async () => {
    const { client, records } = cursorServer(8);
    const seen: string[] = [];
    for await (const { id } of client.projects.list()) {
      seen.push(id);
      if (seen.length === 2) records.splice(0, 2);
      if (seen.length === 4) records.unshift({ id: "prj_009" });
    }
    expect(seen).toEqual([8, 7, 6, 5, 4, 3, 2, 1].map((number) => `prj_00${number}`));
  });

  test("begins at a requested page or cursor, and stops at maxPages", async () => {
    const { client, queries } = cursorServer(9);
    expect(await ids(client.projects.list({ page: 2 }, { maxPages: 2 }))).toEqual([
      "prj_007",
      "prj_006",
      "prj_005",
      "prj_004",
    ]);
    expect(await ids(client.projects.list({ page: 7, cursor: "after/prj_003" }))).toEqual(["prj_002", "prj_001"]);
    expect(queries()).toEqual(["?page=2", "?cursor=after%2Fprj_006", "?cursor=after%2Fprj_003"]);
  });

  test.each([
    (next: string) => `</v1/projects?cursor=none>; rel="prev", <${next}>; rel="next"`,
    (next: string) => `<https://elsewhere.example${next}&page=3>; title="more"; rel=next`,
  ])("reads the cursor alone, in any form of the header", async (link) => {
    const { client, queries } = cursorServer(4, 2, link);
    expect(await ids(client.projects.list())).toHaveLength(4);
    expect(queries()).toEqual(["?page=1", "?cursor=after%2Fprj_003"]);
  });

  test("ends if the server repeats a cursor", async () => {
    const { client, queries } = cursorServer(9, 2, () => '</v1/projects?cursor=same>; rel="next"');
    await ids(client.projects.list());
    expect(queries()).toEqual(["?page=1", "?cursor=same"]);
  });
});
