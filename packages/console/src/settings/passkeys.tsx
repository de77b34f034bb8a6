import { type PublicKeyCredentialCreationOptionsJSON, startRegistration } from "@simplewebauthn/browser";
import { useState } from "preact/hooks";
import { answer, api, type Models } from "../shared/api.ts";
import { FormDialog, NameField } from "./key-dialogs.tsx";
import { passkeyProblem } from "./passkey-problem.ts";
import { useAction, useLoaded } from "./session.ts";
import { Alert, Section, Show, Time } from "./ui.tsx";

const load = async () => {
  const [{ data }, ways] = await Promise.all([answer(api.GET("/passkeys")), answer(api.GET("/sign-in"))]);
  return { passkeys: data, ways };
};

/** The passkeys of the account, which sign in without a link. */
export function Passkeys() {
  const loaded = useLoaded(load);
  const action = useAction();
  const [adding, setAdding] = useState(false);
  const [notice, setNotice] = useState("");
  const done = async (message: string) => {
    setNotice(message);
    await loaded.reload();
  };
  const remove = ({ id, name }: Models["Passkey"]) =>
    action.run(async () => {
      await answer(api.DELETE("/passkeys/{id}", { params: { path: { id } } }));
      await done(`The passkey ${name} is removed.`);
    });
  return (
    <Section title="Passkeys">
      <Show of={loaded}>
        {({ passkeys, ways }) => (
          <>
            {passkeys.length === 0 && (
              <p class="notice">
                Add a passkey, and this device or your password manager signs you in from now on. Without one, each
                sign-in needs another link or your provider.
              </p>
            )}
            {ways.passkey ? (
              <p class="actions">
                <button type="button" onClick={() => setAdding(true)}>
                  Add a passkey
                </button>
              </p>
            ) : (
              <p>
                Passkeys do not work at this address. Open <a href={ways.settingsUrl}>{ways.settingsUrl}</a> to add one.
              </p>
            )}
            <ul class="cards" aria-label="Passkeys">
              {passkeys.map((passkey) => (
                <li key={passkey.id}>
                  <h3>{passkey.name}</h3>
                  <dl>
                    <div>
                      <dt>Added</dt>
                      <dd>
                        <Time at={passkey.createdAt} />
                      </dd>
                    </div>
                    <div>
                      <dt>Last used</dt>
                      <dd>{passkey.lastUsedAt ? <Time at={passkey.lastUsedAt} /> : "never"}</dd>
                    </div>
                    <div>
                      <dt>Kept</dt>
                      <dd>{passkey.backedUp ? "in a backup of its provider" : "on its device alone"}</dd>
                    </div>
                  </dl>
                  <p class="actions">
                    <button
                      type="button"
                      class="danger"
                      aria-label={`Remove ${passkey.name}`}
                      disabled={action.busy}
                      onClick={() => remove(passkey)}
                    >
                      Remove
                    </button>
                  </p>
                </li>
              ))}
            </ul>
          </>
        )}
      </Show>
      <p role="status">{notice}</p>
      <Alert message={action.problem} />
      {adding && <AddPasskey onClose={() => setAdding(false)} onDone={done} />}
    </Section>
  );
}

function AddPasskey({ onClose, onDone }: { onClose: () => void; onDone: (message: string) => Promise<void> }) {
  const [name, setName] = useState("");
  const add = async () => {
    const options = await answer(api.POST("/passkeys/options"));
    const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON;
    const credential = await startRegistration({ optionsJSON }).catch((thrown) => {
      throw passkeyProblem(thrown);
    });
    const added = await answer(api.POST("/passkeys", { body: { name: name.trim(), credential } }));
    await onDone(`The passkey ${added.name} is added. It signs you in from now on.`);
  };
  return (
    <FormDialog title="Add a passkey" submit="Add" onClose={onClose} work={add}>
      <p>Your browser asks where to keep it, and for your fingerprint, face or code.</p>
      <NameField value={name} onChange={setName} hint="The device or the password manager that keeps it." />
    </FormDialog>
  );
}
