import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listen } from "../../src/cli/listen.ts";
import type { Caller } from "../harness/caller.ts";
import { selfSigned } from "../harness/certificate.ts";
import { sendText } from "../harness/raw.ts";
import { startServer, type TestServer } from "../harness/server.ts";

const allowances = { free: 100_000, pro: 100_000, team: 100_000 };
const config = { allowances, addressAllowance: 100_000, trustedProxies: 0, maxConnections: 10, maxBodyBytes: 2 ** 21 };

let server: TestServer;
let ada: Caller;
beforeAll(async () => {
  server = await startServer({ config });
  ada = await server.account();
});
afterAll(() => server.stop());

const request = (...lines: string[]) => `${lines.join("\r\n")}\r\n\r\n`;

/** The parts of a response that was received as text. */
function parse(text: string): { status: number; headers: Headers; body: Record<string, unknown> } {
  const [head = "", body = ""] = text.split("\r\n\r\n");
  const [first = "", ...lines] = head.split("\r\n");
  const headers = new Headers(lines.map((line) => line.split(": ", 2) as [string, string]));
  return { status: Number(first.split(" ")[1]), headers, body: JSON.parse(body) };
}

function expectCommonHeaders(headers: Headers): void {
  for (const name of ["Limit", "Remaining", "Reset"]) expect(headers.get(`X-RateLimit-${name}`)).toMatch(/^\d+$/);
  expect(headers.get("X-Request-Id")).toMatch(/\S/);
  expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
  expect(headers.get("Cache-Control")).toBe("no-store");
  expect(headers.get("Connection")).toBe("close");
}

describe("S-RATE-1 C-ERR-1 C-ERR-4: a request that Koa never sees gets the headers of every response", () => {
  test.each([
    ["two Host headers", request("GET /v1/projects HTTP/1.1", "Host: a", "Host: b")],
    ["two equal Host headers", request("GET /v1/projects HTTP/1.1", "Host: a", "HOST: a")],
    ["two Host headers by HTTP/1.0", request("GET /v1/projects HTTP/1.0", "Host: a", "Host: a")],
    ["an invalid Host header", request("GET /v1/projects HTTP/1.1", "Host: a/b")],
    ["a Host header with a space", request("GET /v1/projects HTTP/1.1", "Host: a b")],
    ["no Host header", request("GET /v1/projects HTTP/1.1", "Accept: */*")],
    ["no HTTP at all", "what is this\r\n\r\n"],
    ["a malformed header", request("GET /v1/projects HTTP/1.1", "Host: a", "no colon")],
    ["two lengths", request("POST /v1/projects HTTP/1.1", "Host: a", "Content-Length: 1", "Content-Length: 2")],
  ])("400 for %s", async (_, text) => {
    const { status, headers, body } = parse(await sendText(server.origin, text));
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: "Bad Request", code: "invalid_request", details: [{ in: "header" }] });
    expectCommonHeaders(headers);
  });

  test("431 for headers that are too large", async () => {
    const text = request("GET /v1/projects HTTP/1.1", "Host: a", `X-Large: ${"x".repeat(20_000)}`);
    const { status, headers, body } = parse(await sendText(server.origin, text));
    expect(status).toBe(431);
    expect(body).toMatchObject({ error: "Request Header Fields Too Large", code: "invalid_request" });
    expectCommonHeaders(headers);
  });

  test.each(["Host: [::1]:3000", "Host: example.com", "Host: 127.0.0.1:80", "Host:"])("not for %s", async (host) => {
    const text = await sendText(server.origin, request("GET /v1/projects HTTP/1.1", host, "Connection: close"));
    expect(text).toMatch(/^HTTP\/1.1 401 /);
  });

  test("they are counted and logged, with the client's address", async () => {
    await sendText(server.origin, request("GET / HTTP/1.1", "Host: a", "Host: b"));
    expect(server.logged.some((line) => /"status":400.*"address":".*127\.0\.0\.1".*malformed request/.test(line))).toBe(
      true,
    );
    const metrics = await server.service.registry.metrics();
    expect(metrics).toMatch(/project_feedback_requests_total\{operation="none",status="400"\} [1-9]/);
  });
});

describe("a slow client gets 408", () => {
  /** Sends text piece by piece, one each 500 ms, until the server responds. */
  async function trickle(start: string, piece: string): Promise<{ text: string; seconds: number }> {
    const { hostname, port } = new URL(server.origin);
    const began = performance.now();
    const socket = connect(Number(port), hostname, () => socket.write(start));
    let text = "";
    socket.setEncoding("utf8").on("data", (part) => {
      text += part;
    });
    socket.on("error", () => undefined);
    const timer = setInterval(() => socket.writable && socket.write(piece), 500);
    await once(socket, "data");
    const seconds = (performance.now() - began) / 1_000;
    await once(socket, "close");
    clearInterval(timer);
    return { text, seconds };
  }

  test.concurrent("whose headers take more than 10 s", async () => {
    const { text, seconds } = await trickle("GET /v1/projects HTTP/1.1\r\nHost: a\r\n", "X-A: b\r\n");
    const { status, headers } = parse(text);
    expect(status).toBe(408);
    expectCommonHeaders(headers);
    expect(seconds).toBeGreaterThan(9.5);
    expect(seconds).toBeLessThan(13);
  });

  test.concurrent("whose body takes more than 30 s", async () => {
    const start = request(
      "POST /v1/projects HTTP/1.1",
      `Host: a`,
      `Authorization: Bearer ${ada.key}`,
      "Content-Type: application/json",
      "Content-Length: 1000",
    );
    const { text, seconds } = await trickle(start, " ");
    expect(parse(text).status).toBe(408);
    expect(seconds).toBeGreaterThan(29);
    expect(seconds).toBeLessThan(33);
  });

  test.concurrent("but no second response, where the first was sent before the body was", async () => {
    const start = request("POST /v1/projects HTTP/1.1", "Host: a", "Content-Length: 1000");
    const { text } = await trickle(start, " ");
    expect(text).toMatch(/^HTTP\/1.1 401 /);
    expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
  });
});

test("past its connections the server responds 503 with Retry-After, and again as before when some are closed", async () => {
  const { hostname, port } = new URL(server.origin);
  const idle: Socket[] = [];
  for (let each = 0; each < 10; each += 1) {
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    idle.push(socket);
  }
  const get = request("GET /v1/projects HTTP/1.1", "Host: a");
  const { status, headers, body } = parse(await sendText(server.origin, get));
  expect(status).toBe(503);
  expect(Number(headers.get("Retry-After"))).toBeGreaterThan(0);
  expect(body.error).toBe("Service Unavailable");
  expectCommonHeaders(headers);
  // A probe must not take a busy server for a dead one.
  expect(await sendText(server.origin, request("GET /healthz HTTP/1.1", "Host: a"))).toMatch(/^HTTP\/1.1 200 /);
  for (const socket of idle) socket.destroy();
  await sleep(100);
  expect((await ada.get("/projects")).status).toBe(200);
});

test("past the bytes of bodies the server responds 503 with Retry-After, and again as before when some have come", async () => {
  const open = async (length: number) => {
    const { hostname, port } = new URL(server.origin);
    const socket = connect(Number(port), hostname);
    const lines = ["POST /v1/projects HTTP/1.1", "Host: a", `Authorization: Bearer ${ada.key}`];
    socket.write(request(...lines, "Content-Type: application/json", `Content-Length: ${length}`));
    await sleep(100);
    return socket;
  };
  const slow = [await open(2 ** 20), await open(2 ** 20 - 10)];
  const body = { title: "A", description: "B", category: "web" };
  const refused = await ada.post("/projects", body);
  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect((await ada.get("/projects")).status).toBe(200);
  for (const socket of slow) socket.destroy();
  await sleep(100);
  expect((await ada.post("/projects", body)).status).toBe(201);
});

describe("the secure headers", () => {
  test("are on every response of v1, and HSTS only over TLS", async () => {
    for (const path of ["/projects", "/nothing"]) {
      const { headers } = await ada.get(path);
      expect(headers.get("Cache-Control")).toBe("no-store");
      expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(headers.get("Strict-Transport-Security")).toBeNull();
    }
  });

  test("have HSTS over TLS, on malformed requests too", async () => {
    const tls = selfSigned();
    const listener = await listen(server.service, { host: "127.0.0.1", port: 0, tls });
    const ask = async (...lines: string[]) => {
      const socket = connectTls({ host: "127.0.0.1", port: listener.port, ca: tls.cert });
      let text = "";
      socket.setEncoding("utf8").on("data", (part) => {
        text += part;
      });
      socket.write(request(...lines));
      await once(socket, "close");
      return text;
    };
    const hsts = /\r\nStrict-Transport-Security: max-age=31536000\r\n/;
    expect(await ask("GET /v1/projects HTTP/1.1", "Host: a", "Connection: close")).toMatch(hsts);
    expect(await ask("GET /v1/projects HTTP/1.1", "Host: a", "Host: b")).toMatch(hsts);
    await listener.close();
  });
});
