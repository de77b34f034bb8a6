import { readFileSync } from "node:fs";
import { rootCertificates } from "node:tls";
import { EnvHttpProxyAgent, fetch as undiciFetch } from "undici";
import { readText } from "../configuration.ts";
import { ConfigurationError } from "../engine/outcome.ts";

/**
 * A fetch that trusts the certificates of a file beside the usual ones, and obeys HTTP_PROXY, HTTPS_PROXY and NO_PROXY on
 * every supported Node.
 *
 * @throws ConfigurationError where the file holds no certificate
 */
export function fetchWith(ca: string | undefined): typeof fetch {
  const tls = ca === undefined ? {} : { ca: [...rootCertificates, ...extraCertificates(), certificates(ca)] };
  // The same for the target behind a proxy, and for the proxy itself.
  const options = { connect: tls, requestTls: tls, proxyTls: tls };
  const dispatcher = new EnvHttpProxyAgent(options);
  const send = (address: string | URL | Request, init: RequestInit = {}) =>
    undiciFetch(address as string, { ...(init as object), dispatcher });
  return send as unknown as typeof fetch;
}

function certificates(path: string): string {
  const text = readText(path, "the certificates");
  if (text.includes("-----BEGIN CERTIFICATE-----")) return text;
  throw new ConfigurationError(`${path} holds no certificate. Give a file in PEM form to --ca.`);
}

/** What NODE_EXTRA_CA_CERTS adds, which a list of one's own would replace. */
function extraCertificates(): string[] {
  const path = process.env.NODE_EXTRA_CA_CERTS;
  return path ? [readFileSync(path, "utf8")] : [];
}
