import { Inject, Injectable } from '@nestjs/common';
import type { Request, Response } from 'express';
import { APP_TOKENS, isAppToken, type AppTokens } from '#libs/accounts/app-tokens.js';
import {
  TOKEN_VERIFIER,
  type ApiKeyGrant,
  type Identity,
  type TokenVerifier,
} from '#libs/accounts/identity.js';
import { Users } from '#libs/accounts/users.js';
import { ApiKeys, type VerifiedApiKey } from '#libs/api-keys/api-keys.js';
import { API_KEY_PREFIX } from '#libs/api-keys/key-form.js';
import { AppError } from '#libs/contract/errors.js';
import { addToLogContext } from '#libs/observability/log-context.js';
import { RateLimits } from '../http/rate-limits.js';

type KeyCaller = { userId: string; apiKey: ApiKeyGrant };

/** Identifies who sends a request, by a session token, an API key or the access token of an app. */
@Injectable()
export class Callers {
  constructor(
    @Inject(TOKEN_VERIFIER) private readonly verifier: TokenVerifier,
    @Inject(APP_TOKENS) private readonly appTokens: AppTokens | null,
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
    { isSubmission, acceptsApps = false }: { isSubmission: boolean; acceptsApps?: boolean },
  ): Promise<Identity | KeyCaller> {
    const caller = await this.verify(request, response, acceptsApps);
    addToLogContext({ userId: caller.userId, apiKeyId: caller.apiKey?.id });
    await this.limits.countCaller(caller, isSubmission, response);
    if (!caller.apiKey) await this.users.ensureUser(caller);
    return caller;
  }

  private async verify(
    request: Request,
    response: Response,
    acceptsApps: boolean,
  ): Promise<Identity | KeyCaller> {
    const token = bearerToken(request);
    try {
      const isKey = token.startsWith(API_KEY_PREFIX);
      const isApp = this.appTokens !== null && isAppToken(token);
      if (!isKey && !isApp) return await this.verifier.verify(token);
      const { userId, ...apiKey } = isKey
        ? await this.apiKeys.verify(token)
        : await this.verifyApp(token, acceptsApps);
      return { userId, apiKey };
    } catch (error) {
      if (error instanceof AppError && error.code === 'UNAUTHENTICATED')
        await this.limits.countAddress(request.ip, response);
      throw error;
    }
  }

  private async verifyApp(token: string, acceptsApps: boolean): Promise<VerifiedApiKey> {
    if (!acceptsApps) throw wrongAudience();
    return this.apiKeys.verifyApp(await this.appTokens!.verify(token));
  }
}

const wrongAudience = () =>
  new AppError(
    'UNAUTHENTICATED',
    'This token is for the Model Context Protocol at /mcp alone. Use an API key here.',
  );

function bearerToken(request: Request): string {
  return /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
}
