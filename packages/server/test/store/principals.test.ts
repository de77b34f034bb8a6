import { afterEach, expect, test, vi } from "vitest";
import type { Principal } from "../../src/domain/account.ts";
import { newKey } from "../../src/domain/key.ts";
import type { AccountRecords } from "../../src/store/account-records.ts";
import { Principals } from "../../src/store/principals.ts";

afterEach(() => void vi.restoreAllMocks());

test("a key that is looked up again for all while one request looks it up serves that request too", async () => {
  const principal: Principal = { accountId: "acc_1", keyId: "key_1", role: "developer", plan: "team" };
  const reads: PromiseWithResolvers<void>[] = [];
  const principals = new Principals({
    async principals(digests: readonly string[]) {
      const read = Promise.withResolvers<void>();
      reads.push(read);
      await read.promise;
      return new Map(digests.map((digest) => [digest, principal]));
    },
  } as unknown as AccountRecords);
  const lookUp = async (work: () => Promise<Principal | null>) => {
    const asked = reads.length;
    const found = work();
    await vi.waitUntil(() => reads.length > asked);
    return { found };
  };
  const key = newKey();
  const first = await lookUp(() => principals.of(key));
  reads[0]?.resolve();
  expect(await first.found).toEqual(principal);
  // It is not believed any more, and has been used since all were looked up.
  const now = performance.now.bind(performance);
  vi.spyOn(performance, "now").mockImplementation(() => now() + 3_500);
  const second = await lookUp(() => principals.of(key));
  const refreshed = principals.refresh();
  reads[2]?.resolve();
  await refreshed;
  reads[1]?.resolve();
  expect(await second.found).toEqual(principal);
});
