import { accountOperations } from "./account/index.ts";
import type { AccountCall, AccountDependencies, AccountReply } from "./account/operation.ts";
import type { AccountOperationId, Contract, ContractOperation } from "./contract/contract.ts";
import { networkOf } from "./domain/network.ts";
import type { SessionClient, SignedIn } from "./domain/session.ts";
import type { ByteBudget } from "./http/byte-budget.ts";
import { addressSubject } from "./http/client-address.ts";
import type { Context } from "./http/context.ts";
import { readCookie, setCookie } from "./http/cookies.ts";
import { HttpError } from "./http/http-error.ts";
import { type RateLimits, spend } from "./http/rate-limit.ts";
import { readBody } from "./http/read-body.ts";
import { accountBasePath, respond } from "./http/response.ts";
import { createRouter } from "./http/router.ts";
import { accountHeaders } from "./http/secure-headers.ts";
import { requireOwnOrigin, siteOf } from "./http/site.ts";
import { validate } from "./http/validate.ts";
import type { AccountStore } from "./store/account-store.ts";

/** What the account's own interface may spend: none of it is v1's (C-ACC-1). */
export interface AccountLimits extends Pick<RateLimits, "spend" | "peek" | "addressLimit"> {
  /** Requests an hour of an account that is signed in. */
  readonly accountLimit: number;
  /** Sign-in attempts an hour, for each client address. */
  readonly signInLimit: number;
}

/** The parts of the account's own interface. */
export interface AccountParts {
  readonly contract: Contract<AccountOperationId>;
  readonly limits: AccountLimits;
  readonly execute: (operation: AccountOperationId, call: AccountCall) => Promise<AccountReply>;
  readonly findSession: (secret: string, client: SessionClient) => Promise<SignedIn | null>;
  /** Address at which browsers reach the server; undefined where they are on this machine. */
  readonly publicUrl: string | undefined;
}

/** Longest `User-Agent` that a session keeps, in characters. */
const maxUserAgentLength = 300;
/** What a sign-in waits for a provider of OpenID Connect, in milliseconds: two of its answers. */
const providerTimeoutMs = 10_000;

/** The operations that try to sign in. */
const attempts: ReadonlySet<AccountOperationId> = new Set([
  "signInWithLink",
  "createSignInOptions",
  "signInWithPasskey",
  "startOidcSignIn",
  "finishOidcSignIn",
]);

/** Every stage of a request to the account's own interface, in order. */
export function createAccountHandler(parts: AccountParts, bodyBudget: ByteBudget): (ctx: Context) => Promise<void> {
  const { contract, publicUrl, limits } = parts;
  const documentPath = "/account/openapi.json";
  const operations = contract.operations.values();
  const findRoute = createRouter({ operations, basePath: accountBasePath, documentPath });

  return async (ctx) => {
    const { state } = ctx;
    ctx.set(accountHeaders);
    const site = siteOf(ctx, publicUrl);
    requireOwnOrigin(ctx, site, publicUrl); // 403
    const { operation, path } = findRoute(ctx.method, ctx.path); // 404, 405
    state.operation = operation;
    const client = { network: networkOf(ctx.ip), userAgent: ctx.get("User-Agent").slice(0, maxUserAgentLength) };
    const cookies = { session: readCookie(ctx, "session", site), oidc: readCookie(ctx, "oidc", site) };
    const found = cookies.session === undefined ? null : parts.findSession(cookies.session, client);
    const caller = found && (await state.deadline.race(found));
    if (caller) state.signedInAccount = caller.account.id;
    await spendAllowance(ctx, operation, caller, limits); // 429
    if (!operation.isPublic && !caller) throw notSignedIn(); // 401
    const sent = await readBody(ctx, operation, bodyBudget); // 413, 415, 400, 503
    const { query, body } = validate(operation, ctx.querystring, ctx.headers, sent); // 400
    if (operation.id.includes("Oidc")) state.deadline.extend(providerTimeoutMs);
    const call = { caller, path, query, body, client, cookies, target: ctx.url, ...site };
    const reply = await state.deadline.race(parts.execute(operation.id, call)); // 404, 403, 409, 503
    state.cause = reply.cause;
    for (const { name, value, maxAgeMs } of reply.cookies ?? []) setCookie(ctx, name, value, maxAgeMs, site);
    const headers: Record<string, string> = reply.location === undefined ? {} : { Location: reply.location };
    const json = reply.body === undefined ? "" : JSON.stringify(reply.body);
    respond(ctx, { status: reply.status, headers, body: json });
    // Else Koa would send the reason phrase.
    if (json === "") ctx.body = "";
  };
}

/** Executes the operations of the account's own interface. */
export function createAccountExecute(store: AccountStore, dependencies: AccountDependencies): AccountParts["execute"] {
  type AnyOperation = (
    call: AccountCall,
    store: AccountStore,
    dependencies: AccountDependencies,
  ) => Promise<AccountReply>;
  // The types of the operation come from the contract that the call was checked against.
  return (id, call) => (accountOperations[id] as unknown as AnyOperation)(call, store, dependencies);
}

async function spendAllowance(
  ctx: Context,
  { id }: ContractOperation<AccountOperationId>,
  caller: SignedIn | null,
  limits: AccountLimits,
): Promise<void> {
  const address = addressSubject(ctx.ip);
  if (attempts.has(id)) await spend(ctx, limits, `sign-in ${address}`, limits.signInLimit);
  else if (caller) await spend(ctx, limits, caller.account.id, limits.accountLimit);
  else await spend(ctx, limits, address, limits.addressLimit);
}

function notSignedIn(): HttpError {
  const message = "You are not signed in, or your session has ended. Sign in again.";
  return new HttpError("Unauthorized", message, { code: "not_signed_in", headers: { "WWW-Authenticate": "Cookie" } });
}
