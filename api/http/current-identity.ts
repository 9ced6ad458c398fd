import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Identity } from '#libs/accounts/identity.js';

/** A request that the {@link TokenGuard} let through. */
export interface AuthenticatedRequest extends Request {
  identity: Identity;
}

/** The caller of a route that asks for a token, as an {@link Identity}. */
export const CurrentIdentity = createParamDecorator(
  (_: unknown, context: ExecutionContext): Identity =>
    context.switchToHttp().getRequest<AuthenticatedRequest>().identity,
);
