import {
  type CanActivate,
  createParamDecorator,
  type ExecutionContext,
  Inject,
  Injectable,
  UnauthorizedException,
} from "@nestjs/common";
import type { Principal } from "@project-feedback/server/domain/account";
import type { FastifyRequest } from "fastify";
import { findPrincipal, keyIn } from "../accounts.ts";
import { unauthorized } from "../errors.ts";
import type { Dependencies } from "../program.ts";
import { DEPENDENCIES } from "./dependencies.ts";

type Known = FastifyRequest & { principal?: Principal };

/** Lets requests with a valid key pass, and sets their principal. */
@Injectable()
export class KeyGuard implements CanActivate {
  constructor(@Inject(DEPENDENCIES) private readonly dependencies: Dependencies) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Known>();
    const key = keyIn(request.headers.authorization);
    const principal = key === undefined ? null : await findPrincipal(this.dependencies.database, key);
    if (!principal) throw new UnauthorizedException(unauthorized);
    request.principal = principal;
    return true;
  }
}

/** The caller; the guard runs before every handler. */
export function callerOf(context: ExecutionContext): Principal {
  const { principal } = context.switchToHttp().getRequest<Known>();
  if (!principal) throw new UnauthorizedException(unauthorized);
  return principal;
}

/** A handler's parameter: the caller. */
export const Caller = createParamDecorator((_data: unknown, context: ExecutionContext) => callerOf(context));
