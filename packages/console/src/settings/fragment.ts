/** What a visitor brings in the fragment of the address. */
export type Arrival =
  | { readonly kind: "link"; readonly token: string }
  | { readonly kind: "error"; readonly code: string }
  | undefined;

/**
 * Takes the one-time token or the outcome of a sign-in out of the address. Nothing of it stays in the address, nor in
 * the history (C-ACC-3).
 */
export function takeFragment(): Arrival {
  const fields = new URLSearchParams(location.hash.slice(1));
  const token = fields.get("link");
  const code = fields.get("sign-in-error");
  if (token === null && code === null) return undefined;
  history.replaceState(null, "", location.pathname);
  return token === null ? { kind: "error", code: code ?? "" } : { kind: "link", token };
}
