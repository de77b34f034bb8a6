// This file is not run. The test is that it compiles, and that each line marked as an error does not.

import type { operations } from "@project-feedback/spec/types";
import { fetch as undiciFetch } from "undici";
import type * as everything from "../src/index.ts";
import {
  ApiError,
  type BadRequestError,
  type Client,
  createClient,
  createPathClient,
  type ErrorCode,
  type ErrorOf,
  type Fault,
  type Feedback,
  type FeedbackItem,
  isStatusError,
  type List,
  type NotFoundError,
  type OperationMethods,
  type Project,
  type ProjectItem,
  type RateLimit,
  type Result,
} from "../src/index.ts";

type Same<Left, Right> = (<T>() => T extends Left ? 1 : 2) extends <T>() => T extends Right ? 1 : 2 ? true : false;
const holds = <_ extends true>() => {};

const client: Client = createClient({ baseUrl: "https://feedback.example.com/v1", apiKey: "pfs_key" });

// Every operation has its method.
holds<Same<keyof OperationMethods, keyof operations>>();

// Outputs.
export async function outputs() {
  const project = await client.projects.get("prj_1");
  holds<Same<typeof project, Result<Project>>>();
  holds<Same<typeof project.rateLimit, RateLimit | undefined>>();
  holds<Same<typeof project.status, "draft" | "active" | "completed" | "archived">>();
  const list = client.projects.list({ status: "active" }, { maxPages: 3 });
  holds<Same<typeof list, List<ProjectItem>>>();
  const { data, pagination } = await list;
  holds<Same<typeof data, ProjectItem[]>>();
  holds<Same<typeof pagination.total, number>>();
  for await (const item of client.feedback.list("prj_1", { sort: "rating" })) holds<Same<typeof item, FeedbackItem>>();
  for await (const page of list.pages()) holds<Same<typeof page.data, ProjectItem[]>>();
  const feedback = await client.feedback.approve("fb_1");
  holds<Same<typeof feedback, Result<Feedback>>>();
  // @ts-expect-error: a list's item has no stats
  data[0]?.stats;
}

// A fetch of another kind.
export function fetches() {
  const options = { baseUrl: "https://feedback.example.com/v1", apiKey: async () => "pfs_key" };
  createClient({ ...options, fetch: undiciFetch });
  createPathClient({ ...options, fetch: undiciFetch });
  createClient({ ...options, fetch });
  createPathClient({ ...options, fetch: async (url, init) => fetch(url, { ...init, cache: "no-store" }) });
  // @ts-expect-error: returns no promise
  createClient({ ...options, fetch: () => new Response() });
}

// Every class has its status.
type StatusOf<Class extends abstract new (...input: never[]) => unknown> = InstanceType<Class>["status" &
  keyof InstanceType<Class>];
holds<Same<StatusOf<typeof everything.ProjectFeedbackError>, number | undefined>>();
holds<Same<StatusOf<typeof everything.NetworkError>, undefined>>();
holds<Same<StatusOf<typeof everything.TimeoutError>, undefined>>();
holds<Same<StatusOf<typeof everything.ApiError>, number>>();
holds<Same<StatusOf<typeof everything.UnexpectedResponseError>, number>>();
holds<Same<StatusOf<typeof everything.BadRequestError>, 400>>();
holds<Same<StatusOf<typeof everything.UnauthorizedError>, 401>>();
holds<Same<StatusOf<typeof everything.ForbiddenError>, 403>>();
holds<Same<StatusOf<typeof everything.NotFoundError>, 404>>();
holds<Same<StatusOf<typeof everything.MethodNotAllowedError>, 405>>();
holds<Same<StatusOf<typeof everything.ConflictError>, 409>>();
holds<Same<StatusOf<typeof everything.PreconditionFailedError>, 412>>();
holds<Same<StatusOf<typeof everything.ContentTooLargeError>, 413>>();
holds<Same<StatusOf<typeof everything.UnsupportedMediaTypeError>, 415>>();
holds<Same<StatusOf<typeof everything.UnprocessableContentError>, 422>>();
holds<Same<StatusOf<typeof everything.TooManyRequestsError>, 429>>();
holds<Same<StatusOf<typeof everything.InternalServerError>, 500>>();
holds<Same<StatusOf<typeof everything.BadGatewayError>, 502>>();
holds<Same<StatusOf<typeof everything.ServiceUnavailableError>, 503>>();
holds<Same<StatusOf<typeof everything.GatewayTimeoutError>, 504>>();

// Inputs.
export function inputs() {
  void client.projects.create({ title: "Garden", description: "Beds.", category: "web" }, { idempotencyKey: "k" });
  // @ts-expect-error: no category
  void client.projects.create({ title: "Garden", description: "Beds." });
  // @ts-expect-error: no such category
  void client.projects.create({ title: "Garden", description: "Beds.", category: "garden" });
  // @ts-expect-error: no such field
  void client.projects.update("prj_1", { owner: "me" });
  // @ts-expect-error: no such status
  void client.projects.list({ status: "open" });
  // @ts-expect-error: no such parameter
  void client.feedback.list("prj_1", { author: "me" });
  // @ts-expect-error: no id
  void client.projects.get();
  // @ts-expect-error: not a string
  void client.projects.get(7);
  // @ts-expect-error: no message
  void client.feedback.reply("fb_1", {});
  // @ts-expect-error: a read has no idempotency key
  void client.projects.get("prj_1", { idempotencyKey: "k" });
  // @ts-expect-error: no such option
  void client.projects.get("prj_1", { retry: 3 });
  // @ts-expect-error: no key
  createClient({ baseUrl: "https://feedback.example.com/v1" });
  // @ts-expect-error: no such method
  client.projects.archive;
  // @ts-expect-error: resources are read-only
  client.projects = {} as Client["projects"];
}

// Errors.
export function errors(error: unknown) {
  if (isStatusError(error)) {
    if (error.status === 400) holds<Same<typeof error, BadRequestError>>();
    if (error.status === 404) holds<Same<typeof error, NotFoundError>>();
    // @ts-expect-error: no class has this status
    if (error.status === 418) return;
  }
  if (error instanceof ApiError) {
    holds<Same<typeof error.details, readonly Fault[]>>();
    holds<Same<typeof error.retryAfterSeconds, number | undefined>>();
    holds<Same<typeof error.code, ErrorCode | undefined>>();
    // @ts-expect-error: no such code
    if (error.code === "not_drafted") return;
  }
  holds<Same<ErrorOf<"getProject">["status"], 400 | 401 | 404 | 405 | 429 | 500 | 503>>();
  // @ts-expect-error: a read has no conflict
  const conflict: ErrorOf<"getProject">["status"] = 409;
  return conflict;
}

// The path client.
export async function paths() {
  const bare = createPathClient({ baseUrl: "https://feedback.example.com/v1", apiKey: "pfs_key" });
  const { data, error } = await bare.GET("/projects/{id}", { params: { path: { id: "prj_1" } }, attemptTimeout: 5 });
  if (data) data satisfies Project;
  else if (error.error === "Bad Request") holds<Same<typeof error.details, Fault[]>>();
  // @ts-expect-error: no such path
  void bare.GET("/nothing");
  // @ts-expect-error: no parameters
  void bare.GET("/projects/{id}");
}
