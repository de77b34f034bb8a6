import { useCallback, useState } from "preact/hooks";
import { answer, api, type Models } from "../shared/api.ts";
import { fingerprint } from "./fingerprint.ts";
import { CreateKey, RenameKey, RevokeKey, RotateKey } from "./key-dialogs.tsx";
import { NewKey } from "./new-key.tsx";
import { useLoaded } from "./session.ts";
import { Section, Show, Time } from "./ui.tsx";

type Key = Models["Key"];
type Open = { readonly dialog: "create" } | { readonly dialog: "rename" | "rotate" | "revoke"; readonly key: Key };

const load = () => answer(api.GET("/keys"));

/** The keys of the account, and all that can be done with them. */
export function Keys() {
  const keys = useLoaded(load);
  const [open, setOpen] = useState<Open>();
  const [shown, setShown] = useState<Models["NewKey"]>();
  const [notice, setNotice] = useState("");
  const close = useCallback(() => setOpen(undefined), []);
  const done = (message: string) => {
    setNotice(message);
    void keys.reload();
  };
  const show = (key: Models["NewKey"]) => {
    setShown(key);
    done("");
  };
  return (
    <Section title="API keys">
      <p>
        A request to <code>/v1</code> carries a key. Whoever has it acts as this account, so keep it where others cannot
        read it. Each operation can be tried in the <a href="/docs">reference</a>.
      </p>
      <p class="actions">
        <button type="button" class="primary" onClick={() => setOpen({ dialog: "create" })}>
          Create a key
        </button>
        <span role="status">{notice}</span>
      </p>
      <Show of={keys}>
        {({ data, limit }) => {
          const live = data.filter(({ status }) => status === "active");
          const ended = data.filter(({ status }) => status !== "active");
          return (
            <>
              {live.length === 0 ? (
                <p>There is no key yet. Create one to send your first request.</p>
              ) : (
                <ul class="cards" aria-label="Live keys">
                  {live.map((key) => (
                    <KeyCard key={key.id} of={key} onOpen={(dialog) => setOpen({ dialog, key })} />
                  ))}
                </ul>
              )}
              <p class="muted">
                {live.length} of {limit} live keys.
              </p>
              {ended.length > 0 && (
                <details>
                  <summary>Ended keys of the last 30 days ({ended.length})</summary>
                  <ul class="cards" aria-label="Ended keys">
                    {ended.map((key) => (
                      <KeyCard key={key.id} of={key} />
                    ))}
                  </ul>
                </details>
              )}
            </>
          );
        }}
      </Show>
      {open?.dialog === "create" && <CreateKey onClose={close} onCreated={show} />}
      {open?.dialog === "rename" && <RenameKey of={open.key} onClose={close} onDone={done} />}
      {open?.dialog === "rotate" && <RotateKey of={open.key} onClose={close} onCreated={show} />}
      {open?.dialog === "revoke" && <RevokeKey of={open.key} onClose={close} onDone={done} />}
      {shown && <NewKey of={shown} onClose={() => setShown(undefined)} />}
    </Section>
  );
}

function KeyCard({ of: key, onOpen }: { of: Key; onOpen?: (dialog: "rename" | "rotate" | "revoke") => void }) {
  const end = key.revokedAt ?? key.expiresAt;
  return (
    <li>
      <h3>
        {key.name} <code>{fingerprint(key)}</code>
      </h3>
      <dl>
        <div>
          <dt>Created</dt>
          <dd>
            <Time at={key.createdAt} />
          </dd>
        </div>
        <div>
          <dt>{key.status === "revoked" ? "Revoked" : key.status === "expired" ? "Expired" : "Valid until"}</dt>
          <dd>{end ? <Time at={end} /> : "you revoke it"}</dd>
        </div>
        <div>
          <dt>Last used</dt>
          <dd>
            {key.lastUsedAt ? (
              <>
                <Time at={key.lastUsedAt} />
                {key.lastUsedFrom && ` from ${key.lastUsedFrom}`}
              </>
            ) : (
              "never"
            )}
          </dd>
        </div>
      </dl>
      {key.replacedBy && <p class="muted">A rotation has created its successor.</p>}
      {onOpen && (
        <p class="actions">
          <button type="button" aria-label={`Rename ${key.name}`} onClick={() => onOpen("rename")}>
            Rename
          </button>
          <button type="button" aria-label={`Rotate ${key.name}`} onClick={() => onOpen("rotate")}>
            Rotate
          </button>
          <button type="button" class="danger" aria-label={`Revoke ${key.name}`} onClick={() => onOpen("revoke")}>
            Revoke
          </button>
        </p>
      )}
    </li>
  );
}
