import type { AccountComponents, AccountPaths } from "@project-feedback/spec";
import createClient from "openapi-fetch";
import { Problem, unreachable } from "./problem.ts";

/** The models of the account interface. */
export type Models = AccountComponents["schemas"];

/** The account interface, with the session of this browser. */
export const api = createClient<AccountPaths>({ baseUrl: "/account/v1", credentials: "same-origin" });

interface Answer<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/**
 * What a request answers.
 *
 * @throws Problem that says what to do
 */
export async function answer<Data>(request: Promise<Answer<Data>>): Promise<Data> {
  // The request has failed before there was a response: fetch tells no more than that.
  const { data, error, response } = await request.catch(() => {
    throw unreachable();
  });
  if (response.ok && data !== undefined) return data;
  throw Problem.of(response, error);
}
