import type { AccountOperations as Contract } from "@project-feedback/spec";
import type { AccountOperationId } from "../contract/contract.ts";
import type { BodyOf, JsonOf, ParametersOf, SuccessOf } from "../contract/operation-types.ts";
import type { Account } from "../domain/account.ts";
import type { NewId } from "../domain/feedback.ts";
import type { SessionClient, SignedIn } from "../domain/session.ts";
import type { AccountStore } from "../store/account-store.ts";
import type { OidcClient } from "./oidc-client.ts";

/** The operations that need no session. */
export type PublicOperationId =
  | "getSignInChoices"
  | "signInWithLink"
  | "createSignInOptions"
  | "signInWithPasskey"
  | "startOidcSignIn"
  | "finishOidcSignIn";

/** The cookies of a browser: its session, and a sign-in by OpenID Connect that it has begun. */
export type CookieName = "session" | "oidc";

/** A cookie that a response sets. */
export interface Cookie {
  readonly name: CookieName;
  /** Empty to remove it. */
  readonly value: string;
  readonly maxAgeMs: number;
}

/** Input of any operation, already checked against the contract. */
export interface AccountCall {
  readonly caller: SignedIn | null;
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  readonly client: SessionClient;
  readonly cookies: Readonly<Record<CookieName, string | undefined>>;
  /** Origin of the pages, such as `https://feedback.example.com`: that of PUBLIC_URL, else localhost. */
  readonly origin: string;
  /** Whether the browser is at that origin. */
  readonly isAtOrigin: boolean;
  /** Path and query of the request, as they were sent. */
  readonly target: string;
}

/** Input of an operation, with the types of the contract and the defaults of the query. */
export type AccountInput<Id extends AccountOperationId> = Omit<AccountCall, "caller" | "path" | "query" | "body"> & {
  readonly caller: Id extends PublicOperationId ? SignedIn | null : SignedIn;
  readonly path: ParametersOf<Contract[Id], "path">;
  readonly query: ParametersOf<Contract[Id], "query">;
  readonly body: BodyOf<Contract[Id]>;
};

/** Output of an operation: a status of the contract that is no error, with its body. */
export type AccountOutput<Id extends AccountOperationId> = {
  [Status in SuccessOf<Contract[Id]>]: {
    readonly status: Status;
    readonly body: JsonOf<Contract[Id]["responses"][Status]>;
    readonly cookies?: readonly Cookie[];
    readonly cause?: unknown;
  } & (Status extends 303 ? { readonly location: string } : unknown);
}[SuccessOf<Contract[Id]>];

/** What any operation returns. */
export interface AccountReply {
  readonly status: number;
  readonly body: unknown;
  readonly location?: string;
  readonly cookies?: readonly Cookie[];
  /** Why it failed, for the log, of a failure that is no error response. */
  readonly cause?: unknown;
}

/** The window in which the requests of an account's keys are counted. */
export interface Window {
  readonly limit: number;
  readonly remaining: number;
  /** Null if none has begun. */
  readonly resetsAt: Date | null;
}

/** What operations need besides the store. */
export interface AccountDependencies {
  readonly now: () => Date;
  readonly newId: NewId;
  readonly windowOf: (account: Account) => Promise<Window>;
  /** Undefined where no provider is configured. */
  readonly oidc: OidcClient | undefined;
}

/** Load → decide → save → return. @throws DomainError when the request breaks a rule */
export type AccountOperation<Id extends AccountOperationId> = (
  input: AccountInput<Id>,
  store: AccountStore,
  dependencies: AccountDependencies,
) => Promise<AccountOutput<Id>>;

/** Every operation of the contract. It does not compile when one is missing. */
export type AccountOperations = { readonly [Id in AccountOperationId]: AccountOperation<Id> };
