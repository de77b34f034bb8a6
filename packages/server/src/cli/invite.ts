import type { Config } from "../config.ts";
import { newSecret } from "../domain/secret.ts";
import type { Database } from "../store/database.ts";
import { OneTimeTokens } from "../store/one-time-tokens.ts";

/** A link can be used for so long, in milliseconds: one hour (C-ACC-2). */
const linkMs = 3_600_000;

/** A one-time sign-in link. Only the digest of its token is stored. */
export interface Invitation {
  readonly link: string;
  readonly expiresAt: Date;
}

/** Origin of the pages: PUBLIC_URL, else localhost, for an IP address cannot have passkeys. */
export function pageOrigin({ publicUrl, tls }: Pick<Config, "publicUrl" | "tls">, port: number): string {
  return publicUrl ?? `${tls ? "https" : "http"}://localhost:${port}`;
}

/** Creates a sign-in link. Its token stands in the fragment, which browsers send to nobody (C-ACC-3). */
export async function invite(database: Database, accountId: string, origin: string): Promise<Invitation> {
  const token = newSecret("pfl_");
  const expiresAt = new Date(Date.now() + linkMs);
  await new OneTimeTokens(database).put("link", token, { accountId }, expiresAt);
  return { link: `${origin}/settings#link=${token}`, expiresAt };
}
