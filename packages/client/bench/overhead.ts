// Compares the CPU time of a GET through the client with that of bare fetch. Rounds alternate in one process, and the
// server is another process. Prints the medians and the median of the ratios of the pairs.
import { fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { createClient } from "../dist/index.js";

const rounds = 150;
const requests = 50;

if (process.send) serve(process.send.bind(process));
else await measure();

function serve(tell: (port: number) => void) {
  const data = Array.from({ length: 20 }, (_, index) => ({
    id: `prj_${index}`,
    title: "Pocket Garden",
    description: "Plan beds and sowing times for small gardens.",
    category: "mobile",
    status: "active",
    createdAt: "2026-01-31T12:00:00.000Z",
  }));
  const body = JSON.stringify({ data, pagination: { page: 1, perPage: 20, total: 20 } });
  const headers = {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
    "x-ratelimit-limit": "10000",
    "x-ratelimit-remaining": "9999",
    "x-ratelimit-reset": "1769864400",
    "x-request-id": "0b5c2d8e-6a0f-4f0e-9c39-0b7e6f1a2c3d",
  };
  const server = createServer((_, response) => response.writeHead(200, headers).end(body));
  server.listen(0, "127.0.0.1", () => tell((server.address() as AddressInfo).port));
}

async function measure() {
  const child = fork(fileURLToPath(import.meta.url));
  const [port] = (await once(child, "message")) as [number];
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const apiKey = "pfs_averysecretkeyaverysecretkeyaverysecretkey123456";
  const client = createClient({ baseUrl, apiKey });
  const headers = { authorization: `Bearer ${apiKey}` };
  const ways = {
    fetch: async () => (await fetch(`${baseUrl}/projects?status=active`, { headers })).json(),
    client: async () => client.projects.list({ status: "active" }),
  };
  type Way = keyof typeof ways;
  const timeOf = async (way: Way) => {
    const before = process.cpuUsage();
    for (let count = 0; count < requests; count++) await ways[way]();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / requests;
  };
  const pairs: Record<Way, number>[] = [];
  // The first rounds are warm-up: V8 optimizes the functions of both ways until each was called some 3,000 times, and the
  // processor time of its compiler counts too.
  for (let round = -60; round < rounds; round++) {
    // Each way goes first equally often.
    const order: Way[] = round % 2 ? ["fetch", "client"] : ["client", "fetch"];
    const pair = { fetch: 0, client: 0 };
    for (const way of order) pair[way] = await timeOf(way);
    if (round >= 0) pairs.push(pair);
  }
  child.kill();
  const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
  const fetchMicroseconds = median(pairs.map((pair) => pair.fetch));
  const clientMicroseconds = median(pairs.map((pair) => pair.client));
  // Machine noise differs between rounds, so only figures of the same round are compared.
  const ratio = median(pairs.map((pair) => pair.client / pair.fetch));
  console.log(JSON.stringify({ fetchMicroseconds, clientMicroseconds, ratio }));
}
