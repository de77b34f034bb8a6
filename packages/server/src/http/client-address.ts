import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** The port that some proxies add, as in `203.0.113.2:1000` and `[2001:db8::1]:1000`. */
const withPort = /^(?:([\d.]+):\d{1,5}|\[([^\]]+)\](?::\d{1,5})?)$/;

/** An address in any of its notations; an IPv4 address that is mapped into IPv6 is the IPv4 address. */
function parse(text: string): Address | undefined {
  const [, ipv4, ipv6] = withPort.exec(text) ?? [];
  const bare = ipv4 ?? ipv6 ?? text;
  // The parser also takes numbers and octal or hexadecimal parts, which no proxy writes.
  if (ipaddr.IPv4.isValidFourPartDecimal(bare)) return ipaddr.IPv4.parse(bare);
  if (!ipaddr.IPv6.isValid(bare)) return undefined;
  const address = ipaddr.IPv6.parse(bare.split("%")[0] ?? "");
  return address.isIPv4MappedAddress() ? address.toIPv4Address() : address;
}

/**
 * The client's address, in its usual notation.
 * @param forwarded what the trusted proxy says; any text, since some proxies pass on what a client sent
 * @param ofSocket address of the connection, which counts where the proxy's text is no address
 */
export function clientAddress(forwarded: string, ofSocket: string | undefined): string {
  return (parse(forwarded) ?? parse(ofSocket ?? ""))?.toString() ?? "unknown";
}

/** Who is counted without a key: an IPv4 address, or the /64 of an IPv6 address, which one host is given (C-RATE-3). */
export function addressSubject(client: string): string {
  const address = parse(client);
  if (address === undefined) return "ip:unknown";
  if (address instanceof ipaddr.IPv4) return `ip:${address}`;
  return `ip:${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":")}::/64`;
}
