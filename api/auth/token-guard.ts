import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { AppError } from '#libs/contract/errors.js';
import type { scopeOf } from '#libs/contract/routes/define-route.js';
import { RateLimits } from '../http/rate-limits.js';
import { OperatorAccess, OPERATORS_ONLY } from '#libs/operators/operator-access.js';
import { ADMIN, type AuthenticatedRequest, PUBLIC, SCOPE } from '../http/route.js';
import { requireScope } from '../http/key-scopes.js';
import { UnsentAnswers } from '../http/unsent-answers.js';
import { Callers } from './callers.js';

/** Runs before every route: identifies the user, applies rate limits, and creates the user's row if it is missing. */
@Injectable()
export class TokenGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly callers: Callers,
    private readonly limits: RateLimits,
    private readonly operators: OperatorAccess,
    private readonly unsent: UnsentAnswers,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    // The guard also runs for sockets, which are already authenticated in their handshake.
    if (context.getType() !== 'http') return true;
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const response = context.switchToHttp().getResponse<Response>();
    if (this.reflector.getAllAndOverride<boolean>(PUBLIC, [context.getHandler(), context.getClass()])) {
      if (!isSignedWebhook(request))
        await this.limits.countAddress(request.ip, response, addressLimitOf(request));
      return true;
    }
    const caller = await this.callers.identify(request, response, { isSubmission: isSubmission(request) });
    request.caller = caller;
    this.unsent.count(caller.userId, response);
    const scope = this.reflector.get<ReturnType<typeof scopeOf>>(SCOPE, context.getHandler());
    if (caller.apiKey) requireScope(caller.apiKey, scope);
    else request.identity = caller;
    if (this.reflector.get<boolean>(ADMIN, context.getHandler())) {
      if (!request.identity) throw new AppError('FORBIDDEN', OPERATORS_ONLY);
      request.operator = await this.operators.require(request.identity);
    }
    return true;
  }
}

function addressLimitOf({ path }: Request) {
  if (path.startsWith('/health/')) return 'probes';
  return path.startsWith('/files/') || path.startsWith('/c/') ? 'files' : 'addresses';
}

/**
 * True for webhooks of Clerk and Stripe, which are not limited by address, since all come from few addresses. Their handlers
 * limit invalid signatures, and all calls if the service is not configured.
 */
const isSignedWebhook = ({ path }: Request) =>
  path === '/api/webhooks/clerk' || path === '/api/webhooks/stripe';

const isSubmission = ({ method, path }: Request) =>
  method === 'POST' &&
  (/^\/api\/ai\/[^/]+\/?$/.test(path) ||
    /^\/api\/batches\/?$/.test(path) ||
    /^\/api\/flows\/[^/]+\/?$/.test(path) ||
    /^\/api\/jobs\/[^/]+\/retry\/?$/.test(path));
