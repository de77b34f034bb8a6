// The floor: Node's HTTP and MongoDB's driver with the same queries and nothing else. No keys, no allowances, no
// validation, no log, no views. It is the least that any server of this service costs.
import { createServer, type IncomingMessage } from "node:http";
import type { Principal } from "@project-feedback/server/domain/account";
import { createFeedback, feedbackDetail, type NewId } from "@project-feedback/server/domain/feedback";
import { createProject, everybody, type Project, projectDetail } from "@project-feedback/server/domain/project";
import * as feedbackRecords from "@project-feedback/server/store/feedback-repository";
import * as projectRecords from "@project-feedback/server/store/project-repository";
import { ObjectId } from "mongodb";
import { listFeedback, listProjects, toProject } from "./operations.ts";
import { closeServer, host, onListening, openDependencies } from "./program.ts";

const dependencies = await openDependencies();
const { database } = dependencies;
const caller: Principal = { accountId: "acc_floor", keyId: "key_floor", role: "developer", plan: "team" };
const newId: NewId = (prefix) => `${prefix}_${new ObjectId().toHexString()}`;

type Reply = readonly [status: number, body: unknown];

async function reply(request: IncomingMessage): Promise<Reply> {
  const { pathname, searchParams } = new URL(request.url ?? "", "http://floor");
  const [, , , id, collection] = pathname.split("/");
  const creates = request.method === "POST";
  if (id === undefined) return creates ? postProject(await bodyOf(request)) : getProjects(searchParams);
  if (collection === undefined) return getProject(id);
  return creates ? postFeedback(id, await bodyOf(request)) : getFeedback(id, searchParams);
}

async function getProjects(search: URLSearchParams): Promise<Reply> {
  return [200, await listProjects(database, [everybody], queryOf(search))];
}

async function getProject(_id: string): Promise<Reply> {
  const document = await database.projects.findOne({ _id });
  return document ? [200, projectDetail(toProject(document))] : [404, {}];
}

async function getFeedback(projectId: string, search: URLSearchParams): Promise<Reply> {
  return [200, await listFeedback(database, caller.accountId, projectId, queryOf(search))];
}

async function postProject(body: Parameters<typeof createProject>[0]): Promise<Reply> {
  const project = createProject(body, caller, newId("prj"), new Date());
  await database.projects.insertOne(projectRecords.toDocument(project));
  return [201, projectDetail(project)];
}

async function postFeedback(id: string, body: Parameters<typeof createFeedback>[0]): Promise<Reply> {
  const project = { id, status: "active" } as Project;
  const created = createFeedback(body, project, caller, newId, new Date());
  await Promise.all([
    database.feedback.insertOne(feedbackRecords.toDocument(created)),
    database.projects.updateOne({ _id: id }, { $inc: { [`counts.${created.status}`]: 1 } }),
  ]);
  return [201, feedbackDetail(created, project, caller)];
}

function queryOf(search: URLSearchParams): object {
  return Object.fromEntries([...search].map(([name, value]) => [name, name.includes("age") ? Number(value) : value]));
}

async function bodyOf<Body>(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as Body;
}

const server = createServer((request, response) => {
  reply(request).then(
    ([status, body]) => {
      const text = JSON.stringify(body);
      response.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) });
      response.end(text);
    },
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
server.listen(dependencies.port, host, () => onListening(dependencies, () => closeServer(server)));
