import { readFileSync } from "node:fs";
import { openapiJsonUrl } from "@project-feedback/spec";
import { expect, test } from "vitest";
import * as client from "../src/index.ts";

const { schemas } = JSON.parse(readFileSync(openapiJsonUrl, "utf8")).components as {
  schemas: Record<string, { enum?: string[] }>;
};

test.each([
  ["Category", client.categories],
  ["FeedbackSort", client.feedbackSorts],
  ["FeedbackStatus", client.feedbackStatuses],
  ["FeedbackType", client.feedbackTypes],
  ["ProjectStatus", client.projectStatuses],
  ["Severity", client.severities],
])("the values of %s are those of the contract", (name, values) => {
  expect(values).toEqual(schemas[name]?.enum);
});
