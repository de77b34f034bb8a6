// Lists all active projects, page by page.
import { createClient } from "@project-feedback/client";

const { PROJECT_FEEDBACK_URL: baseUrl = "http://127.0.0.1:3000/v1", PROJECT_FEEDBACK_KEY: apiKey = "" } = process.env;
const client = createClient({ baseUrl, apiKey });

for await (const project of client.projects.list({ status: "active" })) {
  console.log(`${project.title} (${project.category})`);
}
