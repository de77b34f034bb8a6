import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { answer, api, type Models } from "../shared/api.ts";
import { fingerprint } from "./fingerprint.ts";
import { useAction } from "./session.ts";
import { Alert, Dialog } from "./ui.tsx";

interface DialogOf {
  readonly of: Models["Key"];
  readonly onClose: () => void;
}

interface FormProps {
  readonly title: string;
  readonly submit: string;
  readonly isDangerous?: boolean;
  readonly onClose: () => void;
  readonly work: () => Promise<void>;
  readonly children: ComponentChildren;
}

/** A dialog with a form that does one thing. */
export function FormDialog({ title, submit, isDangerous = false, onClose, work, children }: FormProps) {
  const action = useAction();
  return (
    <Dialog title={title} onClose={onClose}>
      {(close) => (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void action.run(async () => {
              await work();
              close();
            });
          }}
        >
          {children}
          <Alert message={action.problem} />
          <p class="actions">
            <button type="submit" class={isDangerous ? "danger" : "primary"} disabled={action.busy}>
              {submit}
            </button>
            <button type="button" onClick={close}>
              Cancel
            </button>
          </p>
        </form>
      )}
    </Dialog>
  );
}

interface NameFieldProps {
  readonly value: string;
  readonly onChange: (name: string) => void;
  readonly hint?: string;
}

/** A name of 1 to 100 characters. */
export function NameField({ value, onChange, hint }: NameFieldProps) {
  return (
    <label class="field">
      Name
      <input
        name="name"
        required
        maxLength={100}
        autocomplete="off"
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      {hint && <span class="muted">{hint}</span>}
    </label>
  );
}

const lifetimes = [
  [null, "It does not expire"],
  [7, "After 7 days"],
  [30, "After 30 days"],
  [90, "After 90 days"],
  [365, "After a year"],
] as const;

export function CreateKey(props: { onClose: () => void; onCreated: (key: Models["NewKey"]) => void }) {
  const [name, setName] = useState("");
  const [days, setDays] = useState<number | null>(null);
  const create = async () =>
    props.onCreated(await answer(api.POST("/keys", { body: { name: name.trim(), expiresInDays: days } })));
  return (
    <FormDialog title="Create a key" submit="Create" onClose={props.onClose} work={create}>
      <NameField value={name} onChange={setName} hint="What uses the key, such as the program and its host." />
      <label class="field">
        Expiry
        <select name="expiry" onChange={(event) => setDays(Number(event.currentTarget.value) || null)}>
          {lifetimes.map(([value, text]) => (
            <option key={text} value={value ?? ""} selected={value === days}>
              {text}
            </option>
          ))}
        </select>
      </label>
    </FormDialog>
  );
}

export function RenameKey({ of: key, onClose, onDone }: DialogOf & { onDone: (message: string) => void }) {
  const [name, setName] = useState(key.name);
  const rename = async () => {
    const body = { name: name.trim() };
    await answer(api.PATCH("/keys/{id}", { params: { path: { id: key.id } }, body }));
    onDone(`The key is now named ${body.name}.`);
  };
  return (
    <FormDialog title={`Rename ${key.name}`} submit="Rename" onClose={onClose} work={rename}>
      <NameField value={name} onChange={setName} />
    </FormDialog>
  );
}

export function RotateKey({ of: key, onClose, onCreated }: DialogOf & { onCreated: (key: Models["NewKey"]) => void }) {
  const [keepDays, setKeepDays] = useState(1);
  const rotate = async () =>
    onCreated(await answer(api.POST("/keys/{id}/rotate", { params: { path: { id: key.id } }, body: { keepDays } })));
  return (
    <FormDialog title={`Rotate ${key.name}`} submit="Create the next key" onClose={onClose} work={rotate}>
      <p>
        Rotation creates the next key at once. <code>{fingerprint(key)}</code> stays valid for as long as you need to
        bring the next one everywhere.
      </p>
      <label class="field">
        Keep the present key for
        <select name="keepDays" onChange={(event) => setKeepDays(Number(event.currentTarget.value))}>
          {[0, 1, 2, 3, 4, 5, 6, 7].map((days) => (
            <option key={days} value={days} selected={days === keepDays}>
              {days === 0 ? "0 days: it ends now" : days === 1 ? "1 day" : `${days} days`}
            </option>
          ))}
        </select>
      </label>
    </FormDialog>
  );
}

export function RevokeKey({ of: key, onClose, onDone }: DialogOf & { onDone: (message: string) => void }) {
  const revoke = async () => {
    await answer(api.DELETE("/keys/{id}", { params: { path: { id: key.id } } }));
    onDone(`The key ${key.name} is revoked.`);
  };
  return (
    <FormDialog title={`Revoke ${key.name}`} submit="Revoke" isDangerous onClose={onClose} work={revoke}>
      <p>
        Within 5 seconds every request with <code>{fingerprint(key)}</code> is refused. This cannot be undone.
      </p>
    </FormDialog>
  );
}
