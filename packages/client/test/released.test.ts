import { expect, inject, test } from "vitest";
import * as current from "../src/index.ts";
import * as released from "./released/1.0/index.js";

type Entry = Pick<typeof released, "createClient"> & { NotFoundError: new (message: string) => Error };

/** Uses every operation of version 1.0 as its documentation showed. */
async function program({ createClient, NotFoundError }: Entry) {
  const options = { baseUrl: inject("baseUrl"), onResponse: () => {}, maxRetries: 2 };
  const developer = createClient({ ...options, apiKey: inject("developerKey") });
  const tester = createClient({ ...options, apiKey: inject("testerKey") });
  const { projects, feedback } = developer;

  const word = `released${Math.random().toString(36).slice(2)}`;
  const titles = [`${word} 1`, `${word} 2`, `${word} 3`];
  const [project] = await Promise.all(
    titles.map((title) => projects.create({ title, description: "Maps.", category: "web" })),
  );
  const { id = "" } = project ?? {};
  const changed = await projects.update(id, { description: "More maps." }, { idempotencyKey: `${word}-1` });
  const repeated = await projects.update(id, { description: "More maps." }, { idempotencyKey: `${word}-1` });
  expect(repeated.updatedAt).toBe(changed.updatedAt);
  expect((await tester.projects.get(id)).rateLimit?.limit).toBeGreaterThan(0);
  const page = await projects.list({ search: word, perPage: 2 });
  expect([page.data.length, page.pagination]).toEqual([2, { page: 1, perPage: 2, total: 3 }]);
  const seen: string[] = [];
  for await (const { title } of projects.list({ search: word, perPage: 1 })) seen.push(title);
  expect(seen.toSorted()).toEqual(titles);

  const draft = await tester.feedback.create(id, { overallRating: 3, status: "draft" });
  const bugs = [{ description: "The map is blank.", severity: "high" }] as const;
  const sent = await tester.feedback.update(draft.id, { bugs: [...bugs], status: "submitted" });
  expect((await feedback.get(sent.id)).bugs).toMatchObject(bugs);
  expect(await feedback.markHelpful(sent.id)).toEqual({ success: true, helpfulCount: 1 });
  const resolvedItems = sent.bugs.map((bug) => bug.id);
  const reply = await feedback.reply(sent.id, { message: "Fixed.", resolvedItems });
  expect(reply.developerResponse).toMatchObject({ message: "Fixed.", resolvedItems });
  expect((await feedback.approve(sent.id, { idempotencyKey: `${word}-2` })).status).toBe("approved");
  const other = await tester.feedback.create(id, { overallRating: 1 });
  // The options are the second argument, as in version 1.0.
  const rejected = await feedback.reject(other.id, { idempotencyKey: `${word}-3`, attemptTimeout: 5_000 });
  expect([rejected.status, rejected.id]).toEqual(["rejected", other.id]);
  expect((await feedback.list(id, { sort: "rating", status: "approved" })).data).toMatchObject([{ id: sent.id }]);

  const conflict = await tester.feedback.update(sent.id, { overallRating: 1 }).catch((error) => error);
  expect([conflict.name, conflict.status, conflict.details]).toEqual(["ConflictError", 409, []]);
  const invalid = await projects.create({ title: "", description: "", category: "web" }).catch((error) => error);
  expect(invalid.details.map(({ at }: { at: string }) => at)).toEqual(["/title", "/description"]);
  for await (const each of projects.list({ search: word })) await projects.delete(each.id);
  await expect(projects.get(id)).rejects.toBeInstanceOf(NotFoundError);
}

test("C-VER-1: a program of version 1.0 works with the client of version 1.0 and the current server", async () => {
  await program(released);
});

test("C-VER-1: the same program works with the current client", async () => {
  await program(current);
});

test("a rejection has a reason, if it is given one", async () => {
  const { createClient } = current;
  const developer = createClient({ baseUrl: inject("baseUrl"), apiKey: inject("developerKey") });
  const tester = createClient({ baseUrl: inject("baseUrl"), apiKey: inject("testerKey") });
  const { id } = await developer.projects.create({ title: "Atlas", description: "Maps.", category: "web" });
  const sent = await tester.feedback.create(id, { overallRating: 1 });
  const options = { reason: "It is about another project.", idempotencyKey: `reject-${sent.id}` };
  expect((await developer.feedback.reject(sent.id, options)).rejectionReason).toBe(options.reason);
  await developer.projects.delete(id);
});
