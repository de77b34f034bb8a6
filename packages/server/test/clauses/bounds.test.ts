import { afterAll, beforeAll, expect, test } from "vitest";
import { loadContract } from "../../src/contract/contract.ts";
import type { Caller, Received } from "../harness/caller.ts";
import { aFeedback, aProject } from "../harness/samples.ts";
import { startServer, type TestServer } from "../harness/server.ts";

let server: TestServer;
let ada: Caller;
let project: string;
let feedback: string;
beforeAll(async () => {
  server = await startServer();
  ada = await server.account();
  project = (await aProject(ada)).id;
  feedback = (await aFeedback(ada, project)).id;
});
afterAll(() => server.stop());

const onProject = (fields: object) =>
  ada.post("/projects", { title: "a", description: "b", category: "web", ...fields });
const onFeedback = (fields: object) => ada.post(`/projects/${project}/feedback`, { overallRating: 3, ...fields });
const onBug = (fields: object) => onFeedback({ bugs: [{ description: "a", severity: "low", ...fields }] });

/** The place of a text, its maximum length, whether it must not be blank, and how it is sent. */
const texts: [string, number, boolean, (text: string) => Promise<Received>][] = [
  ["/title", 200, true, (title) => onProject({ title })],
  ["/description", 5_000, true, (description) => onProject({ description })],
  ["/generalComments", 5_000, false, (generalComments) => onFeedback({ generalComments })],
  ["/uiFeedback/colors", 5_000, false, (colors) => onFeedback({ uiFeedback: { colors } })],
  ["/uiFeedback/typography", 5_000, false, (typography) => onFeedback({ uiFeedback: { typography } })],
  ["/uiFeedback/layout", 5_000, false, (layout) => onFeedback({ uiFeedback: { layout } })],
  ["/uxFeedback/flow", 5_000, false, (flow) => onFeedback({ uxFeedback: { flow } })],
  ["/uxFeedback/usability", 5_000, false, (usability) => onFeedback({ uxFeedback: { usability } })],
  ["/uxFeedback/suggestions", 5_000, false, (suggestions) => onFeedback({ uxFeedback: { suggestions } })],
  ["/bugs/0/description", 5_000, true, (description) => onBug({ description })],
  ["/bugs/0/stepsToReproduce", 5_000, false, (stepsToReproduce) => onBug({ stepsToReproduce })],
  ["/message", 5_000, true, (message) => ada.post(`/feedback/${feedback}/reply`, { message })],
];

function expectFault({ status, body }: Received, at: string): void {
  expect(status).toBe(400);
  expect(body.details).toMatchObject([{ in: "body", at }]);
}

test.each(texts)("C-BOUND-1: %s has at most %i characters, of any kind", async (at, most, _, send) => {
  const family = "\ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67"; // five code points, one picture
  for (const text of ["x".repeat(most), "\ud83c\udf31".repeat(most), "\u6771".repeat(most), family.repeat(most / 5)]) {
    expect((await send(text)).status).toBeLessThan(300);
    expectFault(await send(`${text}\u00e9`), at);
  }
});

test.each(texts)("C-BOUND-1: %s must be well-formed Unicode", async (at, _most, _words, send) => {
  for (const text of ["\ud800", "a\udfff", "\udc00\ud800", "\ud83c\udf31\ud83c"]) expectFault(await send(text), at);
  for (const text of ["\uffff a", "a\u0000b", "\u{10ffff}a", "\ufdd0a"])
    expect((await send(text)).status).toBeLessThan(300);
});

test.each(texts)(
  "C-BOUND-1: %s of white space alone gets a 400 if it must not be blank",
  async (at, _, words, send) => {
    for (const text of ["", " ", "\t\r\n", "\u00a0\u2003\u3000\ufeff", "\u2028\u2029\u0085"]) {
      const response = await send(text);
      if (!words) expect(response.status).toBeLessThan(300);
      else {
        expect(response.status, JSON.stringify(text)).toBe(400);
        expect(response.body.details[0]).toMatchObject({ in: "body", at });
      }
    }
    expect((await send(" .")).status).toBeLessThan(300);
  },
);

test.each(texts)(
  "C-BOUND-1: %s of invisible characters alone gets a 400 if it must not be blank",
  async (at, _, words, send) => {
    for (const text of [
      "\u200b",
      "\u2060\u200d",
      "\u00ad",
      "\u3164\ufe0f",
      "\u202e \u2800",
      "\u{e0041}\u{1d173}\u{13430}",
      "\u0000\u001b",
    ]) {
      const response = await send(text);
      if (!words) expect(response.status).toBeLessThan(300);
      else {
        expect(response.status, JSON.stringify(text)).toBe(400);
        expect(response.body.details[0]).toEqual({ in: "body", at, message: "must have a visible character" });
      }
    }
    for (const text of ["\u200b\u2764\ufe0f\u200b", "\u{1f469}\u200d\u{1f469}", "\u0627\u0654", "\u{e000}"]) {
      expect((await send(text)).status, JSON.stringify(text)).toBeLessThan(300);
    }
  },
);

test("C-BOUND-1: the pattern for tools without x-visible rejects every invisible character up to U+FFFF", () => {
  const { schemas } = JSON.parse(loadContract().json).components;
  const pattern = new RegExp(schemas.Title.pattern);
  const invisible = /[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\u2800]/u;
  const wrong: string[] = [];
  for (let code = 0; code <= 0xffff; code += 1) {
    const character = String.fromCodePoint(code);
    if (pattern.test(character) === invisible.test(character)) wrong.push(code.toString(16));
  }
  expect(wrong).toEqual([]);
});

const urls: [string, (url: string | null) => Promise<Received>][] = [
  ["/projectUrl", (projectUrl) => onProject({ projectUrl })],
  ["/screenshots/0", (url) => onProject({ screenshots: [url] })],
  ["/bugs/0/screenshot", (screenshot) => onBug({ screenshot })],
];

test.each(urls)("C-BOUND-1: %s accepts http and https URLs of up to 2,048 characters", async (at, send) => {
  const longest = `https://example.com/${"x".repeat(2_048 - 20)}`;
  for (const url of [
    ...[
      "http://a",
      "https://example.com",
      "HTTPS://EXAMPLE.COM/A",
      "http://localhost:3000/",
      "http://192.0.2.1:8080/x",
    ],
    ...["https://[2001:db8::1]:65535/", "https://example.com./", "https://example.com/a%20b?c=d&e[]=f#g/h?i"],
    ...[
      "https://ja.wikipedia.org/wiki/\u6771\u4eac",
      "https://\u4f8b\u3048.jp/",
      "https://example.com/\ud83c\udf31?q=\u00e9#\u0436",
    ],
    // The joiner U+200C, as in Persian titles.
    "https://fa.wikipedia.org/wiki/\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
    ...["https://xn--bcher-kva.example/~a/(b);c=1,2", "https://example.com?x", "https://example.com#", longest],
  ]) {
    expect((await send(url)).status, url).toBe(201);
  }
  expectFault(await send(`${longest}x`), at);
});

test.each(urls)("C-BOUND-1: %s rejects any other text", async (at, send) => {
  for (const url of [
    ...["", " ", "example.com", "//example.com", "/path", "ftp://example.com", "file:///etc/passwd", "mailto:a@b.c"],
    ...[
      "javascript:alert(1)",
      "data:image/png;base64,AAAA",
      "http:",
      "http://",
      "http:///x",
      "https:/example.com",
      "https//a",
    ],
    ...[
      " https://example.com",
      "https://example.com ",
      "https://example.com/a b",
      "https://example.com/\n",
      "https://a\u0000",
    ],
    ...[
      "https://example.com/<b>",
      'https://example.com/"',
      "https://exam ple.com",
      "https://example.com:port/",
      "https://%zz",
    ],
    ...[
      "https://user:pass@example.com/",
      "https://@example.com/",
      "https://example.com:65536/",
      "https://example.com:/",
      "https://../",
      "https://./",
      "https://a..b/",
      "https://.a/",
      "https://example.com/\u00a0",
      "https://example.com/\u200b",
      "https://example.com/\u202e",
      "https://[fe80::1%25eth0]/",
      "https://[zz]/",
      "https://?x",
      "https://#",
      "https://a\\b",
    ],
  ]) {
    const { status, body } = await send(url);
    expect(status, JSON.stringify(url)).toBe(400);
    expect(body.details[0], JSON.stringify(url)).toMatchObject({ in: "body", at });
  }
});

test.each([
  ["ftp://example.com", "must begin with http:// or https://"],
  ["https://ada@example.com", "user name or password"],
  ["https://example.com:70000", 'the port "70000"'],
  ["https://../a", 'the host ".."'],
  ["https://[::zz]/", '"[::zz]"'],
  ["https://example.com/a b", 'the character " " (U+0020) in the path'],
  ["https://example.com/?a=<b>", 'the character "<" (U+003C) in the query'],
  ["https://example.com/100%", '"%" in the path'],
])("C-ERR-1: what is wrong with the URL %s is named: %s", async (url, named) => {
  const { body } = await onProject({ projectUrl: url });
  expect(body.details).toEqual([{ in: "body", at: "/projectUrl", message: expect.stringContaining(named) }]);
});

test("C-BOUND-1: an international URL is stored as sent", async () => {
  const projectUrl = "https://ja.wikipedia.org/wiki/\u6771\u4eac?q=caf\u00e9";
  expect((await onProject({ projectUrl })).body.projectUrl).toBe(projectUrl);
});

test("C-BOUND-1: at most 10 screenshots, 50 bugs and 50 resolved items are accepted", async () => {
  const many = (length: number, item: unknown) => Array.from({ length }, () => item);
  const url = "https://example.com";
  expect((await onProject({ screenshots: many(10, url) })).body.screenshots).toHaveLength(10);
  expectFault(await onProject({ screenshots: many(11, url) }), "/screenshots");
  const bug = { description: "a", severity: "low" };
  const full = await onFeedback({ bugs: many(50, bug) });
  expect(full.body.bugs).toHaveLength(50);
  expectFault(await onFeedback({ bugs: many(51, bug) }), "/bugs");
  const resolvedItems = full.body.bugs.map(({ id }: { id: string }) => id);
  const reply = (items: unknown[]) =>
    ada.post(`/feedback/${full.body.id}/reply`, { message: "All.", resolvedItems: items });
  expect((await reply(resolvedItems)).body.developerResponse.resolvedItems).toEqual(resolvedItems);
  expectFault(await reply([...resolvedItems, resolvedItems[0]]), "/resolvedItems");
});

test.each(["minTesters", "maxTesters"])("C-BOUND-1: %s must be from 1 to 10,000", async (name) => {
  const send = (number: unknown) => onProject({ testingRequirements: { [name]: number } });
  for (const number of [1, 2, 10_000, null]) expect((await send(number)).body.testingRequirements[name]).toBe(number);
  for (const number of [0, -1, 10_001, 1.5, 2 ** 31, 1e21, "5", true]) {
    const { status, body } = await send(number);
    expect(status, String(number)).toBe(400);
    expect(body.details[0].at).toBe(`/testingRequirements/${name}`);
  }
});

test("C-BOUND-1: minTesters must not exceed maxTesters, in a creation and in a change", async () => {
  const send = (minTesters: number | null, maxTesters: number | null) =>
    onProject({ testingRequirements: { minTesters, maxTesters } });
  for (const [least, most] of [
    [1, 1],
    [1, 10_000],
    [5, null],
    [null, 5],
  ] as const) {
    expect((await send(least, most)).status).toBe(201);
  }
  expectFault(await send(2, 1), "/testingRequirements");
  const testingRequirements = { minTesters: 10_000, maxTesters: 9_999 };
  expectFault(await ada.patch(`/projects/${project}`, { testingRequirements }), "/testingRequirements");
});
