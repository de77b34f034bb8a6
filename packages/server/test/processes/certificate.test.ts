import { randomUUID, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { connect } from "node:tls";
import { afterEach, expect, test } from "vitest";
import { selfSigned } from "../harness/certificate.ts";
import { freshFolder, type ServerProcess, serve, until } from "../harness/processes.ts";
import { uriOf } from "../harness/server.ts";

// What a test leaves is removed in the opposite order.
const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function start(settings: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
  const uri = uriOf(`test_${randomUUID().slice(0, 8)}`);
  const server = await serve({ MONGODB_URI: uri, LOG_LEVEL: "info", DRAIN_SECONDS: "0", ...settings });
  cleanups.push(async () => {
    server.killGroup();
    await server.exited;
  });
  await until(() => server.output.stdout.includes('"msg":"listening"'), "it does not listen");
  return server;
}

/** Files for TLS_CERT and TLS_KEY, with a certificate that `write` replaces. */
function certificateFiles() {
  const folder = freshFolder();
  cleanups.push(() => folder.remove());
  const settings = { TLS_CERT: `${folder.path}/cert.pem`, TLS_KEY: `${folder.path}/key.pem` };
  const write = ({ cert, key }: { cert: string; key: string }) => {
    writeFileSync(settings.TLS_CERT, cert);
    writeFileSync(settings.TLS_KEY, key);
  };
  return { settings, write };
}

/** The serial number of the certificate that a new connection is shown. */
async function servedSerial({ port }: ServerProcess): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false });
  await once(socket, "secureConnect");
  const { serialNumber } = socket.getPeerCertificate();
  socket.destroy();
  return serialNumber;
}

const serialOf = ({ cert }: { cert: string }) => new X509Certificate(cert).serialNumber;

/** The status of a request on a connection that is kept. */
function ask({ port }: ServerProcess, agent: Agent): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const options = { host: "127.0.0.1", port, path: "/healthz", agent, rejectUnauthorized: false };
    request(options, (response) => response.resume().once("end", () => resolve(response.statusCode)))
      .once("error", reject)
      .end();
  });
}

// The harness speaks HTTP to a server with certificates of its own.
process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";

test.each([{}, { WORKERS: "2" }])("SIGHUP reloads the certificate and drops no connection: %j", async (workers) => {
  const [first, second] = [selfSigned(), selfSigned()];
  const { settings, write } = certificateFiles();
  write(first);
  const server = await start({ ...settings, ...workers });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  expect(await servedSerial(server)).toBe(serialOf(first));
  expect(await ask(server, agent)).toBe(200);

  write(second);
  server.signal("SIGHUP");
  await until(async () => (await servedSerial(server)) === serialOf(second), "the certificate is not reloaded");
  if ("WORKERS" in workers) {
    // Every worker has it.
    for (let each = 0; each < 4; each += 1) expect(await servedSerial(server)).toBe(serialOf(second));
  }
  expect(await ask(server, agent)).toBe(200);
});

test("a certificate that cannot be used is logged, and the one before stays in use", async () => {
  const certificate = selfSigned();
  const { settings, write } = certificateFiles();
  write(certificate);
  const server = await start(settings);
  write({ cert: certificate.cert, key: selfSigned().key });
  server.signal("SIGHUP");
  await until(() => server.output.stdout.includes("could not be reloaded"), "it says nothing");
  expect(server.output.stdout).toContain("TLS_CERT and TLS_KEY cannot be used together");
  expect(await servedSerial(server)).toBe(serialOf(certificate));
});

test("without a certificate SIGHUP changes nothing", async () => {
  const server = await start();
  server.signal("SIGHUP");
  await until(() => server.output.stdout.includes("no certificate to reload"), "it says nothing");
  server.signal("SIGTERM");
  expect(await server.exited).toBe(0);
});
