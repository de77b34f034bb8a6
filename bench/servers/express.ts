// Express as its users build an API: express-openapi-validator on the contract, express-rate-limit, pino-http.

import { webUrlFault } from "@project-feedback/server/contract/web-url";
import type { Principal } from "@project-feedback/server/domain/account";
import { asHttpError, badRequest } from "@project-feedback/server/errors";
import express, { type NextFunction, type Request, type Response } from "express";
import * as OpenApiValidator from "express-openapi-validator";
import { rateLimit, type Store } from "express-rate-limit";
import { pinoHttp } from "pino-http";
import { findPrincipal, keyIn } from "./accounts.ts";
import { document } from "./contract.ts";
import { hit, windowMs } from "./counter.ts";
import { bodyOf, unauthorized } from "./errors.ts";
import { Operations, type ProjectCreate } from "./operations.ts";
import { closeServer, host, onListening, openDependencies } from "./program.ts";

const dependencies = await openDependencies();
const { database, allowances } = dependencies;
const operations = new Operations(database);
const callerOf = (response: Response) => response.locals.principal as Principal;

const sharedStore: Store = {
  increment: async (key) => {
    const { hits, endsAt } = await hit(database, key);
    return { totalHits: hits, resetTime: endsAt };
  },
  decrement: () => {},
  resetKey: () => {},
};

// The validator compiles the schemas itself and takes formats, but no keywords. By default, it refuses "+" in a query.
const apiSpec = JSON.parse(
  JSON.stringify(document)
    .replaceAll('"x-well-formed":true', '"format":"well-formed"')
    .replaceAll('"x-web-url":true', '"format":"web-url"')
    .replaceAll('"in":"query"', '"in":"query","allowReserved":true'),
);
const wellFormed = { type: "string", validate: (text: string) => text.isWellFormed() } as const;
const webUrl = { type: "string", validate: (text: string) => webUrlFault(text) === undefined } as const;

/** The contract's `x-ordered`, which no format can express. */
function requireOrder({ body }: Request<unknown, unknown, ProjectCreate>, _response: Response, next: NextFunction) {
  const { minTesters, maxTesters } = body.testingRequirements ?? {};
  if (minTesters == null || maxTesters == null || minTesters <= maxTesters) return next();
  throw badRequest([{ in: "body", at: "/testingRequirements", message: "must have minTesters <= maxTesters" }]);
}

const app = express();
app.set("query parser", "simple").set("etag", false).disable("x-powered-by");
app.use(
  pinoHttp({
    level: dependencies.logLevel,
    // What Fastify logs. By default, all headers would be logged, with the key.
    serializers: {
      req: ({ id, method, url }) => ({ id, method, url }),
      res: ({ statusCode }) => ({ statusCode }),
    },
  }),
);
app.use(async (request, response, next) => {
  const key = keyIn(request.headers.authorization);
  const principal = key === undefined ? null : await findPrincipal(database, key);
  if (!principal) return void response.status(401).set("WWW-Authenticate", "Bearer").json(unauthorized);
  response.locals.principal = principal;
  next();
});
app.use(
  rateLimit({
    windowMs,
    store: sharedStore,
    keyGenerator: (_request, response) => callerOf(response).accountId,
    limit: (_request, response) => allowances[callerOf(response).plan],
    message: bodyOf(429, "The allowance is used up. Try again later."),
  }),
);
app.use(express.json({ limit: "1mb" }));
app.use(
  OpenApiValidator.middleware({
    apiSpec,
    formats: { "well-formed": wellFormed, "web-url": webUrl },
    validateRequests: true,
    // Whose key it is was found out before the body was read.
    validateSecurity: false,
    fileUploader: false,
  }),
);

const api = express.Router();
api.get("/projects", async (request, response) => {
  response.json(await operations.listProjects(callerOf(response), request.query));
});
api.get("/projects/:id", async (request, response) => {
  response.json(await operations.getProject(callerOf(response), request.params.id));
});
api.get("/projects/:projectId/feedback", async (request, response) => {
  response.json(await operations.listFeedback(callerOf(response), request.params.projectId, request.query));
});
api.post("/projects", requireOrder, async (request, response) => {
  const project = await operations.createProject(callerOf(response), request.body);
  response.status(201).location(`/v1/projects/${project.id}`).json(project);
});
api.post("/projects/:projectId/feedback", async (request, response) => {
  const feedback = await operations.createFeedback(callerOf(response), request.params.projectId, request.body);
  response.status(201).location(`/v1/feedback/${feedback.id}`).json(feedback);
});
app.use("/v1", api);

app.use((_request, response) => void response.status(404).json(bodyOf(404, "There is no such path.")));
app.use((error: Error & { status?: number }, request: Request, response: Response, _next: NextFunction) => {
  const expected = asHttpError(error);
  if (expected) return void response.status(expected.status).json(expected.body);
  const { status = 500, message } = error;
  if (status >= 500) request.log.error(error);
  response.status(status).json(bodyOf(status, message));
});

const server = app.listen(dependencies.port, host, () => onListening(dependencies, () => closeServer(server)));
