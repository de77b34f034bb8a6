import { BadRequestException, createParamDecorator, type ExecutionContext, type PipeTransform } from "@nestjs/common";
import type { ValidateFunction } from "ajv";
import type { FastifyRequest } from "fastify";
import { compile, type OperationId, schemasOf } from "../contract.ts";
import { bodyOf } from "../errors.ts";

/** A handler's parameter: all headers. Nest's own `@Headers()` takes no pipe. */
export const AllHeaders = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<FastifyRequest>().headers,
);

/** Validates a part of a request by the contract, instead of DTO classes: all peers have one contract. */
export class ContractPipe<Value> implements PipeTransform<unknown, Value> {
  private readonly validate: ValidateFunction;

  constructor(
    id: OperationId,
    private readonly part: "querystring" | "headers" | "body",
  ) {
    this.validate = compile(schemasOf(id)[part] ?? {}, part);
  }

  transform(value: unknown): Value {
    if (this.validate(value)) return value as Value;
    const [fault] = this.validate.errors ?? [];
    throw new BadRequestException(bodyOf(400, `${this.part}${fault?.instancePath} ${fault?.message}`));
  }
}
