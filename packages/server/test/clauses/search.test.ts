import { afterAll, beforeAll, expect, test } from "vitest";
import type { Caller } from "../harness/caller.ts";
import { aProject } from "../harness/samples.ts";
import { startServer, type TestServer } from "../harness/server.ts";

let server: TestServer;
let ada: Caller;
beforeAll(async () => {
  server = await startServer();
  ada = await server.account();
  const projects = [
    ["Pocket Garden", "Plan beds and sowing times."],
    ["Caf\u00e9 Finder", "Where to sit in Z\u00fcrich and \u0141\u00f3d\u017a."],
    ["Cafe\u0301 Notes", "The accent here stands apart."],
    ["Stra\u00dfenkarte", "A map, version 2.5 of it."],
    ["\u6771\u4eac\u306e\u5730\u56f3", "\u041a\u0430\u0440\u0442\u0430 \u0433\u043e\u0440\u043e\u0434\u0430."],
    ["C++ & C#: (a) [b] {c} ^$.*|\\d+", "Quotes \"double\" and 'single'; 100% off_under-score."],
    ["Emoji \ud83c\udf31 only", "\ud835\udd04\ud835\udd29\ud835\udd23 in Fraktur, \ufb01ne ligature."],
    ["\u041f\u043e\u0447\u0442\u0430", "\u4fff\u4e00 \ud840\udc3f\u4e00 \u092a\u093e\u0928\u0940"],
  ] as const;
  for (const [title, description] of projects) await aProject(ada, { title, description });
});
afterAll(() => server.stop());

/** The first words of the titles that a search finds, oldest first. */
async function found(query: string): Promise<string[]> {
  const { status, body } = await ada.get(`/projects?search=${encodeURIComponent(query)}`);
  expect(status, query).toBe(200);
  expect(body.pagination.total, query).toBe(body.data.length);
  return body.data.map(({ title }: { title: string }) => title.split(" ")[0]?.normalize("NFC")).toReversed();
}

test.each([
  ["a word of the title", "garden", ["Pocket"]],
  ["a word of the description", "sowing", ["Pocket"]],
  ["words of both", "times pocket", ["Pocket"]],
  ["the title itself", "Pocket Garden", ["Pocket"]],
  ["another case", "GARDEN", ["Pocket"]],
  ["the beginning of a word", "gard", ["Pocket"]],
  ["beginnings of several words, in any order", "sow po gar", ["Pocket"]],
  ["the same word twice", "garden garden", ["Pocket"]],
  ["what stands in several projects", "ma", ["Stra\u00dfenkarte"]],
])("S-PROJ-LIST-5 C-SEARCH-1: a search finds %s", async (_, query, titles) => {
  expect(await found(query)).toEqual(titles);
});

test.each([
  ["no accent for an accent", "cafe", ["Caf\u00e9", "Caf\u00e9"]],
  ["an accent for none", "g\u00e4rd\u00e9n", ["Pocket"]],
  ["an accent written apart", "cafe\u0301", ["Caf\u00e9", "Caf\u00e9"]],
  ["a capital with an accent", "Z\u00dcRICH", ["Caf\u00e9"]],
  ["ss for \u00df", "STRASSE", ["Stra\u00dfenkarte"]],
  ["\u00df for ss", "stra\u00dfe", ["Stra\u00dfenkarte"]],
  ["Cyrillic, whatever the case", "\u0413\u041e\u0420\u041e\u0414", ["\u6771\u4eac\u306e\u5730\u56f3"]],
  ["Japanese, from its beginning", "\u6771\u4eac", ["\u6771\u4eac\u306e\u5730\u56f3"]],
  ["letters beyond the first plane as their plain ones", "alf", ["Emoji"]],
  ["a ligature as its letters", "fine", ["Emoji"]],
  // The last byte of these in UTF-8 is the greatest possible one: the end of an index range then has another length.
  ["a letter of two bytes, the last of them BF", "\u043f", ["\u041f\u043e\u0447\u0442\u0430"]],
  ["a letter of three bytes, the last of them BF", "\u4fff", ["\u041f\u043e\u0447\u0442\u0430"]],
  ["a letter of four bytes, the last of them BF", "\ud840\udc3f", ["\u041f\u043e\u0447\u0442\u0430"]],
  ["a beginning that ends in a mark", "\u092a\u093e", ["\u041f\u043e\u0447\u0442\u0430"]],
])("C-SEARCH-1: a search matches %s", async (_, query, titles) => {
  expect(await found(query)).toEqual(titles);
});

test.each([
  ["a word that is nowhere", "orchard"],
  ["one word that is there beside one that is not", "garden orchard"],
  ["the end of a word", "arden"],
  ["the middle of a word", "ocke"],
  ["more than the word", "gardens"],
  ["a regular expression", ".*"],
  ["a wildcard", "%"],
  ["white space alone", "   "],
  ["signs alone", '+-&|!(){}[]^"~*?:\\/'],
  ["an emoji alone", "\ud83c\udf31"],
  ["a NUL", "\0"],
])("C-SEARCH-1: a search for %s finds nothing", async (_, query) => {
  expect(await found(query)).toEqual([]);
});

test.each([
  ["C++", ["C++"]],
  ["2.5", ["Stra\u00dfenkarte"]],
  ["100%", ["C++"]],
  ["under-score", ["C++"]],
  ["$where garden", []],
  ["garden\tbeds\nplan", ["Pocket"]],
  ["\u200bgarden", ["Pocket"]],
])("C-SEARCH-1: punctuation in %j only separates words", async (query, titles) => {
  expect((await found(query)).sort()).toEqual(titles);
});

test("S-PROJ-LIST-5: a search can be combined with the other filters and with paging", async () => {
  const bob = await server.account();
  for (const category of ["web", "other", "web"] as const) await aProject(bob, { title: "Lighthouse", category });
  await aProject(bob, { title: "Lighthouse", isPublic: false });
  const total = async (caller: Caller, query: string) =>
    (await caller.get(`/projects?search=lighthouse${query}`)).body.pagination.total;
  expect(await total(ada, "")).toBe(3);
  expect(await total(bob, "")).toBe(4);
  expect(await total(ada, "&category=web")).toBe(2);
  expect(await total(ada, "&status=completed")).toBe(0);
  const pages = await Promise.all([1, 2, 3].map((page) => bob.get(`/projects?search=light&perPage=2&page=${page}`)));
  expect(pages.map(({ body }) => body.data.length)).toEqual([2, 2, 0]);
  expect(new Set(pages.flatMap(({ body }) => body.data.map(({ id }: { id: string }) => id))).size).toBe(4);
});

test("C-SEARCH-1: a search finds a changed project by its new words and no longer by its old ones", async () => {
  const { id } = await aProject(ada, { title: "Windmill", description: "Turns." });
  expect(await found("windmill")).toEqual(["Windmill"]);
  await ada.patch(`/projects/${id}`, { title: "Watermill" });
  expect(await found("windmill")).toEqual([]);
  expect(await found("watermill turns")).toEqual(["Watermill"]);
  await ada.delete(`/projects/${id}`);
  expect(await found("watermill")).toEqual([]);
});

test("C-SEARCH-1: a search of one hundred words works like any other", async () => {
  const words = Array.from({ length: 100 }, (_, place) => String.fromCharCode(97 + (place % 26))).join(" ");
  expect(await found(words)).toEqual([]);
  const { id } = await aProject(ada, { title: "Alphabet", description: words });
  expect(await found(words)).toEqual(["Alphabet"]);
  await ada.delete(`/projects/${id}`);
});

test.each([
  "search=",
  "search",
  "search[$ne]=x",
  "search[]=x",
  "search=%FF",
  "search=%ED%A0%80",
  "search=a&search=a",
  `search=${"x".repeat(201)}`,
])("S-PROJ-LIST-5 C-BOUND-1 C-STRICT-1: ?%s gets a 400", async (query) => {
  expect((await ada.get(`/projects?${query}`)).status).toBe(400);
});

test("C-BOUND-1: a search has at most 200 characters; an emoji counts as one", async () => {
  expect(await found("x".repeat(200))).toEqual([]);
  expect(await found("\ud83c\udf31".repeat(200))).toEqual([]);
  expect((await ada.get(`/projects?search=${encodeURIComponent("\ud83c\udf31".repeat(201))}`)).status).toBe(400);
});

test("C-SEARCH-1: an emoji is not a word and does not prevent a match of the word beside it", async () => {
  const { id } = await aProject(ada, { title: "Kawiarnia☕️ Łódź ❤️ Ørsted" });
  const found = async (text: string) => {
    const { body } = await ada.get(`/projects?search=${encodeURIComponent(text)}`);
    return body.data.map((project: { id: string }) => project.id);
  };
  for (const text of ["kawiarnia", "Kawiarnia☕️", "lodz", "orsted"]) expect(await found(text)).toContain(id);
  for (const text of ["❤️", "☕️"]) expect(await found(text)).toEqual([]);
});
