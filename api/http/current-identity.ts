import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Identity } from '#libs/accounts/identity.js';

export interface AuthenticatedRequest extends Request {
  identity: Identity;
}

export const CurrentIdentity = createParamDecorator(
  (_: unknown, context: ExecutionContext): Identity =>
    context.switchToHttp().getRequest<AuthenticatedRequest>().identity,
);
