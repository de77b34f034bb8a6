import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from "@nestjs/common";
import type { FastifyReply } from "fastify";
import { Refusal } from "../../../packages/server/src/errors.ts";
import { bodyOf } from "../errors.ts";

/** Gives every error the contract's body. */
@Catch()
export class RefusalFilter implements ExceptionFilter {
  private readonly logger = new Logger(RefusalFilter.name);

  catch(error: Error & { statusCode?: number }, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    if (error instanceof Refusal) return void reply.code(error.status).send(error.body);
    const status = error instanceof HttpException ? error.getStatus() : (error.statusCode ?? 500);
    if (status >= 500) this.logger.error(error);
    reply.code(status).send(bodyOf(status, error.message));
  }
}
