import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { run, serve } from "../harness/processes.ts";
import { password, type SecuredMongod, startSecuredMongod } from "../harness/secured-mongod.ts";

let mongod: SecuredMongod;
beforeAll(async () => {
  mongod = await startSecuredMongod();
});
afterAll(() => mongod?.remove());

const uri = (user: string, secret = password, options = "") =>
  `mongodb://${user}:${secret}@${mongod.host}/feedback?directConnection=true${options}`;

const refused = {
  "a wrong password": () => [uri("writer", "wrong-password"), "password"],
  "an unknown user": () => [uri("nobody"), "user"],
  "a wrong authSource": () => [uri("writer", password, "&authSource=admin"), "authSource"],
  "no user": () => [`mongodb://${mongod.host}/feedback?directConnection=true`, "authSource"],
  "a user who may only read": () => [uri("reader"), "readWrite"],
  "a user of another database": () => [uri("writer").replace("/feedback?", "/other?authSource=feedback&"), "readWrite"],
} as const;

describe.each(Object.keys(refused) as (keyof typeof refused)[])("MONGODB_URI with %s", (name) => {
  test.each<[string, string[], Record<string, string>?]>([
    ["serve", ["serve"]],
    ["serve with workers", ["serve"], { WORKERS: "2" }],
    ["serve --check", ["serve", "--check"]],
    ["a command", ["accounts", "list"]],
  ])("ends %s with exit code 3, one sentence and a remedy", async (_, args, settings = {}) => {
    const [address = "", remedy = ""] = refused[name]();
    const { code, stderr, stdout } = await run(args, {
      MONGODB_URI: address,
      PORT: "0",
      LOG_LEVEL: "silent",
      ...settings,
    });
    expect(stderr).toMatch(/^\S.*\bMONGODB_URI\b.*\)\. \S.*\.\n$/);
    expect(stderr).toContain(remedy);
    expect(stderr).not.toMatch(/\n\s+at /);
    expect(stderr + stdout).not.toContain(password);
    expect(stderr + stdout).not.toContain("wrong-password");
    expect(code).toBe(3);
  });
});

test("a user with readWrite on the one database is enough", async () => {
  const settings = { MONGODB_URI: uri("writer"), LOG_LEVEL: "info" };
  const check = await run(["serve", "--check"], settings);
  expect(check).toEqual({ code: 0, stdout: "The settings and the database can be used.\n", stderr: "" });
  const server = await serve(settings);
  server.signal("SIGINT");
  expect(await server.exited).toBe(0);
});
