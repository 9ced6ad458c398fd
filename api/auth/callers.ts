import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import {
  TOKEN_VERIFIER,
  type ApiKeyGrant,
  type Identity,
  type TokenVerifier,
} from '#libs/accounts/identity.js';
import { Users } from '#libs/accounts/users.js';
import { ApiKeys } from '#libs/api-keys/api-keys.js';
import { API_KEY_PREFIX } from '#libs/api-keys/key-form.js';
import { AppError } from '#libs/contract/errors.js';
import { addToLogContext } from '#libs/observability/log-context.js';
import { RateLimits } from '../http/rate-limits.js';

type KeyCaller = { userId: string; apiKey: ApiKeyGrant };

/** Identifies who sends a request, by a session token or an API key. */
@Injectable()
export class Callers {
  constructor(
    @Inject(TOKEN_VERIFIER) private readonly verifier: TokenVerifier,
    private readonly apiKeys: ApiKeys,
    private readonly users: Users,
    private readonly limits: RateLimits,
  ) {}

  /**
   * Also counts the request, and creates the row of a user with a new session if it is missing.
   * @throws AppError UNAUTHENTICATED, RATE_LIMITED
   */
  async identify(
    request: Request,
    response: Response,
    { isSubmission }: { isSubmission: boolean },
  ): Promise<Identity | KeyCaller> {
    const caller = await this.verify(request, response);
    addToLogContext({ userId: caller.userId, apiKeyId: caller.apiKey?.id });
    await this.limits.countCaller(caller, isSubmission, response);
    if (!caller.apiKey) await this.users.ensureUser(caller);
    return caller;
  }

  private async verify(request: Request, response: Response): Promise<Identity | KeyCaller> {
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
