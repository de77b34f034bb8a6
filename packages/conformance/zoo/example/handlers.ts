import { type Fields, fieldsOf, type WireRequest } from "../wire.ts";
import { finds, newId } from "./forms.ts";
import type { Account, Feedback, Project, World } from "./records.ts";
import { Refusal } from "./refusal.ts";
import { validateFeedback, validateProject } from "./validate.ts";
import { feedbackDetail, feedbackItem, projectDetail, projectItem, replyView, statusOf } from "./views.ts";

export interface Result {
  readonly created?: boolean;
  readonly body: Fields;
}

interface Call {
  readonly server: World;
  readonly account: Account;
  readonly query: WireRequest["query"];
  readonly body: Fields;
  readonly id: string;
}

type Handler = (call: Call) => Result;

/** Performs a request. @throws Refusal */
export function route(server: World, request: WireRequest, account: Account, body: Fields): Result {
  const [, collection = "", rawId = "", action = ""] = request.path.split("/");
  const shape = `${request.method} /${collection}${rawId && "/{id}"}${action && `/${action}`}`;
  const handler = handlers[shape];
  if (!handler) throw new Refusal("notFound", "There is no such path.");
  return handler({ server, account, query: request.query, body, id: decodeURIComponent(rawId) });
}

function visibleProject({ server, account, id }: Call): Project {
  const project = server.projects.find((one) => one.id === id);
  if (!project || (project.owner !== account && statusOf(server, project) === "draft"))
    throw new Refusal("notFound", "There is no such project.");
  if (project.deleted) throw new Refusal("gone", "The project was deleted.");
  return project;
}

function ownProject(call: Call): Project {
  const project = visibleProject(call);
  if (project.owner !== call.account) throw new Refusal("forbidden", "The project belongs to another account.");
  return project;
}

const isDraft = (server: World, feedback: Feedback) => statusOf(server, feedback) === "draft";

function sees({ server, account }: Pick<Call, "server" | "account">, feedback: Feedback): boolean {
  const mine = feedback.author === account;
  if (account.role === "tester" && server.choices.testersSeeFeedback === "none") return false;
  if (account.role === "tester" && server.choices.testersSeeFeedback === "own") return mine;
  return mine || !isDraft(server, feedback);
}

function existingFeedback({ server, id }: Call): Feedback {
  const feedback = server.feedback.find((one) => one.id === id);
  if (!feedback || feedback.project.deleted) throw new Refusal("notFound", "There is no such feedback.");
  return feedback;
}

function visibleFeedback(call: Call): Feedback {
  const feedback = existingFeedback(call);
  if (!sees(call, feedback)) throw new Refusal("notFound", "There is no such feedback.");
  return feedback;
}

function page(all: readonly Fields[], { server, query }: Call, size: { default: number; max: number }): Result {
  const { perPageAbove, pastTheEnd } = server.choices;
  const number = Number(query.page ?? 1);
  const asked = Number(query.perPage ?? size.default);
  if (!Number.isInteger(number) || !Number.isInteger(asked) || number < 1 || asked < 1)
    throw new Refusal("invalid", "page or perPage is out of bounds.");
  if (asked > size.max && perPageAbove === "refuse") throw new Refusal("invalid", "perPage is too large.");
  const perPage = Math.min(asked, size.max);
  const data = all.slice((number - 1) * perPage, number * perPage);
  if (data.length === 0 && number > 1 && pastTheEnd === "not-found")
    throw new Refusal("notFound", "There is no such page.");
  return { body: { data, pagination: { page: number, perPage, total: all.length } } };
}

const inOrder = <Item>({ server }: Call, items: readonly Item[]): Item[] =>
  server.choices.order === "newest" ? items.toReversed() : [...items];

const listProjects: Handler = (call) => {
  const { server, account, query } = call;
  const { search, searchDelay } = server.choices;
  const kept = server.projects.filter((project) => {
    const status = statusOf(server, project);
    if (project.deleted || (status === "draft" && project.owner !== account)) return false;
    if (query.status !== undefined && query.status !== status) return false;
    if (query.category !== undefined && query.category !== project.fields.category) return false;
    if (query.search === undefined) return true;
    const text = `${project.fields.title}\n${project.fields.description}`;
    return project.created + searchDelay <= Date.now() && finds(query.search, text, search);
  });
  return page(
    inOrder(call, kept).map((project) => projectItem(server, project, true)),
    call,
    { default: 20, max: 100 },
  );
};

const createProject: Handler = ({ server, account, body }) => {
  const { choices } = server;
  if (account.role === "tester" && !choices.testersCreateProjects)
    throw new Refusal("forbidden", "Only developers create projects.");
  validateProject(body, choices, true);
  const own = server.projects.filter((project) => project.owner === account && !project.deleted);
  if (own.length >= choices.projects) throw new Refusal("conflict", "There are too many projects.");
  const now = Date.now();
  const { status = choices.projectStart, ...fields } = body;
  const project: Project = {
    id: newId("prj", choices.ids),
    owner: account,
    fields: structuredClone(fields),
    status: String(status),
    created: now,
    updated: now,
    views: 0,
    deleted: false,
  };
  server.projects.push(project);
  if (choices.writes === "least") return { created: true, body: { id: project.id, title: project.fields.title } };
  return { created: true, body: projectDetail(server, project) };
};

const getProject: Handler = (call) => {
  const project = visibleProject(call);
  project.views += 1;
  return { body: projectDetail(call.server, project) };
};

const updateProject: Handler = (call) => {
  const { server, body } = call;
  validateProject(body, server.choices, false);
  const project = ownProject(call);
  const { status, ...fields } = body;
  if (typeof status === "string") project.status = status;
  Object.assign(project.fields, structuredClone(fields));
  project.updated = Date.now();
  if (server.choices.writes === "least") return { body: { id: project.id, ...body } };
  return { body: projectDetail(server, project) };
};

const deleteProject: Handler = (call) => {
  ownProject(call).deleted = true;
  return { body: { success: true, message: "The project is deleted." } };
};

const listFeedback: Handler = (call) => {
  const { server, account, query } = call;
  const project = visibleProject(call);
  if (account.role === "tester" && server.choices.testersSeeFeedback === "none")
    throw new Refusal("forbidden", "Testers do not list feedback.");
  const kept = server.feedback.filter(
    (one) =>
      one.project === project &&
      sees(call, one) &&
      [undefined, statusOf(server, one)].includes(query.status) &&
      [undefined, one.author.id].includes(query.testerId),
  );
  const ordered = inOrder(call, kept);
  const keys: Record<string, (one: Feedback) => number> = {
    date: (one) => one.created,
    rating: (one) => Number(one.fields.overallRating),
    helpful: (one) => one.marks.length,
  };
  const key = keys[query.sort ?? ""];
  if (query.sort !== undefined && !key) throw new Refusal("invalid", "sort is unknown.");
  const sign = server.choices.sort === "falling" ? -1 : 1;
  if (key) ordered.sort((one, other) => sign * (key(one) - key(other)));
  return page(
    ordered.map((one) => feedbackItem(server, one, true)),
    call,
    server.choices.feedbackPerPage,
  );
};

const createFeedback: Handler = (call) => {
  const { server, account, body } = call;
  const { choices } = server;
  validateFeedback(body, choices, true);
  const project = visibleProject(call);
  if (account.role === "developer" && !choices.developersSubmitFeedback)
    throw new Refusal("forbidden", "Only testers submit feedback.");
  if (choices.feedbackOn === "active" && statusOf(server, project) !== "active")
    throw new Refusal("conflict", "The project takes no feedback.");
  const own = server.feedback.filter((one) => one.project === project && one.author === account);
  if (own.length >= choices.feedbackPerTester) throw new Refusal("conflict", "There is feedback of yours already.");
  const asDraft = Object.entries(choices.draft).every(([name, value]) => body[name] === value);
  const { bugs = [], ...fields } = body;
  const feedback: Feedback = {
    id: newId("fb", choices.ids),
    project,
    author: account,
    fields: structuredClone(fields),
    bugs: withIds(server, bugs),
    status: asDraft ? "draft" : "submitted",
    created: Date.now(),
    marks: [],
    replies: [],
  };
  server.feedback.push(feedback);
  const { id, status, createdAt } = feedbackItem(server, feedback);
  if (choices.writes === "least") return { created: true, body: { id, status, createdAt } };
  return { created: true, body: feedbackDetail(server, feedback) };
};

function withIds(server: World, bugs: unknown): Record<string, unknown>[] {
  const { bugIds, ids } = server.choices;
  return (Array.isArray(bugs) ? bugs : []).map((bug, n) => ({
    ...structuredClone(fieldsOf(bug)),
    id: bugIds === "local" ? String(n + 1) : newId("bug", ids),
  }));
}

const getFeedback: Handler = (call) => ({ body: feedbackDetail(call.server, visibleFeedback(call)) });

const updateFeedback: Handler = (call) => {
  const { server, account, body } = call;
  validateFeedback(body, server.choices, false);
  const feedback = existingFeedback(call);
  if (feedback.author !== account)
    throw new Refusal(sees(call, feedback) ? "forbidden" : "notFound", "It is not yours.");
  if (!isDraft(server, feedback)) throw new Refusal("conflict", "The feedback is no draft.");
  const { status, bugs, ...fields } = body;
  Object.assign(feedback.fields, structuredClone(fields));
  if (bugs !== undefined) feedback.bugs = withIds(server, bugs);
  if (status === "submitted") feedback.status = "submitted";
  const { id, overallRating } = feedbackItem(server, feedback);
  return { body: server.choices.writes === "least" ? { id, overallRating } : feedbackDetail(server, feedback) };
};

const markFeedbackHelpful: Handler = (call) => {
  const { server, account } = call;
  if (account.role !== "developer") throw new Refusal("forbidden", "Only developers mark feedback.");
  const { marks, ...feedback } = visibleFeedback(call);
  const mine = marks.indexOf(account.id);
  if (server.choices.marks === "toggle" && mine >= 0) marks.splice(mine, 1);
  else if (server.choices.marks === "add" || mine < 0) marks.push(account.id);
  const { statusAfterMark } = server.choices;
  if (statusAfterMark !== undefined) visibleFeedback({ ...call, id: feedback.id }).status = statusAfterMark;
  return { body: { success: true, helpfulCount: marks.length } };
};

const replyToFeedback: Handler = (call) => {
  const { server, account, body } = call;
  if (account.role !== "developer") throw new Refusal("forbidden", "Only developers reply.");
  const feedback = visibleFeedback(call);
  if (typeof body.message !== "string" || body.message === "") throw new Refusal("invalid", "message is required.");
  const items = Array.isArray(body.resolvedItems) ? body.resolvedItems : [];
  if (items.some((item) => !feedback.bugs.some(({ id }) => id === item)))
    throw new Refusal("invalid", "resolvedItems names an unknown bug.");
  const response = { message: body.message, resolvedItems: items, created: Date.now() };
  if (server.choices.replies === "replace") feedback.replies.length = 0;
  feedback.replies.push(response);
  if (server.choices.statusAfterReply !== undefined) feedback.status = server.choices.statusAfterReply;
  return { body: { success: true, developerResponse: replyView(server, response) } };
};

const handlers: Readonly<Record<string, Handler>> = {
  "GET /projects": listProjects,
  "POST /projects": createProject,
  "GET /projects/{id}": getProject,
  "PATCH /projects/{id}": updateProject,
  "DELETE /projects/{id}": deleteProject,
  "GET /projects/{id}/feedback": listFeedback,
  "POST /projects/{id}/feedback": createFeedback,
  "GET /feedback/{id}": getFeedback,
  "PATCH /feedback/{id}": updateFeedback,
  "POST /feedback/{id}/helpful": markFeedbackHelpful,
  "POST /feedback/{id}/reply": replyToFeedback,
};
