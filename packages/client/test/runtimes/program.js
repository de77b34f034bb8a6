// What each runtime does with the published client. It runs unchanged on all of them.
export async function run(client, baseUrl, apiKey) {
  const { createClient, createPathClient, NetworkError, NotFoundError } = client;
  const options = { baseUrl, apiKey: async () => apiKey, debug: false };
  let lost = true;
  const { projects } = createClient({
    ...options,
    // The service processes the first write, but the program loses its response.
    fetch: async (url, init) => {
      const response = await fetch(url, init);
      if (lost) {
        lost = false;
        throw new TypeError("Network connection lost.");
      }
      return response;
    },
  });
  const word = `runtime${Math.random().toString(36).slice(2)}`;
  const { id } = await projects.create({ title: word, description: "Runtimes.", category: "other" });
  const found = await projects.list({ search: word }).toArray({ limit: 5 });
  const { response } = await projects.get(id).withResponse();
  const missing = await projects.get("prj_none").catch((error) => error);
  const nobody = createClient({ ...options, baseUrl: "http://127.0.0.1:9/v1", maxRetries: 1, retryDelay: 1 });
  const refused = await nobody.projects.get(id).catch((error) => error);
  const slow = await projects.list({}, { attemptTimeout: 0, maxRetries: 0 }).catch((error) => error.name);
  const reason = new Error("mine");
  const aborted = await projects.get(id, { signal: AbortSignal.abort(reason) }).catch((error) => error === reason);
  const paths = createPathClient(options);
  const { data } = await paths.PATCH("/projects/{id}", { params: { path: { id } }, body: { title: "New" } });
  await projects.delete(id);
  return {
    found: found.length,
    tag: response.headers.has("etag"),
    limit: missing.rateLimit.limit,
    missing: missing instanceof NotFoundError,
    refused: refused instanceof NetworkError,
    slow,
    aborted,
    changed: data.title,
  };
}
