import { hash } from "node:crypto";
import { DomainError } from "./errors.ts";

/**
 * The strong entity tag of a record, such as `"<digest>.41-3-1-4"` (C-COND-1; RFC 9110 section 8.8.3).
 * @param content the fields that callers can change
 * @param counts the numbers that change without a change by the caller
 */
export function entityTag(content: object, counts: readonly number[]): string {
  return `"${hash("sha256", JSON.stringify(content), "base64url")}.${counts.join("-")}"`;
}

/** The members of a list of tags, as they are without compression. Tags of this service contain no comma. */
const membersOf = (list: string) => list.split(",").map((member) => member.trim().replace(/-(?:gzip|br)"$/, '"'));

/** Whether `If-None-Match` names the tag; compared weakly (RFC 9110 section 13.1.2). */
export function namesTag(ifNoneMatch: string, tag: string): boolean {
  const members = membersOf(ifNoneMatch);
  return ifNoneMatch.trim() === "*" || members.some((member) => member === tag || member === `W/${tag}`);
}

const contentOf = (tag: string) => /^"[\w-]+\.(?=[\d-]+"$)/.exec(tag)?.[0];

/**
 * Prevents a write that was meant for another state of the record. Tags are compared strongly (RFC 9110 section 13.1.1)
 * and without their counts.
 * @throws DomainError `not_current` when `If-Match` does not name the record's tag (C-COND-1)
 */
export function requireCurrent(ifMatch: string | undefined, tagOfRecord: () => string): void {
  if (ifMatch === undefined || ifMatch.trim() === "*") return;
  const current = contentOf(tagOfRecord());
  if (membersOf(ifMatch).some((member) => contentOf(member) === current)) return;
  throw new DomainError(
    "not_current",
    "The record has changed since the ETag in If-Match was read. Read it again, and send the change with its new ETag.",
  );
}
