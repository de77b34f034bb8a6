import { writeFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { ConfigError, misspelledVariables, readConfig, variables } from "../src/config.ts";
import { freshFolder } from "./harness/processes.ts";

test("S-RATE-2 C-RATE-3: by default the plans have the allowances of the interface, and the server listens on loopback", () => {
  expect(readConfig({})).toMatchObject({
    host: "127.0.0.1",
    port: 3000,
    allowances: { free: 100, pro: 1_000, team: 10_000 },
    addressAllowance: 1_000,
    workers: 1,
    trustedProxies: 0,
    demo: true,
  });
});

test("C-RATE-1: ALLOWANCES replaces only the allowances of the plans that it names", () => {
  const { allowances } = readConfig({ ALLOWANCES: "free=200, team=1000000" });
  expect(allowances).toEqual({ free: 200, pro: 1_000, team: 1_000_000 });
});

test.each([
  ["PORT", { PORT: "99999" }],
  ["PORT", { PORT: "http" }],
  ["HOST", { HOST: "0.0.0.0" }],
  ["HOST", { HOST: "example.com" }],
  ["TLS_KEY", { TLS_CERT: "cert.pem" }],
  ["TLS_CERT", { TLS_KEY: "key.pem" }],
  ["TLS_CERT", { TLS_CERT: "missing/cert.pem", TLS_KEY: "missing/key.pem" }],
  ["TRUST_PROXY", { TRUST_PROXY: "yes" }],
  ["CORS_ORIGINS", { CORS_ORIGINS: "app.example.com" }],
  ["CORS_ORIGINS", { CORS_ORIGINS: "https://app.example.com/path" }],
  ["CORS_ORIGINS", { CORS_ORIGINS: "https://app.example.com,*" }],
  ["CORS_ORIGINS", { CORS_ORIGINS: "file:///srv" }],
  ["WORKERS", { WORKERS: "0" }],
  ["WORKERS", { WORKERS: "1e1" }],
  ["MONGODB_URI", { MONGODB_URI: "postgres://db" }],
  ["LOG_LEVEL", { LOG_LEVEL: "loud" }],
  ["OTEL_EXPORTER_OTLP_ENDPOINT", { OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" }],
  ["ALLOWANCES", { ALLOWANCES: "gold=1" }],
  ["ALLOWANCES", { ALLOWANCES: "team=0" }],
  ["ALLOWANCES", { ALLOWANCES: "team" }],
  ["ADDRESS_ALLOWANCE", { ADDRESS_ALLOWANCE: "-1" }],
  ["DRAIN_SECONDS", { DRAIN_SECONDS: "1.5" }],
  ["DEMO", { DEMO: "maybe" }],
  ["MAX_CONNECTIONS", { MAX_CONNECTIONS: "0" }],
  ["MAX_BODY_MB", { MAX_BODY_MB: "0.5" }],
  ["MONGODB_URI_FILE", { MONGODB_URI_FILE: "missing/uri" }],
  ["SIGN_IN_ALLOWANCE", { SIGN_IN_ALLOWANCE: "0" }],
  ["OIDC_CLIENT_ID", { OIDC_ISSUER: "https://login.example.com" }],
  ["OIDC_CLIENT_SECRET", { OIDC_ISSUER: "https://login.example.com", OIDC_CLIENT_ID: "a" }],
  ["OIDC_ISSUER", { OIDC_CLIENT_ID: "a", OIDC_CLIENT_SECRET: "b" }],
  ["OIDC_ISSUER", { OIDC_ISSUER: "http://login.example.com", OIDC_CLIENT_ID: "a", OIDC_CLIENT_SECRET: "b" }],
  ["OIDC_ISSUER", { OIDC_ISSUER: "login.example.com", OIDC_CLIENT_ID: "a", OIDC_CLIENT_SECRET: "b" }],
  [
    "OIDC_CLIENT_SECRET_FILE",
    { OIDC_ISSUER: "https://a.example", OIDC_CLIENT_ID: "a", OIDC_CLIENT_SECRET_FILE: "none" },
  ],
  ["OIDC_SIGN_UP", { OIDC_SIGN_UP: "yes" }],
])("S-BASE-2: an invalid setting is rejected by name: %s in %j", (name, environment) => {
  const read = () => readConfig(environment);
  expect(read).toThrow(ConfigError);
  // One sentence on what is wrong and one on what to do.
  expect(read).toThrow(new RegExp(`${name}.*\\. \\S+.*\\.`));
});

test.each([
  [{}, "loopback"],
  [{ HOST: "0.0.0.0", TRUST_PROXY: "1" }, []],
  [{ TRUST_PROXY: "1" }, []],
  [{ CORS_ORIGINS: "none" }, []],
  [{ CORS_ORIGINS: "*" }, "*"],
  [
    { CORS_ORIGINS: "https://App.example.com, http://localhost:5173/" },
    ["https://app.example.com", "http://localhost:5173"],
  ],
])("C-CORS-1: the settings %j allow the origins %j", (environment, origins) => {
  expect(readConfig(environment).corsOrigins).toEqual(origins);
});

test("an empty setting is ignored", () => {
  expect(readConfig({ PORT: " ", MONGODB_URI: "" })).toMatchObject({ port: 3000, mongodbUri: undefined });
});

test("C-ACC-2: without settings of OpenID Connect there is no provider, and with all of them there is one", () => {
  expect(readConfig({})).toMatchObject({ oidc: undefined, signInAllowance: 100 });
  const folder = freshFolder();
  writeFileSync(`${folder.path}/secret`, "hush\n");
  const given = { OIDC_ISSUER: "https://login.example.com/realm", OIDC_CLIENT_ID: "feedback" };
  const oidc = { issuer: "https://login.example.com/realm", clientId: "feedback", clientSecret: "hush" };
  expect(readConfig({ ...given, OIDC_CLIENT_SECRET: "hush" }).oidc).toEqual({ ...oidc, signUp: true });
  const file = { OIDC_CLIENT_SECRET_FILE: `${folder.path}/secret`, OIDC_SIGN_UP: "0" };
  expect(readConfig({ ...given, ...file }).oidc).toEqual({ ...oidc, signUp: false });
  expect(() => readConfig({ ...given, ...file, OIDC_CLIENT_SECRET: "hush" })).toThrow(/both set/);
  folder.remove();
});

test("every setting is explained", () => {
  for (const meaning of Object.values(variables)) expect(meaning).toMatch(/\.$/);
});

test("demo accounts are the default for the embedded database on plain loopback alone", () => {
  expect(readConfig({}).demo).toBe(true);
  expect(readConfig({ MONGODB_URI: "mongodb://db/name" }).demo).toBe(false);
  expect(readConfig({ TRUST_PROXY: "1" }).demo).toBe(false);
  expect(readConfig({ MONGODB_URI: "mongodb://db/name", DEMO: "1" }).demo).toBe(true);
});

describe("MONGODB_URI_FILE", () => {
  const folder = freshFolder();
  afterAll(() => folder.remove());
  const file = `${folder.path}/uri`;
  const uri = "mongodb://user:secret@db/name?replicaSet=rs0";

  test("has the address of the database, without the white space around it", () => {
    writeFileSync(file, `${uri}\n`);
    expect(readConfig({ MONGODB_URI_FILE: file })).toMatchObject({ mongodbUri: uri, demo: false });
  });

  test("is refused beside MONGODB_URI, where it cannot be read, and where it has no address", () => {
    expect(() => readConfig({ MONGODB_URI_FILE: file, MONGODB_URI: uri })).toThrow(/both set/);
    expect(() => readConfig({ MONGODB_URI_FILE: `${file}.none` })).toThrow(/^MONGODB_URI_FILE names .*ENOENT/);
    writeFileSync(file, "the password is secret\n");
    expect(() => readConfig({ MONGODB_URI_FILE: file })).toThrow(/^MONGODB_URI_FILE does not hold a MongoDB address/);
    // Its content may be a secret.
    expect(() => readConfig({ MONGODB_URI_FILE: file })).not.toThrow(/secret/);
    writeFileSync(file, "");
    expect(() => readConfig({ MONGODB_URI_FILE: file })).toThrow(ConfigError);
  });
});

test.each([
  ["WORKER", "WORKERS"],
  ["workers", "WORKERS"],
  ["PROT", "PORT"],
  ["MONGO_URI", "MONGODB_URI"],
  ["MONGODB_URL", "MONGODB_URI"],
  ["LOGLEVEL", "LOG_LEVEL"],
  ["TLS_CERTS", "TLS_CERT"],
  ["DRAIN_SECOND", "DRAIN_SECONDS"],
  ["MAX_CONECTIONS", "MAX_CONNECTIONS"],
])("a variable that is nearly a setting is found: %s for %s", (name, meant) => {
  expect(misspelledVariables({ [name]: "1" })).toEqual([{ name, meant }]);
});

test("variables of other programs are not taken for misspelled settings", () => {
  const others = [
    "HOME",
    "HOSTNAME",
    "PATH",
    "PWD",
    "TERM",
    "USER",
    "SHELL",
    "TMPDIR",
    "NODE_ENV",
    "LANG",
    "MAIL",
    "MODE",
  ];
  const environment = Object.fromEntries([...others, ...Object.keys(variables)].map((name) => [name, "1"]));
  expect(misspelledVariables(environment)).toEqual([]);
});
