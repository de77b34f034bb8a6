// Limits each attempt and the whole call, and lets the user cancel it.
import { createClient, TimeoutError } from "@project-feedback/client";

const { PROJECT_FEEDBACK_URL: baseUrl = "http://127.0.0.1:3000/v1", PROJECT_FEEDBACK_KEY: apiKey = "" } = process.env;
const client = createClient({ baseUrl, apiKey, attemptTimeout: 5_000, totalTimeout: 20_000 });

const user = new AbortController();
process.once("SIGINT", () => user.abort(new Error("You pressed Ctrl-C.")));

try {
  const { pagination } = await client.projects.list({}, { signal: user.signal });
  console.log(`There are ${pagination.total} projects.`);
} catch (error) {
  if (error instanceof TimeoutError) console.log("The service did not respond in time.");
  else throw error;
}
