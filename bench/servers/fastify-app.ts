// Fastify as its documentation teaches it: a schema for every route, plugins for keys and allowances, pino's log.

import bearerAuth from "@fastify/bearer-auth";
import rateLimit, { type FastifyRateLimitStoreCtor } from "@fastify/rate-limit";
import type { Principal } from "@project-feedback/server/domain/account";
import { asHttpError, HttpError } from "@project-feedback/server/errors";
import fastify, { type FastifyInstance } from "fastify";
import { compile, type JsonSchema, schemasOf, serializable } from "./contract.ts";
import { windowMs } from "./counter.ts";
import { bodyOf, unauthorized } from "./errors.ts";
import {
  type FeedbackCreate,
  type FeedbackQuery,
  Operations,
  type ProjectCreate,
  type ProjectsQuery,
} from "./operations.ts";
import { type Dependencies, host, onListening } from "./program.ts";

declare module "fastify" {
  interface FastifyRequest {
    principal: Principal | null;
  }
}

/** The caller; the hook that checks keys runs before every handler. */
function callerOf({ principal }: { principal: Principal | null }): Principal {
  if (!principal) throw new Error("there is no principal before the key is checked");
  return principal;
}

/** What the two Fastify servers do differently. */
export interface Variant {
  readonly dependencies: Dependencies;
  /** The owner of a key; null for a key that is not valid. */
  findPrincipal(key: string): Promise<Principal | null>;
  /** Where allowances are counted; in the memory of the process if left out. */
  readonly store?: FastifyRateLimitStoreCtor;
}

/** Serves the five operations until SIGTERM or SIGINT. */
export async function serveFastify({ dependencies, findPrincipal, store }: Variant): Promise<void> {
  const { database, allowances } = dependencies;
  const operations = new Operations(database);
  const app = fastify({ logger: { level: dependencies.logLevel } });
  app.removeContentTypeParser("text/plain");
  app.setValidatorCompiler<JsonSchema>(({ schema, httpPart }) => compile(schema, httpPart));
  for (const schema of serializable) app.addSchema(schema);
  app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const expected = asHttpError(error);
    if (expected) return reply.code(expected.status).send(expected.body);
    const { statusCode = 500 } = error;
    if (statusCode >= 500) request.log.error(error);
    return reply.code(statusCode).send(bodyOf(statusCode, error.message));
  });
  app.setNotFoundHandler((_request, reply) => {
    reply.code(404).send(bodyOf(404, "There is no such path."));
  });

  app.decorateRequest("principal", null);
  await app.register(bearerAuth, {
    keys: [],
    specCompliance: "rfc6749",
    auth: async (key, request) => {
      request.principal = await findPrincipal(key);
      return request.principal !== null;
    },
    errorResponse: () => unauthorized,
  });
  await app.register(rateLimit, {
    ...(store && { store }),
    timeWindow: windowMs,
    keyGenerator: (request) => callerOf(request).accountId,
    max: (request) => allowances[callerOf(request).plan],
    errorResponseBuilder: (_request, { after }) =>
      new HttpError("TooManyRequests", `The allowance is used up. Try again in ${after}.`),
  });

  async function routes(api: FastifyInstance): Promise<void> {
    api.get<{ Querystring: ProjectsQuery }>("/projects", { schema: schemasOf("listProjects") }, (request) =>
      operations.listProjects(callerOf(request), request.query),
    );
    api.get<{ Params: { id: string } }>("/projects/:id", { schema: schemasOf("getProject") }, (request) =>
      operations.getProject(callerOf(request), request.params.id),
    );
    api.get<{ Params: { id: string }; Querystring: FeedbackQuery }>(
      "/projects/:id/feedback",
      { schema: schemasOf("listFeedback") },
      (request) => operations.listFeedback(callerOf(request), request.params.id, request.query),
    );
    api.post<{ Body: ProjectCreate }>("/projects", { schema: schemasOf("createProject") }, async (request, reply) => {
      const project = await operations.createProject(callerOf(request), request.body);
      return reply.code(201).header("location", `/v1/projects/${project.id}`).send(project);
    });
    api.post<{ Params: { id: string }; Body: FeedbackCreate }>(
      "/projects/:id/feedback",
      { schema: schemasOf("createFeedback") },
      async (request, reply) => {
        const feedback = await operations.createFeedback(callerOf(request), request.params.id, request.body);
        return reply.code(201).header("location", `/v1/feedback/${feedback.id}`).send(feedback);
      },
    );
  }
  await app.register(routes, { prefix: "/v1" });

  await app.listen({ port: dependencies.port, host });
  onListening(dependencies, () => app.close());
}
