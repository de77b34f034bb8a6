// Distinguishes the errors of a call.
import { createClient, isStatusError, NetworkError } from "@project-feedback/client";

const { PROJECT_FEEDBACK_URL: baseUrl = "http://127.0.0.1:3000/v1", PROJECT_FEEDBACK_KEY: apiKey = "" } = process.env;
const client = createClient({ baseUrl, apiKey });

try {
  await client.projects.create({ title: " ", description: "A title of white space.", category: "web" });
} catch (error) {
  if (isStatusError(error) && error.status === 400) {
    for (const { at, message } of error.details) console.log(`${at} ${message}`);
  } else if (isStatusError(error) && error.status === 429) {
    console.log(`Try again in ${error.retryAfterSeconds} s.`);
  } else if (error instanceof NetworkError) {
    console.log(`No response: ${error.message}`);
  } else {
    throw error;
  }
}
