import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import type { Loaded } from "./session.ts";

/** What went wrong, and what to do. */
export function Alert({ message, children }: { message: string | undefined; children?: ComponentChildren }) {
  return (
    <div role="alert" class={message ? "alert" : undefined}>
      {message && <p>{message}</p>}
      {message && children}
    </div>
  );
}

/** A part of the page with a heading. */
export function Section({ title, children }: { title: string; children: ComponentChildren }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

/** What was loaded, or why it was not. */
export function Show<Data>({ of, children }: { of: Loaded<Data>; children: (data: Data) => ComponentChildren }) {
  return (
    <>
      <Alert message={of.problem}>
        <button type="button" onClick={() => void of.reload()}>
          Try again
        </button>
      </Alert>
      {of.data === undefined ? !of.problem && <p>Loading…</p> : children(of.data)}
    </>
  );
}

interface DialogProps {
  readonly title: string;
  /** Whether only a button of the dialog closes it, and not the Escape key. */
  readonly mustAnswer?: boolean;
  readonly onClose: () => void;
  readonly children: (close: () => void) => ComponentChildren;
}

/** A modal dialog. The browser keeps the focus in it, and puts it back where it was. */
export function Dialog({ title, mustAnswer = false, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => element.current?.showModal(), []);
  return (
    <dialog
      ref={element}
      aria-labelledby={id}
      onClose={onClose}
      onCancel={(event) => mustAnswer && event.preventDefault()}
      onKeyDown={(event) => mustAnswer && event.key === "Escape" && event.preventDefault()}
    >
      <h2 id={id}>{title}</h2>
      {children(() => element.current?.close())}
    </dialog>
  );
}

const full = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

/** A moment in the visitor's own time zone. */
export function Time({ at }: { at: string }) {
  return <time dateTime={at}>{full.format(new Date(at))}</time>;
}
