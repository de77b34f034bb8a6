// The whole suite, stated and chosen, against our own server, over HTTPS: every check a test.
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { selfSigned } from "@project-feedback/server/testing/certificate";
import { afterAll } from "vitest";
import { defineConformance } from "../src/vitest.ts";
import { Reference, type Served } from "../zoo/reference.ts";

let reference: Reference;
let served: Served;

defineConformance(
  async () => {
    reference = await Reference.open();
    const certificate = selfSigned();
    setDefaultCACertificates([...getCACertificates("default"), certificate.cert]);
    served = await reference.serve({}, certificate);
    await reference.crowd(served.baseUrl, 25);
    return {
      baseUrl: served.baseUrl,
      ...(await reference.keys("reference")),
      profile: "reference",
      draft: { fields: { status: "draft" } },
      ledger: false,
      maxWait: 0,
    };
  },
  { strict: true, timeout: 120_000 },
);

afterAll(async () => {
  await served.stop();
  await reference.close();
});
