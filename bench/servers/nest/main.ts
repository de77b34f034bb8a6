// NestJS on Fastify as its documentation teaches it: guards, @nestjs/throttler, pipes, controllers, an exception filter.
import "reflect-metadata";
import { NestFactory } from "@nestjs/core";
import { FastifyAdapter, type NestFastifyApplication } from "@nestjs/platform-fastify";
import { serializable } from "../contract.ts";
import { announce, type Dependencies, host } from "../program.ts";
import { AppModule } from "./app.module.ts";
import { SURROUNDINGS } from "./surroundings.ts";

const adapter = new FastifyAdapter({ logger: { level: process.env.LOG_LEVEL ?? "info" } });
adapter.getInstance().removeContentTypeParser("text/plain");
for (const schema of serializable) adapter.getInstance().addSchema(schema);
const app = await NestFactory.create<NestFastifyApplication>(AppModule, adapter, {
  // Fastify's own JSON parser alone: Nest would add one for forms, which the contract does not take.
  bodyParser: false,
  logger: ["warn", "error"],
});
const around = app.get<Dependencies>(SURROUNDINGS);
await app.listen(around.port, host);
announce(around, () => app.close());
