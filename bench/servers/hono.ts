// Hono as its documentation teaches it: its bearer auth, its validator with ajv, its logger, hono-rate-limiter.
import { type ServerType, serve } from "@hono/node-server";
import type { Principal } from "@project-feedback/server/domain/account";
import { asHttpError } from "@project-feedback/server/errors";
import { type Context, Hono, type MiddlewareHandler, type ValidationTargets } from "hono";
import { bearerAuth } from "hono/bearer-auth";
import { bodyLimit } from "hono/body-limit";
import { HTTPException } from "hono/http-exception";
import { logger } from "hono/logger";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { validator } from "hono/validator";
import { rateLimiter, type Store } from "hono-rate-limiter";
import { findPrincipal } from "./accounts.ts";
import { compile, type JsonSchema, type OperationId, schemasOf } from "./contract.ts";
import { hit, windowMs } from "./counter.ts";
import { bodyOf, unauthorized } from "./errors.ts";
import {
  type FeedbackCreate,
  type FeedbackQuery,
  Operations,
  type ProjectCreate,
  type ProjectsQuery,
} from "./operations.ts";
import { host, onListening, openDependencies } from "./program.ts";

interface Env {
  readonly Variables: {
    principal: Principal;
    rateLimit: { limit: number; remaining: number; resetTime: Date };
  };
}

const dependencies = await openDependencies();
const { database, allowances } = dependencies;
const operations = new Operations(database);

const sharedStore: Store<Env> = {
  increment: async (key) => {
    const { hits, endsAt } = await hit(database, key);
    return { totalHits: hits, resetTime: endsAt };
  },
  decrement: () => {},
  resetKey: () => {},
};

function setHeaders(context: Context<Env>): void {
  const { limit, remaining, resetTime } = context.get("rateLimit");
  context.header("X-RateLimit-Limit", String(limit));
  context.header("X-RateLimit-Remaining", String(remaining));
  context.header("X-RateLimit-Reset", String(Math.ceil(resetTime.getTime() / 1_000)));
}

const headers: MiddlewareHandler<Env> = async (context, next) => {
  setHeaders(context);
  await next();
};

/** Validates a part of a request by the contract. */
function checked<Value>(target: keyof ValidationTargets, schema: JsonSchema | undefined) {
  const validate = compile(schema ?? {}, target === "json" ? "body" : target);
  return validator(target, (value: unknown, context: Context) => {
    // The validator treats a body of another media type as an empty one.
    if (target === "json" && !/^application\/json\b/i.test(context.req.header("content-type") ?? "")) {
      throw new HTTPException(415, { message: "The body is not sent as JSON." });
    }
    if (validate(value)) return value as Value;
    const [fault] = validate.errors ?? [];
    throw new HTTPException(400, { message: `${target}${fault?.instancePath} ${fault?.message}` });
  });
}
const query = <Query>(id: OperationId) => checked<Query>("query", schemasOf(id).querystring);
const body = <Body>(id: OperationId) => checked<Body>("json", schemasOf(id).body);
const header = (id: OperationId) => checked("header", schemasOf(id).headers);

const app = new Hono<Env>();
if (dependencies.logLevel !== "silent") app.use(logger());
app.use(
  bearerAuth({
    verifyToken: async (key, context: Context<Env>) => {
      const principal = await findPrincipal(database, key);
      if (principal) context.set("principal", principal);
      return principal !== null;
    },
    noAuthenticationHeader: { message: unauthorized },
    // By default, a 400.
    invalidAuthenticationHeader: { message: () => Response.json(unauthorized, { status: 401 }) },
    invalidToken: { message: unauthorized },
  }),
  rateLimiter<Env>({
    windowMs,
    store: sharedStore,
    standardHeaders: false,
    keyGenerator: (context) => context.get("principal").accountId,
    limit: (context) => allowances[context.get("principal").plan],
    handler: (context) => {
      setHeaders(context);
      return context.json(bodyOf(429, "The allowance is used up. Try again later."), 429);
    },
  }),
  headers,
  bodyLimit({
    maxSize: 1_048_576,
    onError: (context) => context.json(bodyOf(413, "The body is larger than 1 MiB."), 413),
  }),
);

const api = app.basePath("/v1");
api.get("/projects", query<ProjectsQuery>("listProjects"), async (context) =>
  context.json(await operations.listProjects(context.get("principal"), context.req.valid("query"))),
);
api.get("/projects/:id", query("getProject"), async (context) =>
  context.json(await operations.getProject(context.get("principal"), context.req.param("id"))),
);
api.get("/projects/:id/feedback", query<FeedbackQuery>("listFeedback"), async (context) => {
  const page = await operations.listFeedback(
    context.get("principal"),
    context.req.param("id"),
    context.req.valid("query"),
  );
  return context.json(page);
});
api.post(
  "/projects",
  query("createProject"),
  header("createProject"),
  body<ProjectCreate>("createProject"),
  async (context) => {
    const project = await operations.createProject(context.get("principal"), context.req.valid("json"));
    return context.json(project, 201, { Location: `/v1/projects/${project.id}` });
  },
);
api.post(
  "/projects/:id/feedback",
  query("createFeedback"),
  header("createFeedback"),
  body<FeedbackCreate>("createFeedback"),
  async (context) => {
    const { id } = context.req.param();
    const feedback = await operations.createFeedback(context.get("principal"), id, context.req.valid("json"));
    return context.json(feedback, 201, { Location: `/v1/feedback/${feedback.id}` });
  },
);

app.notFound((context) => context.json(bodyOf(404, "There is no such path."), 404));
app.onError((error, context) => {
  const expected = asHttpError(error);
  if (expected) return context.json(expected.body, expected.status as ContentfulStatusCode);
  if (error instanceof HTTPException)
    return error.res ?? context.json(bodyOf(error.status, error.message), error.status);
  console.error(error);
  return context.json(bodyOf(500, ""), 500);
});

const server: ServerType = serve({ fetch: app.fetch, port: dependencies.port, hostname: host }, () =>
  onListening(dependencies, () => server.close()),
);
