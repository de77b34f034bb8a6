import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const shape = /^pfs_([0-9A-Za-z]{40})([0-9A-Za-z]{6})$/;

/** The stored data of a key besides its digest. It identifies the key and cannot be used in its place (C-KEY-1). */
export interface KeyRecord {
  /** Public id, such as `key_…`. */
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** The first characters of the key, so that people recognize it. */
  readonly prefix: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

/** A CRC-32 as six base62 digits, as in GitHub's tokens. */
function checksum(secret: string): string {
  let rest = crc32(secret);
  let digits = "";
  for (let index = 0; index < 6; index += 1) {
    digits = alphabet.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/**
 * A new key: `pfs_`, 40 random base62 characters (238 bits) and 6 of checksum (C-KEY-1).
 * @param random returns an integer from 0 to its argument, exclusive
 */
export function newKey(random: (below: number) => number = randomInt): string {
  const secret = Array.from({ length: 40 }, () => alphabet.charAt(random(62))).join("");
  return `pfs_${secret}${checksum(secret)}`;
}

/** Whether a text has the form and the checksum of a key. Detects a mistyped key without the database (C-KEY-1). */
export function isKey(text: string): boolean {
  const parts = shape.exec(text);
  return parts !== null && checksum(parts[1] ?? "") === parts[2];
}

/** The text with the secret part of everything that looks like a key removed. */
export function withoutKeys(text: string): string {
  return text.includes("pfs_") ? text.replaceAll(/pfs_[0-9A-Za-z]{5,}/g, "pfs_[secret]") : text;
}

/** The SHA-256 of a key, in base64url. Only this is stored of the secret (C-KEY-1). */
export function digestOf(key: string): string {
  return hash("sha256", key, "base64url");
}

/** The part of a key that may be shown. */
export function prefixOf(key: string): string {
  return key.slice(0, 8);
}
