// The program of the page. It imports the published file directly.
import { createClient, createPathClient, NotFoundError } from "/client.js";

/** Calls every operation of the service, which has another origin than the page. */
export async function run(baseUrl, developerKey, testerKey) {
  let attempts = 0;
  // What the page got a response to, such as "GET /projects/prj_1".
  const answered = [];
  let isByCursor = false;
  const onResponse = ({ method, url }) => {
    isByCursor ||= url.includes("cursor=");
    answered.push(`${method} ${new URL(url).pathname.slice("/v1".length)}`);
  };
  const options = { baseUrl, retryDelay: 1, debug: false, onResponse };
  const developer = createClient({
    ...options,
    apiKey: developerKey,
    onRequest: () => {
      attempts++;
    },
    // The service processes the first write, but the page loses its response.
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      if (attempts === 1) throw new TypeError("Failed to fetch");
      return response;
    },
  });
  const tester = createClient({ ...options, apiKey: testerKey });
  const { projects, feedback } = developer;

  const project = await projects.create({ title: "In a page", description: "Chromium.", category: "web" });
  const created = attempts;
  const titles = (await projects.list({ search: "in a page" }).toArray()).map(({ title }) => title);
  const { data, response } = await projects.get(project.id).withResponse();
  const ifMatch = response.headers.get("etag");
  const updated = await projects.update(project.id, { title: "Changed" }, { ifMatch });
  const stale = await projects.update(project.id, { title: "Again" }, { ifMatch }).catch(({ name }) => name);

  const draft = await tester.feedback.create(project.id, { overallRating: 3, status: "draft" });
  const bugs = [{ description: "A bed is lost.", severity: "high" }];
  const sent = await tester.feedback.update(draft.id, { bugs, status: "submitted" });
  const read = await feedback.get(sent.id);
  const listed = await feedback.list(project.id, { sort: "rating" });
  const { helpfulCount } = await feedback.markHelpful(sent.id);
  const reply = await feedback.reply(sent.id, { message: "Fixed.", resolvedItems: [sent.bugs[0].id] });
  const approved = await feedback.approve(sent.id);
  const other = await tester.feedback.create(project.id, { overallRating: 1 });
  const rejected = await feedback.reject(other.id, { reason: "It is about another project." });

  const unmarked = await feedback.unmarkHelpful(sent.id);
  const discarded = await tester.feedback.create(project.id, { overallRating: 1, status: "draft" });
  const mine = (await tester.me.feedback({ status: "draft" }).toArray()).map(({ id }) => id === discarded.id);
  const discard = await tester.feedback.delete(discarded.id);
  const me = await tester.me.get();
  const walked = [];
  // The page reads the cursors of the Link header, which the service exposes.
  for await (const { data } of tester.feedback.list(project.id, { perPage: 1, order: "asc" }).pages()) {
    walked.push(data[0].id === [sent, other][walked.length]?.id);
  }
  const write = { title: "Once" };
  const again = { idempotencyKey: `page-${project.id}` };
  await projects.update(project.id, write, again);
  const replay = await projects.update(project.id, write, again).withResponse();
  const exposed = [
    "idempotency-replayed",
    "ratelimit",
    "ratelimit-policy",
    "x-ratelimit-reset",
    "x-request-id",
    "etag",
  ];

  const missing = await projects.get("prj_none").catch((error) => error);
  const refused = await createClient({ ...options, apiKey: "pfs_wrong" })
    .projects.list()
    .catch((error) => error);
  const reason = new Error("mine");
  const signal = AbortSignal.abort(reason);
  const aborted = await projects.get(project.id, { signal }).catch((error) => error === reason);
  const slow = await projects.list({}, { attemptTimeout: 0, maxRetries: 0 }).catch((error) => error.name);
  const paths = createPathClient({ ...options, apiKey: developerKey });
  const changed = await paths.PATCH("/projects/{id}", { params: { path: { id: project.id } }, body: { title: "New" } });
  const deleted = await projects.delete(project.id);
  return {
    ...{ created, titles, updated: updated.title, stale, read: read.id === sent.id, listed: listed.pagination.total },
    ...{ helpfulCount, reply: reply.developerResponse.message, approved: approved.status, rejected: rejected.status },
    missing: missing instanceof NotFoundError,
    states: [data, missing, refused].map(({ rateLimit, requestId }) => [rateLimit.limit > 0, requestId.length > 0]),
    refused: refused.status,
    ...{ aborted, slow, changed: changed.data?.title, deleted: deleted.success },
    ...{ unmarked: unmarked.helpfulCount, mine, discarded: discard.success, role: me.role, walked, isByCursor },
    reason: rejected.rejectionReason,
    hidden: exposed.filter((name) => replay.response.headers.get(name) === null),
    answered: [...new Set(answered)],
  };
}
