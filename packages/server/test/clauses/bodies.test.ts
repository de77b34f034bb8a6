import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { expect, test, vi } from "vitest";
import { sendRaw } from "../harness/raw.ts";
import { startServer, useServer } from "../harness/server.ts";

const server = await useServer();
const ada = await server.account();

const body = '{"title":"a","description":"b","category":"web"}';
const json = ["Content-Type", "application/json"];
const create = (init: Parameters<typeof sendRaw>[3]) =>
  sendRaw(ada, "POST", "/v1/projects", { headers: json, ...init });
/** A body of exactly that many bytes. */
const ofLength = (bytes: number) => `${body.slice(0, -1)}${" ".repeat(bytes - body.length)}}`;

test.each([true, false])("C-BOUND-1: a body has at most 1 MiB, exactly; in chunks: %s", async (chunked) => {
  for (const [bytes, status] of [
    [1_048_575, 201],
    [1_048_576, 201],
    [1_048_577, 413],
    [3_000_000, 413],
  ] as const) {
    expect((await create({ body: ofLength(bytes), chunked })).status, String(bytes)).toBe(status);
  }
});

test("C-BOUND-1: the limit counts bytes, not characters", async () => {
  const text = `{"title":"a","description":"b","category":"web","x":"${"\u6771".repeat(349_510)}"}`;
  expect(text.length).toBeLessThan(1_048_576);
  expect((await create({ body: text })).status).toBe(413);
});

test("C-ERR-2: a connection stays usable after a body that is too long", async () => {
  const { hostname, port } = new URL(server.origin);
  const socket = connect(Number(port), hostname);
  let received = "";
  socket.setEncoding("utf8").on("data", (part) => {
    received += part;
  });
  const head = (length: string) =>
    `POST /v1/projects HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${ada.key}\r\nContent-Type: application/json\r\n${length}\r\n\r\n`;
  socket.write(head("Transfer-Encoding: chunked"));
  for (let sent = 0; sent < 64; sent += 1) socket.write(`10000\r\n${"x".repeat(65_536)}\r\n`);
  socket.write(`0\r\n\r\n${head(`Content-Length: ${body.length}`)}${body}`);
  await vi.waitFor(() => expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 413", "HTTP/1.1 201"]), 10_000);
  socket.destroy();
});

test.each([
  "application/json",
  "Application/JSON",
  "application/json;charset=utf-8",
  'application/json; charset="UTF-8"',
  "application/json ; charset=utf8",
  "application/json;",
  "application/json; profile=x",
])("S-BASE-3: a body of type %s is accepted", async (type) => {
  expect((await create({ headers: ["Content-Type", type], body })).status).toBe(201);
});

test.each([
  ["text/plain"],
  ["text/json"],
  ["json"],
  ["application/*"],
  ["application/jsonp"],
  ["application/json5"],
  ["application/problem+json"],
  ["application/x-www-form-urlencoded"],
  ["multipart/form-data; boundary=x"],
  ["application/json, text/plain"],
  ["application/json; charset=utf-16"],
  ["application/json; charset=iso-8859-1"],
  ["application/json; charset="],
])("S-BASE-3 C-ERR-2: a body of type %s is rejected", async (type) => {
  const { status, body: refusal } = await create({ headers: ["Content-Type", type], body });
  expect([status, refusal.error]).toEqual([415, "Unsupported Media Type"]);
});

test("S-BASE-3 C-ERR-2: a body without a type gets a 415", async () => {
  expect((await create({ headers: [], body })).status).toBe(415);
});

test("C-ERR-2: a body with a Content-Encoding other than identity gets a 415", async () => {
  for (const coding of ["gzip", "br", "deflate", "GZIP", "gzip, gzip", "x"]) {
    const sent = { headers: [...json, "Content-Encoding", coding], body: coding === "gzip" ? gzipSync(body) : body };
    expect((await create(sent)).status, coding).toBe(415);
  }
  expect((await create({ headers: [...json, "Content-Encoding", "identity"], body })).status).toBe(201);
  expect((await create({ body: gzipSync(body) })).status).toBe(400);
});

test.each([
  ["nothing", ""],
  ["white space", " \n"],
  ["half a body", body.slice(0, -1)],
  ["a body and more", `${body}x`],
  ["two bodies", body + body],
  ["JavaScript", "{title:'a'}"],
  ["a comment", `/* */${body}`],
  ["a comma too many", body.replace("}", ",}")],
  ["NaN", '{"title":NaN}'],
  ["a raw line break in a text", body.replace('"a"', '"a\nb"')],
  ["a NUL before it", `\0${body}`],
  ["a form", "title=a&description=b&category=web"],
  ["bytes that are no UTF-8", Buffer.from([...Buffer.from('{"title":"'), 0xff, ...Buffer.from('"}')])],
  ["UTF-16", Buffer.from(body, "utf16le")],
  ["an overlong NUL", Buffer.from([...Buffer.from('{"title":"'), 0xc0, 0x80, ...Buffer.from('"}')])],
])("C-ERR-2: %s is not JSON and gets a 400 about the whole body", async (_, sent) => {
  const { status, body: refusal } = await create({ body: sent });
  expect(status).toBe(400);
  expect(refusal.details).toEqual([{ in: "body", at: "", message: expect.any(String) }]);
});

test.each(["null", "[]", `[${body}]`, '"text"', "4", "true"])(
  "C-ERR-2: %s is JSON but not an object, and gets a 400",
  async (sent) => {
    for (const [method, path] of [
      ["POST", "/v1/projects"],
      ["PATCH", "/v1/projects/none"],
      ["POST", "/v1/projects/none/feedback"],
      ["PATCH", "/v1/feedback/none"],
      ["POST", "/v1/feedback/none/reply"],
    ] as const) {
      const { status, body: refusal } = await sendRaw(ada, method, path, { headers: json, body: sent });
      expect(status, `${method} ${path}`).toBe(400);
      expect(refusal.details).toEqual([{ in: "body", at: "", message: "must be an object" }]);
    }
  },
);

test("S-BASE-3: a body may begin with a byte order mark, be surrounded by white space, and escape any character", async () => {
  expect((await create({ body: `\ufeff${body}` })).status).toBe(201);
  expect((await create({ body: `\r\n\t ${body}\n\n` })).status).toBe(201);
  const escaped = '{"\\u0074itle":"\\ud83c\\udf31\\/\\u0000","description":"b","category":"w\\u0065b"}';
  expect((await create({ body: escaped })).body.title).toBe("\ud83c\udf31/\u0000");
});

test("C-STRICT-1: an operation without a body rejects one", async () => {
  const message = "is not accepted by this operation; leave it out";
  for (const [method, path] of [
    ["POST", "/v1/feedback/none/helpful"],
    ["POST", "/v1/feedback/none/approve"],
    ["DELETE", "/v1/projects/none"],
    ["GET", "/v1/projects/none"],
  ] as const) {
    for (const init of [
      { body: "{}", headers: json },
      { body: "not JSON", headers: ["Content-Type", "text/plain"] },
      { body: "{}", headers: json, chunked: true },
    ]) {
      const { status, body: refusal } = await sendRaw(ada, method, path, init);
      expect([status, refusal.details], `${method} ${path}`).toEqual([400, [{ in: "body", at: "", message }]]);
    }
    for (const init of [{}, { body: "" }, { body: "", chunked: true }, { headers: json }]) {
      expect((await sendRaw(ada, method, path, init)).status, `${method} ${path}`).toBe(404);
    }
  }
});

test.each([
  ['{"title":"a","title":"b","description":"b","category":"web"}', ["/title"]],
  ['{"title":"a","\\u0074itle":"a","description":"b","category":"web"}', ["/title"]],
  [
    '{"title":"a","description":"b","category":"web","testingRequirements":{"minTesters":1,"minTesters":1}}',
    ["/testingRequirements/minTesters"],
  ],
  ['{"a/b":1,"a/b":2,"~":[{"x":1},{"y":1,"y":2}],"~":1}', ["/a~1b", "/~0/1/y", "/~0"]],
  ['{"__proto__":1,"__proto__":2}', ["/__proto__"]],
  ['[{"a":"\\"a\\":","a" : 2}]', ["/0/a"]],
])("C-STRICT-1: %s has a member twice, and is a 400 that names it", async (sent, places) => {
  const { status, body: refusal } = await create({ body: sent });
  expect(status).toBe(400);
  expect(refusal.details).toEqual(places.map((at) => ({ in: "body", at, message: "is given twice" })));
});

test("C-STRICT-1: texts that look like members are none", async () => {
  const tricky = { title: '"title":"a"', description: '\\":{}[],"description": "', category: "web" };
  expect((await ada.post("/projects", tricky)).body).toMatchObject(tricky);
});

test("C-ERR-1: the message counts all faults, and lists 20", async () => {
  const fields = Object.fromEntries(Array.from({ length: 30 }, (_, place) => [`field${place}`, place]));
  const { body: refusal } = await ada.post("/projects", { title: "a", description: "b", category: "web", ...fields });
  expect(refusal.details).toHaveLength(20);
  expect(refusal.message).toContain("(and 29 more: see details)");
});

test.each([
  [{ title: "" }, "must have at least 1 character"],
  [{ title: " " }, "must have a visible character"],
  [{ title: 5 }, "must be a string"],
  [{ category: 5 }, "must be one of web, mobile, desktop, other"],
  [{ projectUrl: 5 }, "must be a string or null"],
])("C-ERR-1: one cause is one fault: %j", async (fields, message) => {
  const { body: refusal } = await ada.post("/projects", { title: "a", description: "b", category: "web", ...fields });
  expect(refusal.details).toEqual([{ in: "body", at: `/${Object.keys(fields)[0]}`, message }]);
});

test("C-ERR-1: a page beyond all numbers is too large", async () => {
  for (const page of ["9007199254740992", "9".repeat(400)]) {
    const { body: refusal } = await ada.get(`/projects?page=${page}`);
    const message = "must be at most 9,007,199,254,740,991";
    expect(refusal.details).toEqual([{ in: "query", at: "page", message }]);
  }
});

test("C-ERR-1: no message has a regular expression", async () => {
  const sent = { title: "a", description: "b", category: "web" };
  const { body: refusal } = await ada.post("/projects", sent, { "Idempotency-Key": "two words" });
  expect(refusal.details).toEqual([
    { in: "header", at: "idempotency-key", message: "must consist of visible ASCII characters" },
  ]);
});

test("C-ERR-2: a client that disconnects before its body is read is logged as a 400, not as a failure of the service", async () => {
  const asked = Promise.withResolvers<void>();
  const disconnected = Promise.withResolvers<void>();
  const slow = await startServer({
    adapt: (parts) => ({
      ...parts,
      async findPrincipal(key, address) {
        asked.resolve();
        await disconnected.promise;
        return parts.findPrincipal(key, address);
      },
    }),
  });
  try {
    const { key } = await slow.account();
    const { hostname, port } = new URL(slow.origin);
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST /v1/projects HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{`,
    );
    await asked.promise;
    socket.destroy();
    // Wait until the server has noticed that the connection is closed.
    setTimeout(disconnected.resolve, 200);
    await vi.waitFor(() => expect(slow.logged.some((line) => line.includes('"aborted":true'))).toBe(true), 5_000);
    const line = slow.logged.find((one) => one.includes('"aborted":true'));
    expect(line).toMatch(/"operation":"createProject".*"status":400/);
  } finally {
    await slow.stop();
  }
});
