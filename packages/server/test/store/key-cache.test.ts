import { afterEach, expect, test, vi } from "vitest";
import type { Principal } from "../../src/domain/account.ts";
import { newKey } from "../../src/domain/key.ts";
import { KeyCache } from "../../src/store/key-cache.ts";
import type { KeyRepository } from "../../src/store/key-repository.ts";

afterEach(() => void vi.restoreAllMocks());

test("a refresh during a request's look-up of the same key also answers that request", async () => {
  const principal: Principal = { accountId: "acc_1", keyId: "key_1", role: "developer", plan: "team" };
  const reads: PromiseWithResolvers<void>[] = [];
  const keyCache = new KeyCache({
    async findLive(digests: readonly string[]) {
      const read = Promise.withResolvers<void>();
      reads.push(read);
      await read.promise;
      return new Map(digests.map((digest) => [digest, { principal, expiresAt: Number.POSITIVE_INFINITY }]));
    },
  } as unknown as KeyRepository);
  const lookUp = async (work: () => Principal | null | Promise<Principal | null>) => {
    const asked = reads.length;
    const found = work();
    await vi.waitUntil(() => reads.length > asked);
    return { found };
  };
  const key = newKey();
  const first = await lookUp(() => keyCache.find(key));
  reads[0]?.resolve();
  expect(await first.found).toEqual(principal);
  // The cached entry has expired, and the key was used since the last refresh.
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() + 3_500);
  const second = await lookUp(() => keyCache.find(key));
  const refreshed = keyCache.refresh();
  reads[2]?.resolve();
  await refreshed;
  reads[1]?.resolve();
  expect(await second.found).toEqual(principal);
});
