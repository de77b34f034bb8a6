// Asks the server in this container whether it runs: exit code 0 or 1. It is JavaScript because it runs beside a bundle.
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";

const { PORT = "3000", HOST = "127.0.0.1", TLS_CERT } = process.env;
const host = ["0.0.0.0", "::"].includes(HOST) ? "127.0.0.1" : HOST;
const request = TLS_CERT ? requestHttps : requestHttp;
// The certificate names the public host, not this address.
const options = { host, port: PORT, path: "/healthz", timeout: 2_000, rejectUnauthorized: false };
request(options, ({ statusCode }) => process.exit(statusCode === 200 ? 0 : 1))
  .on("timeout", () => process.exit(1))
  .on("error", () => process.exit(1))
  .end();
