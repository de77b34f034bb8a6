// The program of the page. It imports the published file directly.
import { createClient, createPathClient, NotFoundError } from "/client.js";

export async function run(baseUrl, apiKey) {
  let attempts = 0;
  const client = createClient({
    baseUrl,
    apiKey,
    retryDelay: 1,
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
  const project = await client.projects.create({ title: "In a page", description: "Chromium.", category: "web" });
  const created = attempts;
  const titles = [];
  for await (const { title } of client.projects.list({ search: "in a page" })) titles.push(title);
  const missing = await client.projects.get("prj_none").catch((error) => error);
  const reason = new Error("mine");
  const signal = AbortSignal.abort(reason);
  const aborted = await client.projects.get(project.id, { signal }).catch((error) => error === reason);
  const slow = await client.projects.list({}, { attemptTimeout: 0, maxRetries: 0 }).catch((error) => error.name);
  const params = { path: { id: project.id } };
  const changed = await createPathClient({ baseUrl, apiKey }).PATCH("/projects/{id}", {
    params,
    body: { title: "New" },
  });
  await client.projects.delete(project.id);
  return {
    created,
    titles,
    missing: missing instanceof NotFoundError,
    aborted,
    slow,
    limit: project.rateLimit?.limit,
    changed: changed.data?.title,
  };
}
