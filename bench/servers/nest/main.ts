// NestJS on Fastify as its documentation teaches it: guards, @nestjs/throttler, pipes, controllers, an exception filter.
import "reflect-metadata";
import { NestFactory } from "@nestjs/core";
import { FastifyAdapter, type NestFastifyApplication } from "@nestjs/platform-fastify";
import { serializable } from "../contract.ts";
import { type Dependencies, host, onListening } from "../program.ts";
import { AppModule } from "./app.module.ts";
import { DEPENDENCIES } from "./dependencies.ts";

const adapter = new FastifyAdapter({ logger: { level: process.env.LOG_LEVEL ?? "info" } });
adapter.getInstance().removeContentTypeParser("text/plain");
for (const schema of serializable) adapter.getInstance().addSchema(schema);
const app = await NestFactory.create<NestFastifyApplication>(AppModule, adapter, {
  // Fastify's own JSON parser alone: Nest would add one for forms, which the contract does not take.
  bodyParser: false,
  logger: ["warn", "error"],
});
const dependencies = app.get<Dependencies>(DEPENDENCIES);
await app.listen(dependencies.port, host);
onListening(dependencies, () => app.close());
