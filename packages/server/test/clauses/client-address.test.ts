import { expect, test } from "vitest";
import { addressSubject, clientAddress } from "../../src/http/client-address.ts";
import { sendRaw } from "../harness/raw.ts";
import { useServer } from "../harness/server.ts";

const limit = 40;
const allowances = { free: 1_000, pro: 1_000, team: 1_000 };
const server = await useServer({ config: { allowances, addressAllowance: limit, trustedProxies: 1 } });

/** What is left for a client whose address a proxy forwards as this text. */
async function leftFor(forwarded: string): Promise<number> {
  const headers = ["X-Forwarded-For", forwarded];
  const answer = await sendRaw(server.stranger(), "GET", "/v1/projects", { headers });
  return Number(answer.headers["x-ratelimit-remaining"]);
}

test.each([
  [
    "203.0.113.2:1000",
    "203.0.113.2:65535",
    "203.0.113.2",
    "::ffff:203.0.113.2",
    "[::ffff:cb00:7102]:9",
    "::FFFF:CB00:7102",
  ],
  ["[2001:db8:0:1::1]:1000", "2001:db8:0:1::2", "[2001:DB8:0:1:ffff::3]", "2001:db8:0:1::4%eth0"],
])("C-RATE-3: every notation of one client, with a port or without, is one client", async (...notations) => {
  for (const [spent, notation] of notations.entries()) {
    expect([notation, await leftFor(notation)]).toEqual([notation, limit - 1 - spent]);
  }
});

test("C-RATE-3: clients behind hex-mapped IPv4 addresses do not share an allowance", async () => {
  expect(await leftFor("::ffff:c633:6401")).toBe(limit - 1);
  expect(await leftFor("::ffff:c633:6402")).toBe(limit - 1);
});

test("C-RATE-3: a text that is no address counts for the connection, whatever and however long it is", async () => {
  const texts = [
    "unknown",
    "_hidden",
    "x".repeat(7_000),
    "203.0.113.300",
    "0x7f.1",
    "1",
    "203.0.113.7:x",
    "a,",
    "1::2::3",
  ];
  const first = await leftFor("not an address");
  for (const [index, text] of texts.entries())
    expect([text.slice(0, 20), await leftFor(text)]).toEqual([text.slice(0, 20), first - 1 - index]);
  const stored = await server.database.allowances.find({ _id: /^ip:/ }).toArray();
  for (const { _id } of stored) expect(_id).toMatch(/^ip:[0-9a-f.:/]{2,45}$/);
});

test("C-RATE-3: without any address there is one allowance for all", () => {
  expect(addressSubject(clientAddress("", undefined))).toBe("ip:unknown");
});
