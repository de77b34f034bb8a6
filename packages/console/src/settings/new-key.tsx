import { useRef, useState } from "preact/hooks";
import type { Models } from "../shared/api.ts";
import { Dialog } from "./ui.tsx";

/** Shows a key, this once. */
export function NewKey({ of: { name, key }, onClose }: { of: Models["NewKey"]; onClose: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  const [said, setSaid] = useState("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(key);
      setSaid("Copied.");
    } catch {
      // Browsers give the clipboard to secure origins alone, and users may refuse it.
      field.current?.select();
      setSaid("The browser did not allow that. The key is selected: copy it with Ctrl-C or Cmd-C.");
    }
  };
  return (
    <Dialog title="Copy your key now" mustAnswer onClose={onClose}>
      {(close) => (
        <>
          <p>
            This is the only time that the key <strong>{name}</strong> is shown. It cannot be retrieved later, only
            replaced by a new one.
          </p>
          <label class="field">
            Key
            <input
              ref={field}
              class="secret"
              readOnly
              value={key}
              autocomplete="off"
              spellcheck={false}
              onFocus={(event) => event.currentTarget.select()}
            />
          </label>
          <p class="actions">
            <button type="button" class="primary" onClick={copy}>
              Copy the key
            </button>
            <button type="button" onClick={close}>
              I have stored it
            </button>
            <span role="status">{said}</span>
          </p>
        </>
      )}
    </Dialog>
  );
}
