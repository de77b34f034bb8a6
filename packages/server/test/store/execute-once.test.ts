import { expect, test } from "vitest";
import { Deadline } from "../../src/deadline.ts";
import { DomainError } from "../../src/domain/errors.ts";
import { executeOnce } from "../../src/idempotency.ts";
import type { Work } from "../../src/store/group-commit.ts";
import type { Repositories } from "../../src/store/repositories.ts";
import { Store, type TransactionOptions } from "../../src/store/store.ts";
import { useServer } from "../harness/server.ts";

const { database } = await useServer();
const request = (id: string) => ({ id, bodyDigest: "body" });
const now = () => new Date();

/** The store of a process that lets another one run after each of its transactions. */
class InterleavedStore extends Store {
  between: () => Promise<unknown> = async () => undefined;

  override async transaction<Result>(work: Work<Result>, options: TransactionOptions): Promise<Result> {
    const { between } = this;
    this.between = async () => undefined;
    return super.transaction(work, options).finally(between);
  }
}

const succeed = async () => ({ status: 200, headers: {}, body: '{"done":true}' });
const refuse = async (): Promise<never> => {
  throw new DomainError("not_draft", "Not now. Try later.");
};

const once = (
  store: Store,
  id: string,
  write: (repositories: Repositories) => Promise<never> | ReturnType<typeof succeed>,
) =>
  executeOnce(store, write, request(id), now, { deadline: new Deadline(4_000) }).then(
    ({ status }) => status,
    (error) => (error instanceof DomainError ? error.code : String(error)),
  );

test("C-IDEM-1: a refusal on one process and a success on another cannot both be the response of one key", async () => {
  const one = new InterleavedStore(database);
  const other = new Store(database);
  let second: unknown;
  one.between = async () => {
    second = await once(other, "key-1", succeed);
  };
  const first = await once(one, "key-1", refuse);
  expect([first, second]).toEqual([409, 409]);
  expect(await once(other, "key-1", succeed)).toBe(409);
});

test("C-IDEM-1: requests with one key that race on two processes get one final response", async () => {
  const stores = [new Store(database), new Store(database)];
  for (let round = 0; round < 40; round += 1) {
    const id = `race-${round}`;
    const outcomes = await Promise.all(
      Array.from({ length: 6 }, (_, n) => once(stores[n % 2] as Store, id, n % 3 === 0 ? refuse : succeed)),
    );
    const final = new Set(outcomes.filter((outcome) => outcome !== "idempotency_key_in_use"));
    expect(final.size).toBe(1);
    expect(await once(stores[0] as Store, id, succeed)).toBe([...final][0]);
  }
});
