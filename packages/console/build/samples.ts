import { type Document, type Parameter, resolve } from "@project-feedback/spec/document";
import type { NamedOperation } from "./operations.ts";

/** Code that calls an operation with the contract's example; `{origin}` stands for the server. */
export interface Sample {
  readonly lang: string;
  readonly label: string;
  readonly source: string;
}

/** What is sent in an example: of the many parameters of a list, those that go together. */
interface Request {
  readonly path: readonly unknown[];
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

const sampleQuery = ["perPage", "category", "sort", "hours"];

/** The client's method for each operation. */
const methods: Readonly<Record<string, string>> = {
  listProjects: "projects.list",
  getProject: "projects.get",
  createProject: "projects.create",
  updateProject: "projects.update",
  deleteProject: "projects.delete",
  listFeedback: "feedback.list",
  getFeedback: "feedback.get",
  createFeedback: "feedback.create",
  updateFeedback: "feedback.update",
  deleteFeedback: "feedback.delete",
  markFeedbackHelpful: "feedback.markHelpful",
  unmarkFeedbackHelpful: "feedback.unmarkHelpful",
  replyToFeedback: "feedback.reply",
  approveFeedback: "feedback.approve",
  rejectFeedback: "feedback.reject",
  getMe: "me.get",
  listMyFeedback: "me.feedback",
};

/**
 * Samples of an operation of v1: with curl, and with the client.
 *
 * @throws Error if the client's method is not known
 */
export function keySamples(document: Document, named: NamedOperation): Sample[] {
  const request = requestOf(document, named);
  const method = methods[named.id];
  if (!method) throw new Error(`${named.id} has no client sample. Add its method to samples.ts.`);
  const given = [...request.path, request.body ?? (Object.keys(request.query).length > 0 ? request.query : undefined)];
  const values = given.filter((value) => value !== undefined).map((value) => literal(value));
  return [
    { lang: "shell", label: "curl", source: curl(named, request, "/v1", '-H "Authorization: Bearer $KEY"') },
    {
      lang: "typescript",
      label: "Client",
      source: [
        'import { createClient } from "@project-feedback/client";',
        "",
        'const client = createClient({ baseUrl: "{origin}/v1", apiKey: process.env.KEY ?? "" });',
        `const result = await client.${method}(${values.join(", ")});`,
        "console.log(result);",
      ].join("\n"),
    },
  ];
}

/** Samples of an operation of the account interface: with curl, and with fetch in a page of the same origin. */
export function sessionSamples(document: Document, named: NamedOperation, base: string): Sample[] {
  const request = requestOf(document, named);
  const init = [
    ...(named.method === "GET" ? [] : [`  method: "${named.method}",`]),
    ...(request.body === undefined
      ? []
      : [
          '  headers: { "Content-Type": "application/json" },',
          `  body: JSON.stringify(${literal(request.body).replaceAll("\n", "\n  ")}),`,
        ]),
  ];
  const needsSession = !named.operation.security?.some((each) => Object.keys(each).length === 0);
  const options = init.length === 0 ? "" : `, {\n${init.join("\n")}\n}`;
  return [
    { lang: "shell", label: "curl", source: curl(named, request, base, needsSession ? '-H "Cookie: $COOKIE"' : "") },
    {
      lang: "javascript",
      label: "fetch",
      source: `const response = await fetch("${target(named, request, base)}"${options});\nconsole.log(response.status, await response.text());`,
    },
  ];
}

function requestOf(document: Document, { operation }: NamedOperation): Request {
  const parameters = (operation.parameters ?? []).map((each) => resolve<Parameter>(document, each));
  const query = parameters.filter((each) => each.in === "query" && sampleQuery.includes(each.name));
  return {
    path: parameters.filter((each) => each.in === "path").map(({ example }) => example),
    query: Object.fromEntries(query.map(({ name, example }) => [name, example])),
    body: operation.requestBody?.content["application/json"]?.example,
  };
}

function target({ path }: NamedOperation, request: Request, base: string): string {
  let index = 0;
  const filled = path.replaceAll(/\{\w+\}/g, () => String(request.path[index++]));
  const query = new URLSearchParams(request.query as Record<string, string>).toString();
  return `${base}${filled}${query && `?${query}`}`;
}

function curl(named: NamedOperation, request: Request, base: string, credential: string): string {
  const { method } = named;
  const action = method === "GET" || (method === "POST" && request.body !== undefined) ? "" : `-X ${method} `;
  const lines = [`curl ${action}"{origin}${target(named, request, base)}"`];
  if (credential) lines.push(credential);
  if (request.body !== undefined) {
    const json = JSON.stringify(request.body, null, 2).replaceAll("'", "'\\''");
    lines.push('-H "Content-Type: application/json"', `-d '${json}'`);
  }
  return lines.join(" \\\n  ");
}

/** A value as a literal of TypeScript, whose names have no quotation marks where they need none. */
function literal(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(/^(\s*)"([A-Za-z_]\w*)":/gm, "$1$2:");
}
