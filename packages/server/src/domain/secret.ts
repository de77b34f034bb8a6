import { hash, randomBytes } from "node:crypto";

/** The secrets of this service, by their first characters: API keys, one-time links, and values of cookies. */
export type SecretPrefix = "pfs_" | "pfl_" | "pfc_";

/** A secret of 256 random bits in base64url, with a prefix that tells it in a log. */
export function newSecret(prefix: Exclude<SecretPrefix, "pfs_">): string {
  return prefix + randomBytes(32).toString("base64url");
}

/** The SHA-256 of a secret, in base64url. Only this is stored (C-KEY-1, C-ACC-2). */
export function digestOf(secret: string): string {
  return hash("sha256", secret, "base64url");
}

/** The text with the secret part of everything that looks like a secret removed. */
export function withoutSecrets(text: string): string {
  if (!text.includes("pfs_") && !text.includes("pfl_") && !text.includes("pfc_")) return text;
  return text.replaceAll(/(pf[slc]_)[\w-]{5,}/g, "$1[secret]");
}
