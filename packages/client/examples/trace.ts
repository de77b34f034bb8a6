// Logs every attempt, sets trace headers, and shows the allowance.
import { randomBytes } from "node:crypto";
import { createClient } from "@project-feedback/client";

const { PROJECT_FEEDBACK_URL: baseUrl = "http://127.0.0.1:3000/v1", PROJECT_FEEDBACK_KEY: apiKey = "" } = process.env;
const id = (bytes: number) => randomBytes(bytes).toString("hex");

const client = createClient({
  baseUrl,
  apiKey,
  onRequest: ({ headers }) => headers.set("traceparent", `00-${id(16)}-${id(8)}-01`),
  onResponse: ({ method, url, status, attempt }) =>
    console.log(`${method} ${new URL(url).pathname} ${status}, attempt ${attempt}`),
  onRetry: ({ delay, error }) => console.log(`retry in ${delay} ms: ${error.message}`),
});

const page = await client.projects.list({ perPage: 1 });
console.log(`${page.rateLimit?.remaining} of ${page.rateLimit?.limit} requests are left.`);
