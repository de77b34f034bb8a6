import { useCallback, useEffect, useState } from "preact/hooks";
import { answer, api, type Models } from "../shared/api.ts";
import { messageOf, Problem } from "../shared/problem.ts";
import { AccountHead } from "./account-head.tsx";
import { type Arrival, takeFragment } from "./fragment.ts";
import { Keys } from "./keys.tsx";
import { Passkeys } from "./passkeys.tsx";
import { RoleChoice } from "./role-choice.tsx";
import { Session } from "./session.ts";
import { Sessions } from "./sessions.tsx";
import { SignIn } from "./sign-in.tsx";
import { Alert } from "./ui.tsx";
import { Usage } from "./usage.tsx";

type State =
  | { readonly phase: "loading" }
  | { readonly phase: "failed"; readonly message: string }
  | { readonly phase: "signed-out"; readonly notice?: string }
  | { readonly phase: "signed-in"; readonly account: Models["Account"] };

const loading: State = { phase: "loading" };

const signInErrors: Readonly<Record<string, string>> = {
  oidc_failed: "The provider did not sign you in, or its answer was not valid. Start the sign-in again here.",
  oidc_unavailable: "The provider cannot be reached. Try again in a minute, or use another way to sign in.",
  sign_up_disabled: "There is no account for you here, and new ones are not open. Ask your operator for an account.",
  account_disabled: "Your account is disabled. Ask your operator.",
};

/** The API settings: the sign-in, or the account. */
export function App({ arrival }: { readonly arrival: Arrival }) {
  const [state, setState] = useState<State>(loading);

  const enter = useCallback(async (from: Arrival) => {
    setState(loading);
    setState(await stateFor(from));
  }, []);
  useEffect(() => {
    void enter(arrival);
    // A link that is opened in a tab that shows this page changes the fragment alone.
    const onHashChange = () => {
      const next = takeFragment();
      if (next) void enter(next);
    };
    addEventListener("hashchange", onHashChange);
    return () => removeEventListener("hashchange", onHashChange);
  }, [arrival, enter]);

  const onSignedIn = useCallback((account: Models["Account"]) => setState({ phase: "signed-in", account }), []);
  const onSignedOut = useCallback((notice: string) => setState({ phase: "signed-out", notice }), []);

  if (state.phase === "loading") return <p role="status">Loading…</p>;
  if (state.phase === "failed") {
    return (
      <Alert message={state.message}>
        <button type="button" onClick={() => void enter(undefined)}>
          Try again
        </button>
      </Alert>
    );
  }
  if (state.phase === "signed-out") return <SignIn notice={state.notice} onSignedIn={onSignedIn} />;
  const { account } = state;
  return (
    <Session.Provider value={{ account, onAccount: onSignedIn, onSignedOut }}>
      <AccountHead />
      {account.role === null ? (
        <RoleChoice />
      ) : (
        <>
          <Keys />
          <Usage />
          <Passkeys />
          <Sessions />
        </>
      )}
    </Session.Provider>
  );
}

async function stateFor(arrival: Arrival): Promise<State> {
  try {
    const account =
      arrival?.kind === "link"
        ? await answer(api.POST("/sign-in/link", { body: { token: arrival.token } }))
        : await answer(api.GET("/account"));
    return { phase: "signed-in", account };
  } catch (thrown) {
    const code = thrown instanceof Problem ? thrown.code : undefined;
    if (code === "not_signed_in") {
      const notice = arrival?.kind === "error" ? (signInErrors[arrival.code] ?? signInErrors.oidc_failed) : undefined;
      return { phase: "signed-out", ...(notice && { notice }) };
    }
    // The visitor has no session with this link, and may have another way in.
    if (arrival?.kind === "link" && code !== undefined) return { phase: "signed-out", notice: messageOf(thrown) };
    return { phase: "failed", message: messageOf(thrown) };
  }
}
