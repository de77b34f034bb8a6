import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { createSecureContext } from "node:tls";
import leven from "leven";
import type { OidcSettings } from "./account/oidc-client.ts";
import { type Plan, plans } from "./domain/account.ts";
import type { CorsOrigins } from "./http/cors.ts";

/** Every setting, checked and frozen. Durations are in milliseconds unless named otherwise. */
export interface Config {
  readonly host: string;
  readonly port: number;
  /** Certificate chain and private key, PEM; undefined where the server speaks plain HTTP. */
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  /** Proxies in front whose X-Forwarded-For is trusted; 0 for none. */
  readonly trustedProxies: number;
  /** Address at which clients reach the server, for contracts, links, passkeys and cookies; undefined on this machine. */
  readonly publicUrl: string | undefined;
  /** Origins whose pages may call the service (C-CORS-1). */
  readonly corsOrigins: CorsOrigins;
  readonly workers: number;
  /** Undefined where the embedded database is to be used. */
  readonly mongodbUri: string | undefined;
  readonly dataDir: string;
  readonly logLevel: (typeof logLevels)[number];
  /** Requests an hour for each plan (S-RATE-2). */
  readonly allowances: Readonly<Record<Plan, number>>;
  /** Requests an hour without a valid key, for each client address (C-RATE-3). */
  readonly addressAllowance: number;
  /** Sign-in attempts an hour, for each client address (C-ACC-2). */
  readonly signInAllowance: number;
  /** The provider of OpenID Connect; undefined for none. */
  readonly oidc: OidcSettings | undefined;
  /** How long a stopping server goes on while it says that it is not ready. */
  readonly drainMs: number;
  /** Whether a database without accounts gets demo accounts at the start. */
  readonly demo: boolean;
  /** Whether the server sends pages for people: settings and reference. */
  readonly console: boolean;
  /** Connections of clients to each process, past which requests are refused. */
  readonly maxConnections: number;
  /** Bytes of request bodies that each process holds at once, past which requests are refused. */
  readonly maxBodyBytes: number;
  /** Whether requests are traced; OpenTelemetry reads where to. */
  readonly tracing: boolean;
}

/** The limits of each process where none are set. */
export const defaultLimits = { maxConnections: 4_000, maxBodyBytes: 64 * 2 ** 20, signInAllowance: 100 } as const;

/** A setting that cannot be used; the start ends with it. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

/** The environment variables, as help and docs list them. */
export const variables = {
  PORT: "Port to listen on; 0 for any that is free. Default: 3000.",
  HOST: "Address to listen on. Anything but loopback needs TLS_CERT and TLS_KEY, or TRUST_PROXY. Default: 127.0.0.1.",
  TLS_CERT: "File with the certificate chain, PEM. With TLS_KEY the server speaks HTTPS.",
  TLS_KEY: "File with the certificate's private key, PEM.",
  TRUST_PROXY: "Number of proxies in front that end TLS and set X-Forwarded-For. Default: 0.",
  PUBLIC_URL:
    "Address at which clients reach the server, such as https://feedback.example.com, for sign-in links, passkeys, cookies and /openapi.json. Default: http://localhost with the port.",
  CORS_ORIGINS:
    "Origins whose pages may call the service, such as https://app.example.com,https://admin.example.com; * for all, none for none. Default: loopback origins on a loopback server, else none.",
  WORKERS: "Processes that serve the port together. Default: 1.",
  MONGODB_URI:
    "Replica set or sharded cluster to use, such as mongodb://host/name?replicaSet=rs. Default: an embedded mongod.",
  MONGODB_URI_FILE: "File with the MONGODB_URI, in place of it, so that the password stays out of the environment.",
  MONGOD_BINARY: "The mongod to run as the embedded database. Default: one that is found or fetched.",
  MONGOD_CACHE_GB:
    "Memory of the embedded mongod's cache, in GB. Default: 1, or a quarter of the memory if that is less.",
  DATA_DIR: "Folder of the embedded database. Default: .data.",
  LOG_LEVEL: `One of ${logLevels.join(", ")}. Default: info.`,
  ALLOWANCES: "Requests an hour for plans, such as free=200,team=1000000. Default: free=100,pro=1000,team=10000.",
  ADDRESS_ALLOWANCE: "Requests an hour without a valid key, for each client address. Default: 1000.",
  SIGN_IN_ALLOWANCE: "Sign-in attempts an hour, for each client address. Default: 100.",
  OIDC_ISSUER:
    "Provider of OpenID Connect to sign in with, such as https://login.example.com. Needs OIDC_CLIENT_ID and OIDC_CLIENT_SECRET. Default: none.",
  OIDC_CLIENT_ID: "The client's id at the provider.",
  OIDC_CLIENT_SECRET: "The client's secret at the provider.",
  OIDC_CLIENT_SECRET_FILE: "File with the OIDC_CLIENT_SECRET, in place of it.",
  OIDC_SIGN_UP:
    "1 or 0: whether a person without an account gets one on the Free plan at the first sign-in. Default: 1.",
  DRAIN_SECONDS: "Seconds that the server goes on serving after SIGTERM, while /readyz says 503. Default: 1.",
  MAX_CONNECTIONS: "Open connections of clients to each process; requests on further ones get 503. Default: 4000.",
  MAX_BODY_MB: "MiB of request bodies that each process holds at once; further requests get 503. Default: 64.",
  CONSOLE: "1 or 0: whether the server sends the pages for people, /settings and /docs. Default: 1.",
  DEMO: "1 or 0: whether a database without accounts gets a demo developer and a demo tester. Default: 1 for the embedded database on plain loopback, else 0.",
  OTEL_EXPORTER_OTLP_ENDPOINT:
    "Address of an OpenTelemetry collector that gets traces, by OTLP over HTTP, such as http://collector:4318. Default: no tracing.",
} as const;

type Variable = keyof typeof variables;
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads and checks the settings.
 * @throws ConfigError that names the variable at fault and what it takes
 */
export function readConfig(environment: Environment): Config {
  const text = (name: Variable) => settingOf(environment, name);
  const host = text("HOST") ?? "127.0.0.1";
  const tls = readCertificate(environment);
  const trustedProxies = integer("TRUST_PROXY", text("TRUST_PROXY"), 0, 0, 16);
  if (!tls && trustedProxies === 0 && !isLoopback(host)) {
    throw new ConfigError(
      `HOST is ${host}, which others can reach, and keys must not travel in plain HTTP. ` +
        "Set TLS_CERT and TLS_KEY to serve HTTPS, or TRUST_PROXY=1 beside a proxy that does, or leave HOST at 127.0.0.1.",
    );
  }
  const mongodbUri = readUri(text("MONGODB_URI"), text("MONGODB_URI_FILE"));
  const isLocal = mongodbUri === undefined && !tls && trustedProxies === 0;
  return Object.freeze({
    host,
    port: integer("PORT", text("PORT"), 3000, 0, 65_535),
    tls,
    trustedProxies,
    publicUrl: readPublicUrl(text("PUBLIC_URL")),
    corsOrigins: readOrigins(text("CORS_ORIGINS"), isLoopback(host) && trustedProxies === 0),
    workers: integer("WORKERS", text("WORKERS"), 1, 1, 64),
    mongodbUri,
    dataDir: text("DATA_DIR") ?? ".data",
    logLevel: oneOf("LOG_LEVEL", text("LOG_LEVEL") ?? "info", logLevels),
    allowances: readAllowances(text("ALLOWANCES")),
    addressAllowance: integer("ADDRESS_ALLOWANCE", text("ADDRESS_ALLOWANCE"), 1_000, 1, 1_000_000_000),
    signInAllowance: integer(
      "SIGN_IN_ALLOWANCE",
      text("SIGN_IN_ALLOWANCE"),
      defaultLimits.signInAllowance,
      1,
      1_000_000_000,
    ),
    oidc: readOidc(text),
    drainMs: integer("DRAIN_SECONDS", text("DRAIN_SECONDS"), 1, 0, 3_600) * 1_000,
    demo: oneOf("DEMO", text("DEMO") ?? (isLocal ? "1" : "0"), ["0", "1"]) === "1",
    console: oneOf("CONSOLE", text("CONSOLE") ?? "1", ["0", "1"]) === "1",
    maxConnections: integer("MAX_CONNECTIONS", text("MAX_CONNECTIONS"), defaultLimits.maxConnections, 1, 1_000_000),
    maxBodyBytes:
      integer("MAX_BODY_MB", text("MAX_BODY_MB"), defaultLimits.maxBodyBytes / 2 ** 20, 1, 65_536) * 2 ** 20,
    tracing: readCollector(text("OTEL_EXPORTER_OTLP_ENDPOINT")) !== undefined,
  });
}

/** An empty setting is none. */
function settingOf(environment: Environment, name: Variable): string | undefined {
  return environment[name]?.trim() || undefined;
}

/** Variables that are no settings, but nearly: each with the setting that was probably meant. */
export function misspelledVariables(environment: Environment): { name: string; meant: Variable }[] {
  const settings = Object.keys(variables) as Variable[];
  return Object.keys(environment).flatMap((name) => {
    if (Object.hasOwn(variables, name)) return [];
    const upper = name.toUpperCase();
    const meant = settings.find((setting) => isNear(upper, setting));
    return meant === undefined ? [] : [{ name, meant }];
  });
}

/** One edit, or two in a long name: HOME is two edits from HOST. */
function isNear(name: string, setting: string): boolean {
  const most = setting.length < 6 ? 1 : 2;
  return leven(name, setting, { maxDistance: most + 1 }) <= most || isSwapped(name, setting);
}

/** Whether two neighbouring characters have changed places. */
function isSwapped(name: string, setting: string): boolean {
  const at = [...setting].findIndex((character, index) => character !== name[index]);
  const swapped = setting.slice(0, at) + (setting[at + 1] ?? "") + (setting[at] ?? "") + setting.slice(at + 2);
  return name === swapped;
}

function integer(name: Variable, text: string | undefined, fallback: number, least: number, most: number): number {
  if (text === undefined) return fallback;
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new ConfigError(
    `${name} is "${text}". Set it to a whole number from ${least} to ${most}, or leave it out for ${fallback}.`,
  );
}

function oneOf<Choice extends string>(name: Variable, text: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((each) => each === text);
  if (choice !== undefined) return choice;
  throw new ConfigError(`${name} is "${text}". Set it to one of ${choices.join(", ")}.`);
}

/** Whether only this machine can reach an address; `localhost` counts, other names do not. */
function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

function readOrigins(text: string | undefined, isLocal: boolean): CorsOrigins {
  if (text === undefined) return isLocal ? "loopback" : [];
  if (text === "*") return text;
  if (text === "none") return [];
  return text.split(",").map((part) => {
    const origin = part.trim();
    const url = URL.canParse(origin) ? new URL(origin) : undefined;
    if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
    throw new ConfigError(
      `CORS_ORIGINS has "${origin}". Set it to origins such as https://app.example.com, separated by commas, or to * or none.`,
    );
  });
}

/**
 * Reads the certificate and its key; undefined where none is set. They are read again on SIGHUP.
 * @throws ConfigError that names the variable at fault
 */
export function readCertificate(environment: Environment): Config["tls"] {
  const cert = settingOf(environment, "TLS_CERT");
  const key = settingOf(environment, "TLS_KEY");
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) {
    const [given, missing] = cert === undefined ? ["TLS_KEY", "TLS_CERT"] : ["TLS_CERT", "TLS_KEY"];
    throw new ConfigError(`${given} is set, but ${missing} is not. Set both to serve HTTPS, or neither.`);
  }
  const tls = { cert: readPem("TLS_CERT", cert), key: readPem("TLS_KEY", key) };
  try {
    createSecureContext(tls);
  } catch (error) {
    throw new ConfigError(
      `TLS_CERT and TLS_KEY cannot be used together (${(error as Error).message}). Set them to a certificate and its own key, not encrypted.`,
    );
  }
  return tls;
}

function readPem(name: Variable, file: string): string {
  const content = readText(name, file, "a PEM file");
  if (content.includes("-----BEGIN ")) return content;
  throw new ConfigError(`${name} names ${file}, which holds no PEM. Set it to a PEM file.`);
}

/** @param expected what the variable is to be set to */
function readText(name: Variable, file: string, expected: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { message } = error as Error;
    throw new ConfigError(`${name} names ${file}, which cannot be read (${message}). Set it to ${expected}.`);
  }
}

function readUri(uri: string | undefined, file: string | undefined): string | undefined {
  if (uri !== undefined && file !== undefined) {
    throw new ConfigError("MONGODB_URI and MONGODB_URI_FILE are both set. Set one of them, and leave the other out.");
  }
  const name = file === undefined ? "MONGODB_URI" : "MONGODB_URI_FILE";
  const given = file === undefined ? uri : readText("MONGODB_URI_FILE", file, "a file with a MongoDB address").trim();
  if (given === undefined || /^mongodb(\+srv)?:\/\/\S+$/.test(given)) return given;
  throw new ConfigError(
    `${name} does not hold a MongoDB address. Set it to ${file === undefined ? "one" : "a file with one"}, such as mongodb://host/name?replicaSet=rs.`,
  );
}

function readAllowances(text: string | undefined): Config["allowances"] {
  const allowances: Record<Plan, number> = { free: 100, pro: 1_000, team: 10_000 };
  for (const part of text?.split(",") ?? []) {
    const [name = "", figure = ""] = part.split("=").map((side) => side.trim());
    const plan = plans.find((each) => each === name);
    if (plan === undefined || !/^[1-9]\d{0,8}$/.test(figure)) {
      throw new ConfigError(
        `ALLOWANCES has "${part.trim()}". Write plans (${plans.join(", ")}) with requests an hour from 1 to 999999999, such as free=200,team=1000000.`,
      );
    }
    allowances[plan] = Number(figure);
  }
  return Object.freeze(allowances);
}

/** @throws ConfigError for anything but the origin of a URL */
function readPublicUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
  throw new ConfigError(`PUBLIC_URL is "${text}". Set it to an address such as https://feedback.example.com.`);
}

/** @throws ConfigError that names the variable at fault */
function readOidc(text: (name: Variable) => string | undefined): OidcSettings | undefined {
  const names = ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "OIDC_CLIENT_SECRET_FILE"] as const;
  const given = names.filter((name) => text(name) !== undefined);
  const signUp = oneOf("OIDC_SIGN_UP", text("OIDC_SIGN_UP") ?? "1", ["0", "1"]) === "1";
  if (given.length === 0) return undefined;
  const [issuer, clientId, secret, file] = names.map(text);
  if (secret !== undefined && file !== undefined) {
    throw new ConfigError(
      "OIDC_CLIENT_SECRET and OIDC_CLIENT_SECRET_FILE are both set. Set one, and leave out the other.",
    );
  }
  const clientSecret = file === undefined ? secret : readText("OIDC_CLIENT_SECRET_FILE", file, "a file with it").trim();
  for (const [name, value] of [
    ["OIDC_ISSUER", issuer],
    ["OIDC_CLIENT_ID", clientId],
    [file === undefined ? "OIDC_CLIENT_SECRET" : "OIDC_CLIENT_SECRET_FILE", clientSecret],
  ] as const) {
    if (!value)
      throw new ConfigError(`${given[0]} is set, but ${name} is empty or not set. Set it too, or none of them.`);
  }
  return { issuer: readIssuer(issuer ?? ""), clientId: clientId ?? "", clientSecret: clientSecret ?? "", signUp };
}

/** Codes and secrets must not travel in plain HTTP, but to a provider on this machine. */
function readIssuer(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname));
  if (isSafe && url?.search === "" && url.hash === "") return text;
  throw new ConfigError(`OIDC_ISSUER is "${text}". Set it to the issuer's address, such as https://login.example.com.`);
}

/** @throws ConfigError for anything but the address of an HTTP server */
function readCollector(text: string | undefined): string | undefined {
  if (text === undefined || (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol))) return text;
  throw new ConfigError(
    `OTEL_EXPORTER_OTLP_ENDPOINT is "${text}". Set it to an address such as http://collector:4318, or leave it out for no tracing.`,
  );
}
