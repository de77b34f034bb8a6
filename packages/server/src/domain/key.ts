import { createHash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const shape = /^pfs_([0-9A-Za-z]{40})([0-9A-Za-z]{6})$/;

/** What is stored of a key beside its digest: enough to tell it from others, too little to use it (C-KEY-1). */
export interface KeyRecord {
  /** Public id, such as `key_…`. */
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** The first characters of the key, for people to recognise it. */
  readonly prefix: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

/** A CRC-32 in base62, six digits, as GitHub's tokens carry it. */
function checksum(secret: string): string {
  let rest = crc32(secret);
  let digits = "";
  for (let place = 0; place < 6; place += 1) {
    digits = alphabet.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/**
 * A new key: `pfs_`, 40 random base62 characters (238 bits) and 6 of checksum (C-KEY-1).
 * @param random answers an integer from 0 up to and without its argument
 */
export function newKey(random: (below: number) => number = randomInt): string {
  const secret = Array.from({ length: 40 }, () => alphabet.charAt(random(62))).join("");
  return `pfs_${secret}${checksum(secret)}`;
}

/** Whether this could be a key at all; tells a mistyped one without the database (C-KEY-1). */
export function isKey(text: string): boolean {
  const parts = shape.exec(text);
  return parts !== null && checksum(parts[1] ?? "") === parts[2];
}

/** The text with the secret of whatever looks like a key in it left out. */
export function withoutKeys(text: string): string {
  return text.includes("pfs_") ? text.replaceAll(/pfs_[0-9A-Za-z]{5,}/g, "pfs_[secret]") : text;
}

/** The SHA-256 of a key, base64url: all that is stored of the secret (C-KEY-1). */
export function digestOf(key: string): string {
  return createHash("sha256").update(key).digest("base64url");
}

/** The part of a key that may be shown. */
export function prefixOf(key: string): string {
  return key.slice(0, 8);
}
