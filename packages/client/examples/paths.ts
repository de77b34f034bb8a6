// Uses the openapi-fetch client, which works with paths.
import { createPathClient } from "@project-feedback/client";

const { PROJECT_FEEDBACK_URL: baseUrl = "http://127.0.0.1:3000/v1", PROJECT_FEEDBACK_KEY: apiKey = "" } = process.env;
const paths = createPathClient({ baseUrl, apiKey });

const { data, error } = await paths.GET("/projects", { params: { query: { category: "mobile" } } });
if (error) console.log(`${error.error}: ${error.message}`);
else console.log(`${data.pagination.total} mobile projects`);
