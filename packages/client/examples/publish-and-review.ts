// A developer publishes a project, a tester submits feedback on it, and the developer replies.
import { createClient } from "@project-feedback/client";

const {
  PROJECT_FEEDBACK_URL: baseUrl = "http://127.0.0.1:3000/v1",
  PROJECT_FEEDBACK_KEY: apiKey = "",
  PROJECT_FEEDBACK_TESTER_KEY: testerKey = "",
} = process.env;
const developer = createClient({ baseUrl, apiKey });
const tester = createClient({ baseUrl, apiKey: testerKey });

const project = await developer.projects.create({
  title: "Pocket Garden",
  description: "Plan beds and sowing times for small gardens.",
  category: "mobile",
});

const feedback = await tester.feedback.create(project.id, {
  overallRating: 4,
  bugs: [{ description: "A bed is lost when the phone is turned.", severity: "high" }],
});

await developer.feedback.markHelpful(feedback.id);
await developer.feedback.reply(feedback.id, {
  message: "Fixed in the next release. Thank you!",
  resolvedItems: feedback.bugs.map((bug) => bug.id),
});
const { status } = await developer.feedback.approve(feedback.id);
console.log(`${project.title}: feedback rated ${feedback.overallRating} is ${status}.`);
