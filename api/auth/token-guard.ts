import { Inject, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { TOKEN_VERIFIER, type Identity, type TokenVerifier } from '#libs/accounts/identity.js';
import { Users } from '#libs/accounts/users.js';
import { AppError } from '#libs/contract/errors.js';
import { addToLogContext } from '#libs/observability/log-context.js';
import { RateLimits } from '../http/rate-limits.js';
import { type AuthenticatedRequest, PUBLIC } from '../http/route.js';

/** Runs before every route: identifies the user, applies rate limits, and creates the user's row if it is missing. */
@Injectable()
export class TokenGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    @Inject(TOKEN_VERIFIER) private readonly verifier: TokenVerifier,
    private readonly users: Users,
    private readonly limits: RateLimits,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    // The guard also runs for sockets, which are already authenticated in their handshake.
    if (context.getType() !== 'http') return true;
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (this.reflector.getAllAndOverride<boolean>(PUBLIC, [context.getHandler(), context.getClass()])) {
      if (isPublicFile(request)) await this.limits.countAddress(request.ip, 'files');
      else if (!isProbe(request) && !isWebhook(request)) await this.limits.countAddress(request.ip);
      return true;
    }
    const identity = await this.identify(request);
    addToLogContext({ userId: identity.userId });
    await this.limits.countUser(identity.userId, isSubmission(request));
    await this.users.ensureUser(identity);
    request.identity = identity;
    return true;
  }

  private async identify(request: Request): Promise<Identity> {
    try {
      return await this.verifier.verify(bearerToken(request));
    } catch (error) {
      if (error instanceof AppError && error.code === 'UNAUTHENTICATED')
        await this.limits.countAddress(request.ip);
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
