import { describe, expect, test } from "vitest";
import { breaksBetween } from "../compatibility.js";
import { read, readContract } from "./contract.js";

test("the contract breaks nothing of the last released one (C-VER-1)", () => {
  const breaks = breaksBetween(read("released/v1.yaml"), readContract());
  const advice = "v1 only grows: take these back, or put them into a v2 under its own path.";
  expect(breaks, `The contract breaks released/v1.yaml. ${advice}\n${breaks.join("\n")}`).toEqual([]);
});

/** What is told of a contract that is the one of now but for what `doctor` does to it. */
function breaksOf(doctor, prepare = () => undefined) {
  const before = readContract();
  prepare(before, before.components);
  const after = structuredClone(before);
  doctor(after, after.components);
  return breaksBetween(before, after);
}

const projects = (document) => document.paths["/projects"];
const project = (document) => document.paths["/projects/{id}"];
const created = (document) => projects(document).post.responses["201"];
const drop = (list, value) => list.splice(list.indexOf(value), 1);
const title = (components) => components.schemas.Title;
const requirements = (components) => components.schemas.TestingRequirementsInput;

describe("a break is found:", () => {
  test.each([
    ["a path is removed", (d) => delete d.paths["/feedback/{id}/reply"], "POST /feedback/{id}/reply is gone"],
    ["a method is removed", (d) => delete project(d).delete, "DELETE /projects/{id} is gone"],
    ["an operationId changes", (d) => (project(d).get.operationId = "readProject"), "another operationId"],
    ["security changes", (d) => (project(d).get.security = []), "another security"],
    [
      "the scheme of authentication changes",
      (_, c) => (c.securitySchemes.BearerAuth = { type: "http", scheme: "basic" }),
      "another security",
    ],
    ["a parameter is removed", (d) => projects(d).get.parameters.pop(), "query parameter search is gone"],
    [
      "a parameter is renamed",
      (d) => (projects(d).get.parameters.find(({ name }) => name === "search").name = "q"),
      "query parameter search is gone",
    ],
    [
      "a new parameter is required",
      (d) => projects(d).get.parameters.push({ name: "team", in: "query", required: true, schema: { type: "string" } }),
      "query parameter team is new and required",
    ],
    [
      "a parameter becomes required",
      (_, c) => (c.parameters.Idempotent.required = true),
      "header parameter idempotency-key became required",
    ],
    [
      "a parameter's maximum is lowered",
      (_, c) => (c.parameters["PageQuery.perPage"].schema.maximum = 50),
      "query parameter perPage has another maximum",
    ],
    [
      "a parameter's default changes",
      (_, c) => (c.parameters["PageQuery.perPage"].schema.default = 10),
      "query parameter perPage has another default",
    ],
    [
      "a body becomes required",
      (d) => (project(d).get.requestBody = { required: true, content: {} }),
      "became required",
    ],
    [
      "a media type is no longer taken",
      (d) => delete project(d).patch.requestBody.content["application/merge-patch+json"],
      "request body application/merge-patch+json is gone",
    ],
    ["a request field is removed", (_, c) => delete c.schemas.ProjectCreate.properties.isPublic, "/isPublic is gone"],
    [
      "a request field is renamed",
      ({ components: { schemas } }) => {
        schemas.Reply.properties.text = schemas.Reply.properties.message;
        delete schemas.Reply.properties.message;
      },
      "/message is gone",
    ],
    [
      "a request field becomes required",
      (_, c) => c.schemas.ProjectCreate.required.push("projectUrl"),
      "/projectUrl became required",
    ],
    [
      "a new request field is required",
      (_, c) => {
        c.schemas.ProjectCreate.properties.team = { type: "string" };
        c.schemas.ProjectCreate.required.push("team");
      },
      "/team became required",
    ],
    [
      "an enum of requests loses a value",
      (_, c) => drop(c.schemas.Category.enum, "desktop"),
      "no longer takes desktop",
    ],
    ["free text becomes an enum", (_, c) => (title(c).enum = ["One"]), "/title takes only some values"],
    ["a maximum is lowered", (_, c) => (c.schemas.TesterCount.maximum = 1), "/minTesters has another maximum"],
    ["a minimum is raised", (_, c) => (c.schemas.TesterCount.minimum = 2), "/minTesters has another minimum"],
    ["a minimum is introduced", (_, c) => (c.schemas.FreeText.minLength = 1), "/generalComments has another minLength"],
    ["a length is lowered", (_, c) => (title(c).maxLength = 1), "/title has another maxLength"],
    [
      "a list is shortened",
      (_, c) => (c.schemas.FeedbackCreate.properties.bugs.maxItems = 5),
      "/bugs has another maxItems",
    ],
    ["a pattern changes", (_, c) => (title(c).pattern = "^[a-z]+$"), "/title has another pattern"],
    ["a format is introduced", (_, c) => (c.schemas.WebUrl.format = "uri"), "/projectUrl has another format"],
    ["items must be unique", (_, c) => (c.schemas.Reply.properties.resolvedItems.uniqueItems = true), "uniqueItems"],
    [
      "numbers must be in order",
      (_, c) => (requirements(c)["x-ordered"] = ["minTesters", "maxTesters"]),
      "has another x-ordered",
      (_, c) => delete requirements(c)["x-ordered"],
    ],
    [
      "a type is narrowed",
      (_, c) => (c.schemas.Rating.type = "integer"),
      "another type",
      (_, c) => (c.schemas.Rating.type = "number"),
    ],
    ["a type changes", (_, c) => (c.schemas.Rating.type = "string"), "/overallRating has another type"],
    [
      "null is no longer taken",
      (_, c) => c.schemas.ProjectPatch.properties.projectUrl.anyOf.pop(),
      "/projectUrl has another type",
    ],
    [
      "the items of a list are narrowed",
      (_, c) => (c.schemas.ProjectCreate.properties.screenshots.items = { type: "integer" }),
      "/screenshots/* has another type",
    ],
    [
      "an open request is closed",
      (_, c) => (c.schemas.Reply.additionalProperties = false),
      "no longer takes fields that are not described",
      (_, c) => delete c.schemas.Reply.additionalProperties,
    ],
    ["a keyword that is not known appears", (_, c) => (title(c).not = { const: "x" }), "/title has another not"],
    ["a default changes", (_, c) => (c.schemas.ProjectCreate.properties.isPublic.default = false), "another default"],
    ["a success is removed", (d) => delete projects(d).post.responses["201"], "POST /projects 201 is gone"],
    [
      "a success is renumbered",
      (d) => {
        const { responses } = projects(d).post;
        responses["202"] = responses["201"];
        delete responses["201"];
      },
      "POST /projects 202 is a new success",
    ],
    ["a response field is removed", (_, c) => delete c.schemas.Project.properties.stats, "/stats is gone"],
    [
      "a response field is no longer required",
      (_, c) => drop(c.schemas.Project.required, "stats"),
      "/stats is no longer required",
    ],
    [
      "a response field changes its type",
      (_, c) => (c.schemas.Feedback.properties.overallRating.type = "number"),
      "/overallRating has another type",
    ],
    [
      "a response field may be null",
      (_, c) =>
        (c.schemas.Project.properties.stats = { anyOf: [c.schemas.Project.properties.stats, { type: "null" }] }),
      "/stats has another type",
    ],
    ["a response field loses its format", (_, c) => delete c.schemas.Timestamp.format, "/createdAt has another format"],
    [
      "a response's bound is dropped",
      (_, c) => delete c.schemas.ProjectStats.properties.views.minimum,
      "/views has another minimum",
    ],
    [
      "an enum of responses becomes free text",
      (_, c) => delete c.schemas.FeedbackStatus.enum,
      "is no longer one of some values",
    ],
    [
      "an enum of responses is exchanged",
      (_, c) => (c.schemas.Unauthorized.properties.error.enum = ["No"]),
      "401 application/json/error has none of its values any more",
    ],
    ["an item of a list loses a field", (_, c) => delete c.schemas.Bug.properties.id, "/bugs/*/id is gone"],
    [
      "a response's media type changes",
      (d) => {
        const { content } = created(d);
        content["application/hal+json"] = content["application/json"];
        delete content["application/json"];
      },
      "201 application/json is gone",
    ],
    ["a header is removed", (d) => delete created(d).headers.Location, "201 header Location is gone"],
    [
      "a header is no longer required",
      (_, c) => (c.headers.XRateLimitLimit.required = false),
      "header X-RateLimit-Limit is no longer required",
    ],
    [
      "a header changes its type",
      (_, c) => (c.headers.XRateLimitReset.schema.type = "string"),
      "header X-RateLimit-Reset has another type",
    ],
  ])("%s", (_, doctor, sentence, prepare) => {
    expect(breaksOf(doctor, prepare)).toContainEqual(expect.stringContaining(sentence));
  });
});

describe("growth is no break:", () => {
  test.each([
    ["nothing changes", () => undefined],
    ["a new path", (d) => (d.paths["/teams"] = { get: project(d).get })],
    ["a new operation", (d) => (project(d).put = project(d).patch)],
    [
      "a new optional parameter",
      (d) => projects(d).get.parameters.push({ name: "team", in: "query", schema: { type: "string" } }),
    ],
    ["a new optional request field", (_, c) => (c.schemas.ProjectCreate.properties.team = { type: "string" })],
    ["a request field that is no longer required", (_, c) => drop(c.schemas.ProjectCreate.required, "category")],
    ["a new value in an enum of requests and responses", (_, c) => c.schemas.Category.enum.push("watch")],
    ["a new value in an enum of responses", (_, c) => c.schemas.FeedbackStatus.enum.push("withdrawn")],
    [
      "a value that is no longer answered",
      (_, c) => drop(c.schemas.Stage.enum, "late"),
      (_, c) => {
        c.schemas.Stage = { type: "string", enum: ["early", "late"] };
        c.schemas.Project.properties.stage = { $ref: "#/components/schemas/Stage" };
      },
    ],
    ["wider bounds of a request", (_, c) => Object.assign(title(c), { maxLength: 500, minLength: 0 })],
    ["a pattern that is dropped", (_, c) => delete title(c).pattern],
    [
      "null is taken too",
      (_, c) => (c.schemas.ProjectPatch.properties.isPublic = { anyOf: [{ type: "boolean" }, { type: "null" }] }),
    ],
    [
      "a new media type of a request",
      (d) => (projects(d).post.requestBody.content["application/cbor"] = { schema: {} }),
    ],
    ["a new optional response field", (_, c) => (c.schemas.Project.properties.team = { type: "string" })],
    [
      "a new required response field",
      (_, c) => {
        c.schemas.Project.properties.team = { type: "string" };
        c.schemas.Project.required.push("team");
      },
    ],
    ["a response field that is never null any more", (_, c) => c.schemas.Feedback.properties.uiFeedback.anyOf.pop()],
    ["a new header", (d) => (created(d).headers.ETag = { schema: { type: "string" } })],
    ["a new error status", (d) => (project(d).get.responses["410"] = { $ref: "#/components/responses/NotFound" })],
    ["an error status that is gone", (d) => delete project(d).get.responses["400"]],
    ["deprecation", (d) => (project(d).get.deprecated = true)],
    ["better words", (_, c) => Object.assign(title(c), { description: "What it is called." })],
    [
      "another name of a schema",
      (_, c) => {
        c.schemas.Heading = c.schemas.Title;
        c.schemas.ProjectCreate.properties.title.$ref = "#/components/schemas/Heading";
      },
    ],
  ])("%s", (_, doctor, prepare) => {
    expect(breaksOf(doctor, prepare)).toEqual([]);
  });
});
