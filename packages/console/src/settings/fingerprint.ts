import type { Models } from "../shared/api.ts";

/** How a key is recognized: its first characters and its last four. */
export function fingerprint({ prefix, ending }: Pick<Models["Key"], "prefix" | "ending">): string {
  return `${prefix}…${ending ?? ""}`;
}
