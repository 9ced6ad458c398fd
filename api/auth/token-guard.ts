import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { API_KEY_PREFIX } from '#libs/api-keys/key-form.js';
import { ApiKeys } from '#libs/api-keys/api-keys.js';
import {
  TOKEN_VERIFIER,
  type ApiKeyGrant,
  type Identity,
  type TokenVerifier,
} from '#libs/accounts/identity.js';
import { Users } from '#libs/accounts/users.js';
import { AppError } from '#libs/contract/errors.js';
import type { scopeOf } from '#libs/contract/routes/define-route.js';
import { addToLogContext } from '#libs/observability/log-context.js';
import { RateLimits } from '../http/rate-limits.js';
import { type AuthenticatedRequest, PUBLIC, SCOPE } from '../http/route.js';
import { requireScope } from '../http/key-scopes.js';

type KeyCaller = { userId: string; apiKey: ApiKeyGrant };

/** Runs before every route: identifies the user, applies rate limits, and creates the user's row if it is missing. */
@Injectable()
export class TokenGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    @Inject(TOKEN_VERIFIER) private readonly verifier: TokenVerifier,
    private readonly apiKeys: ApiKeys,
    private readonly users: Users,
    private readonly limits: RateLimits,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    // The guard also runs for sockets, which are already authenticated in their handshake.
    if (context.getType() !== 'http') return true;
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const response = context.switchToHttp().getResponse<Response>();
    if (this.reflector.getAllAndOverride<boolean>(PUBLIC, [context.getHandler(), context.getClass()])) {
      if (isPublicFile(request)) await this.limits.countAddress(request.ip, response, 'files');
      else if (!isProbe(request) && !isWebhook(request)) await this.limits.countAddress(request.ip, response);
      return true;
    }
    const caller = await this.identify(request, response);
    addToLogContext({ userId: caller.userId, apiKeyId: caller.apiKey?.id });
    await this.limits.countCaller(caller, isSubmission(request), response);
    request.caller = caller;
    if (caller.apiKey) {
      requireScope(
        caller.apiKey,
        this.reflector.get<ReturnType<typeof scopeOf>>(SCOPE, context.getHandler()),
      );
    } else {
      request.identity = caller;
      await this.users.ensureUser(caller);
    }
    return true;
  }

  private async identify(request: Request, response: Response): Promise<Identity | KeyCaller> {
    const token = bearerToken(request);
    try {
      if (!token.startsWith(API_KEY_PREFIX)) return await this.verifier.verify(token);
      const { userId, ...apiKey } = await this.apiKeys.verify(token);
      return { userId, apiKey };
    } catch (error) {
      if (error instanceof AppError && error.code === 'UNAUTHENTICATED')
        await this.limits.countAddress(request.ip, response);
      throw error;
    }
  }
}

function bearerToken(request: Request): string {
  return /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
}

const isProbe = (request: Request) => request.path.startsWith('/health/');

const isPublicFile = ({ path }: Request) => path.startsWith('/files/') || path.startsWith('/c/');

/**
 * True for webhooks, which are not limited by address, since all come from few addresses. Their handler limits invalid
 * signatures.
 */
const isWebhook = (request: Request) => request.path.startsWith('/api/webhooks/');

const isSubmission = ({ method, path }: Request) =>
  method === 'POST' &&
  (/^\/api\/ai\/[^/]+\/?$/.test(path) ||
    /^\/api\/batches\/?$/.test(path) ||
    /^\/api\/flows\/[^/]+\/?$/.test(path) ||
    /^\/api\/jobs\/[^/]+\/retry\/?$/.test(path));
