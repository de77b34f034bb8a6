import { type ArgumentsHost, Catch, type ExceptionFilter, HttpException, Logger } from "@nestjs/common";
import { asHttpError } from "@project-feedback/server/errors";
import type { FastifyReply } from "fastify";
import { bodyOf } from "../errors.ts";

/** Gives every error the contract's body. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly logger = new Logger(ErrorFilter.name);

  catch(error: Error & { statusCode?: number }, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    const expected = asHttpError(error);
    if (expected) return void reply.code(expected.status).send(expected.body);
    const status = error instanceof HttpException ? error.getStatus() : (error.statusCode ?? 500);
    if (status >= 500) this.logger.error(error);
    reply.code(status).send(bodyOf(status, error.message));
  }
}
