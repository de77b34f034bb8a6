import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { type Ask, type Fields, fieldsOf, type Keys, type WireRequest, type WireResponse } from "../wire.ts";
import { Allowances } from "./allowances.ts";
import { type Choices, defaults } from "./choices.ts";
import { newId } from "./forms.ts";
import { route } from "./handlers.ts";
import type { Account, Feedback, Project } from "./records.ts";
import { Refusal } from "./refusal.ts";

/** A server of the interface in memory, which makes whatever legal choices it is given. It listens on no socket. */
export class ExampleServer {
  readonly choices: Choices;
  readonly projects: Project[] = [];
  readonly feedback: Feedback[] = [];
  readonly accounts: readonly Account[];
  readonly keys: Keys;
  readonly #allowances: Allowances;
  #served = 0;

  constructor(choices: Partial<Choices> = {}) {
    this.choices = { ...defaults, ...choices };
    this.#allowances = new Allowances(this.choices);
    const { keys, accounts, allowances, ids } = this.choices;
    const account = (name: "developer" | "tester" | "spare", role: Account["role"]): Account => ({
      id: accounts[name] ?? newId("acc", ids),
      role,
      key: keys[name] ?? `key_${randomBytes(20).toString("base64url")}A1b`,
      allowance: allowances[name],
    });
    const [developer, tester, spare] = [
      account("developer", "developer"),
      account("tester", "tester"),
      account("spare", "developer"),
    ];
    const other = {
      ...account("developer", "developer"),
      key: `other_${randomBytes(20).toString("base64url")}`,
      id: newId("acc", ids),
    };
    this.accounts = [developer, tester, spare, other];
    this.keys = { developer: developer.key, tester: tester.key, spare: spare.key, otherDeveloper: other.key };
  }

  now = 0;

  /** Adds projects of another developer, in every status and category. */
  crowd(count: number): void {
    const owner = this.accounts[3] as Account;
    for (let n = 0; n < count; n += 1) {
      this.projects.push({
        id: newId("prj", this.choices.ids),
        owner,
        fields: {
          title: `Somebody's project ${n}`,
          description: "It was here before.",
          category: ["web", "mobile", "desktop", "other"][n % 4],
        },
        status: ["active", "completed", "archived"][n % 3] as string,
        created: Date.now() - 86_400_000 + n * 1000,
        updated: Date.now() - 86_400_000 + n * 1000,
        views: 0,
        deleted: false,
      });
    }
  }

  readonly ask: Ask = async (request) => {
    if (this.choices.delay > 0) await pause(this.choices.delay);
    return this.#respond(request);
  };

  /** Performs a request as an account, without counting it: for what a mutant does on the side. */
  perform(request: WireRequest, account: Account): WireResponse {
    return this.#perform(request, account);
  }

  #respond(request: WireRequest): WireResponse {
    const { choices } = this;
    const [scheme, key] = (request.headers.authorization ?? "").split(/ (.*)/s);
    const account = /^bearer$/i.test(scheme ?? "") ? this.accounts.find((one) => one.key === key) : undefined;
    if (!account) {
      const headers = choices.headersWithoutKey
        ? { "x-ratelimit-limit": "1000", "x-ratelimit-remaining": "999", "x-ratelimit-reset": "3600" }
        : {};
      return json(401, { error: "Unauthorized", message: "Invalid or missing API key" }, headers);
    }
    this.#served += 1;
    const { unavailableEvery } = choices;
    if (unavailableEvery > 0 && this.#served % unavailableEvery === 0)
      return { status: 503, headers: { "retry-after": "0", "content-type": "text/plain" }, body: "Try again." };
    const { admitted, headers } = this.#allowances.take(account.id, account.allowance, request);
    if (!admitted) {
      const body = { error: "Refused", message: "The allowance is used up." };
      return json(choices.exhausted, body, choices.retryAfter ? { ...headers, "retry-after": "3600" } : headers);
    }
    const response = this.#perform(request, account);
    const counted = response.status < 400 || choices.refusalsCount;
    const told = counted ? headers : this.#allowances.giveBack(account.id, account.allowance, request);
    return { ...response, headers: { ...response.headers, ...told } };
  }

  #perform(request: WireRequest, account: Account): WireResponse {
    const { choices } = this;
    this.now = Date.now();
    try {
      if (typeof request.body === "string") throw new Refusal("invalid", "The body is not JSON.");
      const { created, body } = route(this, request, account, fieldsOf(request.body));
      return json(created ? choices.created : choices.success, body);
    } catch (error) {
      if (error instanceof Refusal) return this.#refusal(error);
      throw error;
    }
  }

  #refusal({ kind, message }: Refusal): WireResponse {
    const status = this.choices[kind];
    if (this.choices.refusalBody === "empty") return { status, headers: {}, body: undefined };
    if (this.choices.refusalBody === "object") return json(status, { error: "Refused", message });
    return {
      ...json(status, { type: "about:blank", title: message, status }),
      headers: { "content-type": "application/problem+json" },
    };
  }
}

const json = (status: number, body: Fields, headers: Record<string, string> = {}): WireResponse => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  // A response shares nothing with what the server keeps.
  body: structuredClone(body),
});
