import { useState } from "preact/hooks";
import { answer, api, type Models } from "../shared/api.ts";
import { useAction, useLoaded, useSession } from "./session.ts";
import { Alert, Section, Show, Time } from "./ui.tsx";

const load = () => answer(api.GET("/sessions"));

/** How a session began; a later server may name other ways. */
const methods: Readonly<Record<string, string>> = {
  link: "sign-in link",
  passkey: "passkey",
  oidc: "sign-in provider",
};

/** Where this account is signed in. */
export function Sessions() {
  const sessions = useLoaded(load);
  const action = useAction();
  const { onSignedOut } = useSession();
  const [notice, setNotice] = useState("");
  const end = ({ id, current }: Models["Session"]) =>
    action.run(async () => {
      await answer(api.DELETE("/sessions/{id}", { params: { path: { id } } }));
      if (current) return onSignedOut("You are signed out.");
      await sessions.reload();
      setNotice("The session has ended.");
    });
  return (
    <Section title="Sessions">
      <p>The browsers in which this account is signed in. A session ends after 12 idle hours, and after 7 days.</p>
      <p role="status">{notice}</p>
      <Alert message={action.problem} />
      <Show of={sessions}>
        {({ data }) => (
          <ul class="cards" aria-label="Sessions">
            {data.map((session) => (
              <li key={session.id}>
                <h3>{session.current ? "This browser" : "Another browser"}</h3>
                <p class="muted">{session.userAgent}</p>
                <dl>
                  <div>
                    <dt>Signed in</dt>
                    <dd>
                      <Time at={session.createdAt} /> by {methods[session.method] ?? session.method}
                    </dd>
                  </div>
                  <div>
                    <dt>Last seen</dt>
                    <dd>
                      <Time at={session.lastSeenAt} /> from {session.network}
                    </dd>
                  </div>
                  <div>
                    <dt>Ends</dt>
                    <dd>
                      <Time at={session.expiresAt} />, or later if it is used before
                    </dd>
                  </div>
                </dl>
                <p class="actions">
                  <button type="button" class="danger" disabled={action.busy} onClick={() => end(session)}>
                    {session.current ? "End this session" : "End that session"}
                  </button>
                </p>
              </li>
            ))}
          </ul>
        )}
      </Show>
    </Section>
  );
}
