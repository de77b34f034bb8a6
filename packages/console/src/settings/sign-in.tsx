import { type PublicKeyCredentialRequestOptionsJSON, startAuthentication } from "@simplewebauthn/browser";
import { useEffect, useState } from "preact/hooks";
import { answer, api, type Models } from "../shared/api.ts";
import { messageOf } from "../shared/problem.ts";
import { passkeyProblem } from "./passkey-problem.ts";
import { Alert } from "./ui.tsx";

interface SignInProps {
  readonly notice: string | undefined;
  readonly onSignedIn: (account: Models["Account"]) => void;
}

/** The ways to sign in. None of them has a password. */
export function SignIn({ notice, onSignedIn }: SignInProps) {
  const [ways, setWays] = useState<Models["SignInChoices"]>();
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const run = async (work: () => Promise<void>) => {
    setBusy(true);
    setProblem(undefined);
    await work().catch((thrown) => setProblem(messageOf(thrown)));
    setBusy(false);
  };
  const load = () => run(async () => setWays(await answer(api.GET("/sign-in"))));
  useEffect(() => void load(), []);

  const withPasskey = async () => {
    const options = await answer(api.POST("/sign-in/passkey/options"));
    const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON;
    const credential = await startAuthentication({ optionsJSON }).catch((thrown) => {
      throw passkeyProblem(thrown);
    });
    onSignedIn(await answer(api.POST("/sign-in/passkey", { body: { credential } })));
  };
  const withProvider = async () => {
    const { url } = await answer(api.POST("/sign-in/oidc"));
    location.assign(url);
  };

  return (
    <section aria-labelledby="sign-in">
      <h2 id="sign-in">Sign in</h2>
      {notice && (
        <p class="notice" role="status">
          {notice}
        </p>
      )}
      <Alert message={problem}>
        {!ways && (
          <button type="button" onClick={load}>
            Try again
          </button>
        )}
      </Alert>
      {ways && (
        <>
          <p class="actions">
            {ways.passkey && (
              <button type="button" class="primary" disabled={busy} onClick={() => run(withPasskey)}>
                Sign in with a passkey
              </button>
            )}
            {ways.oidc && (
              <button type="button" disabled={busy} onClick={() => run(withProvider)}>
                Sign in with {new URL(ways.oidc.issuer).host}
              </button>
            )}
          </p>
          {!ways.passkey && (
            <p>
              Passkeys do not work at this address. Open <a href={ways.settingsUrl}>{ways.settingsUrl}</a> to use one.
            </p>
          )}
        </>
      )}
      <h3>The first time: a sign-in link</h3>
      <p>
        The first start of the server prints a link for each demo account, or writes it to demo-keys.env in its data
        folder. Your operator makes others, which are valid for one hour and once; “accounts list” shows the IDs:
      </p>
      <pre>
        <code>npx -y pnpm@12 -s project-feedback accounts invite --account ID</code>
      </pre>
      <p>Open the link in this browser.</p>
    </section>
  );
}
