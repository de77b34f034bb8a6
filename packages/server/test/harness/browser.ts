import { createAccount } from "../../src/cli/create-account.ts";
import { invite } from "../../src/cli/invite.ts";
import { loadAccountContract } from "../../src/contract/contract.ts";
import type { Plan, Role } from "../../src/domain/account.ts";
import type { Database } from "../../src/store/database.ts";
import type { Received } from "./caller.ts";
import { contractRequirement } from "./response-check.ts";
import type { TestServer } from "./server.ts";

const requireContract = contractRequirement(loadAccountContract({}), "/account/v1");

/** A browser at the pages of a server: it keeps cookies, and says where a request comes from. */
export class Browser {
  /** Such as `http://localhost:49152`: at an IP address there are no passkeys. */
  readonly origin: string;
  readonly cookies = new Map<string, string>();
  readonly headers: Record<string, string>;

  /** @param origin of the pages, and of the server */
  constructor(origin: string, headers: Record<string, string> = {}) {
    this.origin = origin.replace("//127.0.0.1:", "//localhost:");
    this.headers = { Origin: this.origin, "Sec-Fetch-Site": "same-origin", "User-Agent": "Test/1.0", ...headers };
  }

  get(path: string): Promise<Received> {
    return this.send("GET", path);
  }

  post(path: string, body?: unknown): Promise<Received> {
    return this.send("POST", path, body);
  }

  patch(path: string, body?: unknown): Promise<Received> {
    return this.send("PATCH", path, body);
  }

  delete(path: string): Promise<Received> {
    return this.send("DELETE", path);
  }

  /** Sends a request below /account/v1. @throws Error when the response breaks the contract */
  async send(method: string, path: string, body?: unknown, more: Record<string, string> = {}): Promise<Received> {
    const url = `${this.origin}/account/v1${path}`;
    const headers = new Headers({ ...this.headers, ...more });
    if (this.cookies.size > 0) headers.set("Cookie", [...this.cookies].map((pair) => pair.join("=")).join("; "));
    if (body !== undefined) headers.set("Content-Type", "application/json");
    const json = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(url, { method, headers, redirect: "manual", ...json });
    for (const cookie of response.headers.getSetCookie()) this.#keep(cookie);
    const text = await response.text();
    const received = { status: response.status, headers: response.headers, body: text && JSON.parse(text), text };
    requireContract(method, new URL(url).pathname, received);
    return received;
  }

  #keep(cookie: string): void {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    if (value === "") this.cookies.delete(name);
    else this.cookies.set(name, value);
  }

  /** Signs in with a new link of an account. */
  async signIn(database: Database, accountId: string): Promise<Received> {
    const { link } = await invite(database, accountId, this.origin);
    return this.post("/sign-in/link", { token: tokenOf(link) });
  }
}

/** The token in a link. */
export function tokenOf(link: string): string {
  return link.split("#link=")[1] ?? "";
}

/** A browser in which the holder of a new account has signed in. */
export async function signedIn(
  server: Pick<TestServer, "origin" | "database">,
  fields: { role?: Role; plan?: Plan; name?: string } = {},
  browser = new Browser(server.origin),
): Promise<{ browser: Browser; accountId: string }> {
  const { role = "developer", plan = "team", name = "Ada" } = fields;
  const { id: accountId } = await createAccount(server.database, { name, role, plan });
  const { status, text } = await browser.signIn(server.database, accountId);
  if (status !== 200) throw new Error(`the sign-in failed: ${text}`);
  return { browser, accountId };
}
