import { isIPv6 } from "node:net";

const unreserved = String.raw`A-Za-z0-9._~!$&'()*+,;=\-`;
// RFC 3987 allows characters of every script. Spaces, controls and invisible characters are not allowed, except the
// joiners U+200C and U+200D, which Persian and Indic words need.
const international = String.raw`\u200c\u200d]|[^\x00-\x7f\p{Z}\p{Cc}\p{Cf}\p{Cs}\p{Co}`;
const characters = (ascii: string) => new RegExp(`^(?:[${ascii}${international}])$`, "u");
const allowed = {
  host: characters(`${unreserved}%`),
  path: characters(`${unreserved}:@/%`),
  query: characters(String.raw`${unreserved}:@/?\[\]%`),
  fragment: characters(`${unreserved}:@/?%`),
} as const;
const parts = /^https?:\/\/(?<authority>[^/?#]*)(?<path>[^?#]*)(?:\?(?<query>[^#]*))?(?:#(?<fragment>.*))?$/isu;
const maxPort = 65_535;

/**
 * Says what is wrong with an absolute http or https URL (RFC 3986), which may have characters beyond ASCII (RFC 3987).
 * The text continues a sentence that begins with the URL's place. Undefined for a valid URL (C-BOUND-1).
 */
export function webUrlFault(text: string): string | undefined {
  const { authority, path, query, fragment } = parts.exec(text)?.groups ?? {};
  if (authority === undefined) return "must begin with http:// or https://";
  if (authority.includes("@")) return "must have no user name or password before the host";
  return (
    authorityFault(authority) ??
    characterFault(path ?? "", "path") ??
    characterFault(query ?? "", "query") ??
    characterFault(fragment ?? "", "fragment")
  );
}

function authorityFault(authority: string): string | undefined {
  const [, literal, name = "", port] = /^(?:\[(.*)\]|([^:[\]]*))(?::(.*))?$/su.exec(authority) ?? [];
  if (literal === undefined && name === "")
    return authority === "" || port !== undefined ? "must have a host" : badHost(authority);
  if (literal !== undefined && (!isIPv6(literal) || literal.includes("%"))) {
    return `has ${JSON.stringify(`[${literal}]`)}, which is not an IPv6 address`;
  }
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) <= maxPort)) {
    return `has the port ${JSON.stringify(port)}; a port is a number up to ${maxPort}`;
  }
  if (literal !== undefined) return undefined;
  // A dot may end a host name; every label before it has a character.
  if (name.replace(/\.$/, "").split(".").includes("")) return badHost(name);
  return characterFault(name, "host");
}

function badHost(host: string): string {
  return `has the host ${JSON.stringify(host)}, which is not a host name`;
}

function characterFault(text: string, part: keyof typeof allowed): string | undefined {
  const encoding = /%(?![0-9A-Fa-f]{2}).{0,2}/su.exec(text);
  if (encoding) return `has ${JSON.stringify(encoding[0])} in the ${part}; write a percent sign as %25`;
  for (const character of text) {
    if (allowed[part].test(character)) continue;
    const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
    return `has the character ${JSON.stringify(character)} (${code}) in the ${part}, where it must be percent-encoded`;
  }
  return undefined;
}
