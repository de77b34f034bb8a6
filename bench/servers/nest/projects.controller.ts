import { Body, Controller, Get, Param, Post, Query, Res } from "@nestjs/common";
import { RouteSchema } from "@nestjs/platform-fastify";
import type { Principal } from "@project-feedback/server/domain/account";
import type { FastifyReply } from "fastify";
import { type OperationId, schemasOf } from "../contract.ts";
import {
  type FeedbackCreate,
  type FeedbackQuery,
  Operations,
  type ProjectCreate,
  type ProjectsQuery,
} from "../operations.ts";
import { AllHeaders, ContractPipe } from "./contract.pipe.ts";
import { Caller } from "./key.guard.ts";

/** Lets fast-json-stringify write the answer. Requests are validated by pipes, after the guards. */
const Answers = (id: OperationId) => RouteSchema({ response: schemasOf(id).response });

@Controller("v1/projects")
export class ProjectsController {
  constructor(private readonly operations: Operations) {}

  @Get()
  @Answers("listProjects")
  list(@Caller() caller: Principal, @Query(new ContractPipe("listProjects", "querystring")) query: ProjectsQuery) {
    return this.operations.listProjects(caller, query);
  }

  @Get(":id")
  @Answers("getProject")
  get(
    @Caller() caller: Principal,
    @Param("id") id: string,
    @Query(new ContractPipe("getProject", "querystring")) _query: unknown,
  ) {
    return this.operations.getProject(caller, id);
  }

  @Get(":id/feedback")
  @Answers("listFeedback")
  listFeedback(
    @Caller() caller: Principal,
    @Param("id") id: string,
    @Query(new ContractPipe("listFeedback", "querystring")) query: FeedbackQuery,
  ) {
    return this.operations.listFeedback(caller, id, query);
  }

  @Post()
  @Answers("createProject")
  async create(
    @Caller() caller: Principal,
    @Query(new ContractPipe("createProject", "querystring")) _query: unknown,
    @AllHeaders(new ContractPipe("createProject", "headers")) _headers: unknown,
    @Body(new ContractPipe("createProject", "body")) body: ProjectCreate,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const project = await this.operations.createProject(caller, body);
    reply.header("location", `/v1/projects/${project.id}`);
    return project;
  }

  @Post(":id/feedback")
  @Answers("createFeedback")
  async createFeedback(
    @Caller() caller: Principal,
    @Param("id") id: string,
    @Query(new ContractPipe("createFeedback", "querystring")) _query: unknown,
    @AllHeaders(new ContractPipe("createFeedback", "headers")) _headers: unknown,
    @Body(new ContractPipe("createFeedback", "body")) body: FeedbackCreate,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const feedback = await this.operations.createFeedback(caller, id, body);
    reply.header("location", `/v1/feedback/${feedback.id}`);
    return feedback;
  }
}
