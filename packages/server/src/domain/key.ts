import { randomInt } from "node:crypto";
import { crc32 } from "node:zlib";
import { DomainError } from "./errors.ts";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const shape = /^pfs_([0-9A-Za-z]{40})([0-9A-Za-z]{6})$/;

/** Most live keys of an account (C-KEY-3). */
export const maxLiveKeys = 20;

/** Longest that a key lives on after its rotation, in days (C-KEY-3). */
export const maxKeepDays = 7;

/** Longest time until a key expires, in days. */
export const maxKeyDays = 3_650;

/** Longest name of a key, in characters. */
export const maxNameLength = 100;

const dayMs = 86_400_000;

/** The stored data of a key besides its digest. It identifies the key and cannot be used in its place (C-KEY-1). */
export interface KeyRecord {
  /** Public id, such as `key_…`. */
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** The first characters of the key, so that people recognize it. */
  readonly prefix: string;
  /** Its last four characters; null in a key that a server before 1.1 made. */
  readonly ending: string | null;
  readonly createdAt: Date;
  /** When it becomes an invalid key; null if never (C-KEY-3). */
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  /** Network of its last use: a /24 of IPv4 or a /64 of IPv6. */
  readonly lastUsedFrom: string | null;
  readonly revokedAt: Date | null;
  /** Id of the key that a rotation made in its place. */
  readonly replacedBy: string | null;
}

/** What a new key is made with. */
export interface KeyInput {
  readonly name: string;
  /** Days until it expires; null for a key that does not. */
  readonly expiresInDays: number | null;
}

/** A new key: the record to store, and the key itself, which is stored nowhere (S-AUTH-3, C-KEY-1). */
export interface CreatedKey {
  readonly record: KeyRecord;
  readonly key: string;
}

/** Creates a key. */
export function createKey({ name, expiresInDays }: KeyInput, accountId: string, id: string, now: Date): CreatedKey {
  const expiresAt = expiresInDays === null ? null : new Date(now.getTime() + expiresInDays * dayMs);
  return keyWith({ id, accountId, name, expiresAt, createdAt: now });
}

/**
 * Creates the next key in place of another: with its name, and an expiry as far off as that of the old one was (C-KEY-3).
 * @throws DomainError `key_not_live` for a key that cannot be used, or was replaced before
 */
export function replaceKey(old: KeyRecord, id: string, now: Date): CreatedKey {
  if (old.replacedBy) throw notLive("was replaced before");
  if (!isLive(old, now)) throw notLive(old.revokedAt ? "is revoked already" : "has expired");
  const lifetime = old.expiresAt && old.expiresAt.getTime() - old.createdAt.getTime();
  const expiresAt = lifetime === null ? null : new Date(now.getTime() + lifetime);
  return keyWith({ id, accountId: old.accountId, name: old.name, expiresAt, createdAt: now });
}

/** When a replaced key ends: after some days, and never later than it would have. */
export function endOfReplaced({ expiresAt }: KeyRecord, keepDays: number, now: Date): Date {
  const end = now.getTime() + keepDays * dayMs;
  return new Date(expiresAt ? Math.min(end, expiresAt.getTime()) : end);
}

/** Whether a key can be used. */
export function isLive({ revokedAt, expiresAt }: Pick<KeyRecord, "revokedAt" | "expiresAt">, now: Date): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > now);
}

/** The error of a key that cannot be replaced. */
export function notLive(why: string): DomainError {
  return new DomainError("key_not_live", `The key ${why}. Create a new one.`);
}

/** The error of an account that has as many keys as it may have (C-KEY-3). */
export function tooManyKeys(): DomainError {
  const message = `The account has ${maxLiveKeys} live keys, the most it may have. Revoke one that is no longer needed.`;
  return new DomainError("key_limit", message);
}

function keyWith(fields: Pick<KeyRecord, "id" | "accountId" | "name" | "expiresAt" | "createdAt">): CreatedKey {
  const key = newKey();
  const unused = { lastUsedAt: null, lastUsedFrom: null, revokedAt: null, replacedBy: null };
  return { key, record: { ...fields, prefix: prefixOf(key), ending: key.slice(-4), ...unused } };
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

/** The part of a key that may be shown. */
export function prefixOf(key: string): string {
  return key.slice(0, 8);
}
