import { describe, expect, test } from "vitest";
import { breaksBetween } from "../compatibility.ts";
import type { Document, Parameter } from "../document.ts";
import { read, readContract } from "./contract.ts";
import { all, append, copy, drop, type Edit, type Path, remove, rename, set } from "./edits.ts";

interface Correction {
  break: string;
  why: string;
}

const corrections = read<Correction[] | null>("released/corrections.yaml") ?? [];
const released = breaksBetween(read<Document>("released/v1.yaml"), readContract());

test("the contract breaks nothing of the last released one, except to correct a defect (C-VER-1)", () => {
  const breaks = released.filter((each) => !corrections.some((correction) => each.endsWith(correction.break)));
  const advice = "v1 only grows: undo these changes, or put them into a v2 under its own path.";
  expect(breaks, `The contract breaks released/v1.yaml. ${advice}\n${breaks.join("\n")}`).toEqual([]);
});

test("every correction excuses a break and has a reason", () => {
  for (const correction of corrections) {
    expect(
      released.some((each) => each.endsWith(correction.break)),
      correction.break,
    ).toBe(true);
    expect(correction.why).toMatch(/\w.*\.$/s);
  }
});

/** The breaks that an edit of the current contract causes. `prepare` edits the contract before and after. */
function breaksOf(edit: Edit, prepare: Edit = () => undefined): string[] {
  const before = readContract();
  prepare(before);
  const after = structuredClone(before);
  edit(after);
  return breaksBetween(before, after);
}

const projects = (...path: Path): Path => ["paths", "/projects", ...path];
const project = (...path: Path): Path => ["paths", "/projects/{id}", ...path];
const created = (...path: Path): Path => projects("post", "responses", "201", ...path);
const schema = (name: string, ...path: Path): Path => ["components", "schemas", name, ...path];
const field = (name: string, property: string, ...path: Path): Path => schema(name, "properties", property, ...path);
const parameter = (name: string, ...path: Path): Path => ["components", "parameters", name, ...path];
const header = (name: string, ...path: Path): Path => ["components", "headers", name, ...path];

/** Edits the query parameter `search` of the project list. */
function editSearch(edit: (list: Document["paths"][string][string]["parameters"], index: number) => void): Edit {
  return (document) => {
    const list = document.paths["/projects"]?.get?.parameters ?? [];
    edit(
      list,
      list.findIndex((each) => (each as Parameter).name === "search"),
    );
  };
}

const team = { name: "team", in: "query", schema: { type: "string" } };

const breaks: [string, Edit, string, Edit?][] = [
  ["a path is removed", remove("paths", "/feedback/{id}/reply"), "POST /feedback/{id}/reply is gone"],
  ["a method is removed", remove(...project("delete")), "DELETE /projects/{id} is gone"],
  ["an operationId changes", set("readProject", ...project("get", "operationId")), "another operationId"],
  ["security changes", set([], ...project("get", "security")), "another security"],
  [
    "the scheme of authentication changes",
    set({ type: "http", scheme: "basic" }, "components", "securitySchemes", "BearerAuth"),
    "another security",
  ],
  ["a parameter is removed", editSearch((list, index) => list?.splice(index, 1)), "query parameter search is gone"],
  [
    "a parameter is renamed",
    editSearch((list, index) => Object.assign(list?.[index] ?? {}, { name: "q" })),
    "query parameter search is gone",
  ],
  [
    "a new parameter is required",
    append({ ...team, required: true }, ...projects("get", "parameters")),
    "query parameter team is new and required",
  ],
  [
    "a parameter becomes required",
    set(true, ...parameter("Idempotent", "required")),
    "header parameter idempotency-key became required",
  ],
  [
    "a parameter's maximum is lowered",
    set(50, ...parameter("PageQuery.perPage", "schema", "maximum")),
    "query parameter perPage has another maximum",
  ],
  [
    "a parameter's default changes",
    set(10, ...parameter("PageQuery.perPage", "schema", "default")),
    "query parameter perPage has another default",
  ],
  [
    "a body becomes required",
    set({ required: true, content: {} }, ...project("get", "requestBody")),
    "became required",
  ],
  [
    "a media type is no longer taken",
    remove(...project("patch", "requestBody", "content", "application/merge-patch+json")),
    "request body application/merge-patch+json is gone",
  ],
  ["a request field is removed", remove(...field("ProjectCreate", "isPublic")), "/isPublic is gone"],
  ["a request field is renamed", rename("message", "text", ...schema("Reply", "properties")), "/message is gone"],
  [
    "a request field becomes required",
    append("projectUrl", ...schema("ProjectCreate", "required")),
    "/projectUrl became required",
  ],
  [
    "a new request field is required",
    all(
      set({ type: "string" }, ...field("ProjectCreate", "team")),
      append("team", ...schema("ProjectCreate", "required")),
    ),
    "/team became required",
  ],
  ["an enum of requests loses a value", drop("desktop", ...schema("Category", "enum")), "no longer takes desktop"],
  ["free text becomes an enum", set(["One"], ...schema("Title", "enum")), "/title takes only some values"],
  ["a maximum is lowered", set(1, ...schema("TesterCount", "maximum")), "/minTesters has another maximum"],
  ["a minimum is raised", set(2, ...schema("TesterCount", "minimum")), "/minTesters has another minimum"],
  ["a minimum is introduced", set(1, ...schema("FreeText", "minLength")), "/generalComments has another minLength"],
  ["a length is lowered", set(1, ...schema("Title", "maxLength")), "/title has another maxLength"],
  ["a list is shortened", set(5, ...field("FeedbackCreate", "bugs", "maxItems")), "/bugs has another maxItems"],
  ["a pattern changes", set("^[a-z]+$", ...schema("Title", "pattern")), "/title has another pattern"],
  ["a format is introduced", set("uri", ...schema("WebUrl", "format")), "/projectUrl has another format"],
  ["items must be unique", set(true, ...field("Reply", "resolvedItems", "uniqueItems")), "uniqueItems"],
  [
    "numbers must be in order",
    set(["minTesters", "maxTesters"], ...schema("TestingRequirementsInput", "x-ordered")),
    "has another x-ordered",
    remove(...schema("TestingRequirementsInput", "x-ordered")),
  ],
  [
    "a type is narrowed",
    set("integer", ...schema("Rating", "type")),
    "another type",
    set("number", ...schema("Rating", "type")),
  ],
  ["a type changes", set("string", ...schema("Rating", "type")), "/overallRating has another type"],
  [
    "null is no longer taken",
    remove(...field("ProjectPatch", "projectUrl", "anyOf", 1)),
    "/projectUrl has another type",
  ],
  [
    "the items of a list are narrowed",
    set({ type: "integer" }, ...field("ProjectCreate", "screenshots", "items")),
    "/screenshots/* has another type",
  ],
  [
    "an open request is closed",
    set(false, ...schema("Reply", "additionalProperties")),
    "no longer takes fields that are not described",
    remove(...schema("Reply", "additionalProperties")),
  ],
  ["an unknown keyword appears", set({ const: "x" }, ...schema("Title", "not")), "/title has another not"],
  ["a default changes", set(false, ...field("ProjectCreate", "isPublic", "default")), "another default"],
  ["a success is removed", remove(...created()), "POST /projects 201 is gone"],
  [
    "a success is renumbered",
    rename("201", "202", ...projects("post", "responses")),
    "POST /projects 202 is a new success",
  ],
  ["a response field is removed", remove(...field("Project", "stats")), "/stats is gone"],
  [
    "a response field is no longer required",
    drop("stats", ...schema("Project", "required")),
    "/stats is no longer required",
  ],
  [
    "a response field changes its type",
    set("number", ...field("Feedback", "overallRating", "type")),
    "/overallRating has another type",
  ],
  [
    "a response field may be null",
    set({ anyOf: [{ $ref: "#/components/schemas/ProjectStats" }, { type: "null" }] }, ...field("Project", "stats")),
    "/stats has another type",
  ],
  ["a response field loses its format", remove(...schema("Timestamp", "format")), "/createdAt has another format"],
  ["a response's bound is dropped", remove(...field("ProjectStats", "views", "minimum")), "/views has another minimum"],
  [
    "an enum of responses becomes free text",
    remove(...schema("FeedbackStatus", "enum")),
    "is no longer one of some values",
  ],
  [
    "an enum of responses is exchanged",
    set(["No"], ...field("Unauthorized", "error", "enum")),
    "401 application/json/error has none of its values any more",
  ],
  [
    "an enum of responses is opened to text of one form only",
    set(
      { anyOf: [{ $ref: "#/components/schemas/FeedbackStatus" }, { type: "string", pattern: "^x" }] },
      ...field("Feedback", "status"),
    ),
    "/status is no longer one of some values",
  ],
  [
    "an enum of responses is opened to another type",
    set(
      { anyOf: [{ $ref: "#/components/schemas/FeedbackStatus" }, { type: "integer" }] },
      ...field("Feedback", "status"),
    ),
    "/status has another type",
  ],
  [
    "an enum of responses is opened and exchanged",
    set({ anyOf: [{ type: "string", enum: ["gone"] }, { type: "string" }] }, ...field("Feedback", "status")),
    "/status has none of its values any more",
  ],
  [
    "text of responses gets text beside it",
    set({ anyOf: [{ $ref: "#/components/schemas/Title" }, { type: "string" }] }, ...field("Project", "title")),
    "/title has another",
  ],
  ["an item of a list loses a field", remove(...field("Bug", "id")), "/bugs/*/id is gone"],
  [
    "a response's media type changes",
    rename("application/json", "application/hal+json", ...created("content")),
    "201 application/json is gone",
  ],
  ["a header is removed", remove(...created("headers", "Location")), "201 header Location is gone"],
  [
    "a header is no longer required",
    set(false, ...header("XRateLimitLimit", "required")),
    "header X-RateLimit-Limit is no longer required",
  ],
  [
    "a header changes its type",
    set("string", ...header("XRateLimitReset", "schema", "type")),
    "header X-RateLimit-Reset has another type",
  ],
];

describe("a break is found:", () => {
  test.each(breaks)("%s", (_, edit, sentence, prepare) => {
    expect(breaksOf(edit, prepare)).toContainEqual(expect.stringContaining(sentence));
  });
});

const growth: [string, Edit, Edit?][] = [
  ["nothing changes", () => undefined],
  ["a new path", copy(project(), ["paths", "/teams"])],
  ["a new operation", copy(project("patch"), project("put"))],
  ["a new optional parameter", append(team, ...projects("get", "parameters"))],
  ["a new optional request field", set({ type: "string" }, ...field("ProjectCreate", "team"))],
  ["a request field that is no longer required", drop("category", ...schema("ProjectCreate", "required"))],
  ["a new value in an enum of requests and responses", append("watch", ...schema("Category", "enum"))],
  [
    "an enum of responses that is opened: any text beside its values",
    set(
      { anyOf: [{ $ref: "#/components/schemas/FeedbackStatus" }, { type: "string" }] },
      ...field("Feedback", "status"),
    ),
  ],
  ["a new value in an enum of responses", append("withdrawn", ...schema("FeedbackStatus", "enum"))],
  [
    "a value that no response has any more",
    drop("late", ...schema("Stage", "enum")),
    all(
      set({ type: "string", enum: ["early", "late"] }, ...schema("Stage")),
      set({ $ref: "#/components/schemas/Stage" }, ...field("Project", "stage")),
    ),
  ],
  [
    "wider bounds of a request",
    all(set(500, ...schema("Title", "maxLength")), set(0, ...schema("Title", "minLength"))),
  ],
  ["a pattern that is dropped", remove(...schema("Title", "pattern"))],
  ["null is taken too", set({ anyOf: [{ type: "boolean" }, { type: "null" }] }, ...field("ProjectPatch", "isPublic"))],
  [
    "a new media type of a request",
    set({ schema: {} }, ...projects("post", "requestBody", "content", "application/cbor")),
  ],
  ["a new optional response field", set({ type: "string" }, ...field("Project", "team"))],
  [
    "a new required response field",
    all(set({ type: "string" }, ...field("Project", "team")), append("team", ...schema("Project", "required"))),
  ],
  ["a response field that is never null any more", remove(...field("Feedback", "uiFeedback", "anyOf", 1))],
  ["a new header", set({ schema: { type: "string" } }, ...created("headers", "Content-Digest"))],
  ["a new error status", set({ $ref: "#/components/responses/NotFound" }, ...project("get", "responses", "410"))],
  ["an error status that is gone", remove(...project("get", "responses", "400"))],
  ["deprecation", set(true, ...project("get", "deprecated"))],
  ["a better description", set("The name of the project.", ...schema("Title", "description"))],
  [
    "another name of a schema",
    all(
      copy(schema("Title"), schema("Heading")),
      set("#/components/schemas/Heading", ...field("ProjectCreate", "title", "$ref")),
    ),
  ],
];

describe("growth is no break:", () => {
  test.each(growth)("%s", (_, edit, prepare) => {
    expect(breaksOf(edit, prepare)).toEqual([]);
  });
});
