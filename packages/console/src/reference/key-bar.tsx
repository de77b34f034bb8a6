import { useEffect, useState } from "preact/hooks";
import { answer, api } from "../shared/api.ts";
import { messageOf, Problem } from "../shared/problem.ts";

type State =
  | { readonly phase: "loading" }
  | { readonly phase: "signed-out" }
  | { readonly phase: "signed-in" }
  | { readonly phase: "has-key"; readonly shown: string }
  | { readonly phase: "failed"; readonly message: string };

/** Offers a key to try operations with: to those who are signed in a new one, to others the way to sign in. */
export function KeyBar({ onKey }: { onKey: (key: string) => void }) {
  const [state, setState] = useState<State>({ phase: "loading" });
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    answer(api.GET("/account")).then(
      () => setState({ phase: "signed-in" }),
      (thrown) => setState(stateOf(thrown)),
    );
  }, []);
  const create = async () => {
    setBusy(true);
    try {
      const { key, prefix, ending } = await answer(
        api.POST("/keys", { body: { name: "API reference", expiresInDays: 1 } }),
      );
      onKey(key);
      setState({ phase: "has-key", shown: `${prefix}…${ending ?? ""}` });
    } catch (thrown) {
      setState(stateOf(thrown));
    }
    setBusy(false);
  };
  return (
    <p class="key-bar" role="status">
      {state.phase === "signed-out" && (
        <>
          To try operations here, enter a key under Authentication, or <a href="/settings">sign in</a> to get one.
        </>
      )}
      {state.phase === "signed-in" && (
        <>
          To try operations here, enter a key under Authentication, or{" "}
          <button type="button" disabled={busy} onClick={create}>
            create a key for this page
          </button>
        </>
      )}
      {state.phase === "has-key" && (
        <>
          Requests of this page carry the new key <code>{state.shown}</code>, until you leave the page. It ends in a
          day, and the <a href="/settings">API settings</a> can revoke it.
        </>
      )}
      {state.phase === "failed" && (
        <>
          {state.message} <a href="/settings">API settings</a>
        </>
      )}
    </p>
  );
}

function stateOf(thrown: unknown): State {
  if (thrown instanceof Problem && thrown.isSignedOut) return { phase: "signed-out" };
  return { phase: "failed", message: messageOf(thrown) };
}
