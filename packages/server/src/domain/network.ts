import ipaddr from "ipaddr.js";

/** The network of a client's address that is stored of it: its /24 for IPv4, its /64 for IPv6 (C-KEY-1). */
export function networkOf(address: string): string {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return `${address.split(".").slice(0, 3).join(".")}.0/24`;
  if (!ipaddr.IPv6.isValid(address)) return "unknown";
  const parts = ipaddr.IPv6.parse(address).parts.slice(0, 4);
  return `${new ipaddr.IPv6([...parts, 0, 0, 0, 0])}/64`;
}
