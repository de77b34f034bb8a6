import { describe, expect, test } from "vitest";
import { type RawInit, sendRaw } from "../harness/raw.ts";
import { aProject } from "../harness/samples.ts";
import { useServer } from "../harness/server.ts";

const app = "https://app.example.com";
const allowances = { free: 5, pro: 1_000, team: 100_000 };
const config = { allowances, addressAllowance: 10, trustedProxies: 0 };
const server = await useServer({ config: { ...config, corsOrigins: [app, "https://admin.example.com"] } });
const open = await useServer({ config: { ...config, corsOrigins: "*" } });
const local = await useServer({ config: { ...config, corsOrigins: "loopback" } });
const closed = await useServer({ config });

const preflight = (origin: string, method = "POST"): RawInit => ({
  headers: [
    ...["Origin", origin, "Access-Control-Request-Method", method],
    ...["Access-Control-Request-Headers", "authorization,content-type,idempotency-key,if-match"],
  ],
});
const ask = (to: typeof server, origin: string, method?: string) =>
  sendRaw(to.stranger(), "OPTIONS", "/v1/projects", preflight(origin, method));
const read = async (to: typeof server, origin: string) => {
  const caller = await to.account();
  return sendRaw(caller, "GET", "/v1/projects", { headers: ["Origin", origin] });
};

describe("C-CORS-1: a preflight", () => {
  test.each(["GET", "POST", "PATCH", "DELETE"])(
    "of %s from a named origin is allowed, without a key",
    async (method) => {
      const { status, headers } = await ask(server, app, method);
      expect(status).toBe(204);
      expect(headers["access-control-allow-origin"]).toBe(app);
      expect(headers["access-control-allow-methods"]).toContain(method);
      expect(headers["access-control-allow-headers"]).toContain("authorization");
      expect(headers["access-control-allow-headers"]).toContain("idempotency-key");
      expect(Number(headers["access-control-max-age"])).toBeGreaterThan(0);
      expect(headers.vary).toMatch(/Origin/);
      expect(headers["access-control-allow-credentials"]).toBeUndefined();
    },
  );

  test("spends no allowance, whatever its origin", async () => {
    for (let count = 0; count < 15; count++) {
      expect((await ask(server, app)).status).toBe(204);
      expect((await ask(server, "https://elsewhere.example")).status).toBe(204);
    }
    const { status, headers } = await sendRaw(server.stranger(), "GET", "/v1/projects");
    expect([status, headers["x-ratelimit-remaining"]]).toEqual([401, "9"]);
  });

  test("from another origin gets no permission", async () => {
    for (const origin of [
      "https://elsewhere.example",
      "null",
      "https://app.example.com.evil.example",
      "http://app.example.com",
    ]) {
      expect((await ask(server, origin)).headers["access-control-allow-origin"]).toBeUndefined();
    }
    expect((await ask(closed, app)).headers["access-control-allow-origin"]).toBeUndefined();
  });
});

describe("C-CORS-1: a response", () => {
  test("to a named origin says so and exposes its headers, never with credentials", async () => {
    const { status, headers } = await read(server, app);
    expect(status).toBe(200);
    expect(headers["access-control-allow-origin"]).toBe(app);
    expect(headers.vary).toMatch(/Origin/);
    expect(headers["access-control-allow-credentials"]).toBeUndefined();
    const exposed = String(headers["access-control-expose-headers"]).toLowerCase().split(",");
    expect(exposed.map((name) => name.trim()).sort()).toEqual(
      [
        "deprecation",
        "etag",
        "idempotency-replayed",
        "link",
        "location",
        "ratelimit",
        "ratelimit-policy",
        "retry-after",
        "sunset",
        "x-ratelimit-limit",
        "x-ratelimit-remaining",
        "x-ratelimit-reset",
        "x-request-id",
      ].sort(),
    );
  });

  test("to another origin, or to none, does not, and both vary by origin", async () => {
    for (const { headers } of [await read(server, "https://elsewhere.example"), await read(closed, app)]) {
      expect(headers["access-control-allow-origin"]).toBeUndefined();
      expect(headers.vary).toMatch(/Origin/);
    }
    const caller = await server.account();
    expect((await sendRaw(caller, "GET", "/v1/projects")).headers["access-control-allow-origin"]).toBeUndefined();
  });

  test("with an error says so too: 400, 401, 404, 405 and 429", async () => {
    const caller = await server.account({ plan: "free" });
    const from = { headers: ["Origin", app] };
    const statuses = [];
    for (const [method, path] of [
      ["GET", "/v1/projects?page=0"],
      ["GET", "/v1/projects/prj_none"],
      ["PUT", "/v1/projects"],
      ["GET", "/v1/nothing"],
      ["GET", "/v1/projects"],
      ["GET", "/v1/projects"],
    ] as const) {
      const { status, headers } = await sendRaw(caller, method, path, from);
      statuses.push(status);
      expect(headers["access-control-allow-origin"]).toBe(app);
    }
    const { status, headers } = await sendRaw(server.stranger(), "GET", "/v1/projects", from);
    expect(headers["access-control-allow-origin"]).toBe(app);
    expect([...statuses, status]).toEqual([400, 404, 405, 404, 200, 429, 401]);
  });
});

test("C-CORS-1: * allows every origin, and loopback those of this machine", async () => {
  expect((await ask(open, "https://anything.example")).headers["access-control-allow-origin"]).toBe("*");
  expect((await read(open, "null")).headers["access-control-allow-origin"]).toBe("*");
  for (const origin of [
    "http://localhost:5173",
    "http://127.0.0.1:8080",
    "http://[::1]:3000",
    "https://app.localhost",
  ]) {
    expect((await ask(local, origin)).headers["access-control-allow-origin"]).toBe(origin);
  }
  for (const origin of ["http://localhost.example.com", "http://192.168.0.2", "null", "http://127.0.0.1.example.com"]) {
    expect((await ask(local, origin)).headers["access-control-allow-origin"]).toBeUndefined();
  }
});

test("C-CORS-1: only what is below /v1 is for pages, and OPTIONS that is no preflight is as before", async () => {
  const health = await sendRaw(open.stranger(), "GET", "/healthz", { headers: ["Origin", app] });
  expect(health.headers.vary).not.toMatch(/Origin/);
  const caller = await open.account();
  const project = await aProject(caller);
  const { status } = await sendRaw(caller, "OPTIONS", `/v1/projects/${project.id}`, { headers: ["Origin", app] });
  expect(status).toBe(405);
});
