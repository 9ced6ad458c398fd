import { Inject, Injectable, Logger, Optional } from '@nestjs/common';
import type { Request as HttpRequest } from 'express';
import { DataSource } from 'typeorm';
import { ClerkEvents, type ClerkEvent } from '#libs/accounts/clerk/events.js';
import { ClerkUsers } from '#libs/accounts/clerk/users.js';
import { type Config, CONFIG } from '#libs/config/environment.js';
import { AppError } from '#libs/contract/errors.js';
import { AccountEvents } from '#libs/accounts/account-events.js';
import { AccountDeletion } from '#libs/accounts/account-deletion.js';
import { RateLimits } from '../http/rate-limits.js';

@Injectable()
export class ClerkWebhooks {
  private readonly logger = new Logger('Clerk');
  private readonly secret: string | null;
  private readonly events: ClerkEvents | null;

  constructor(
    @Inject(CONFIG) { accounts }: Config,
    dataSource: DataSource,
    deletion: AccountDeletion,
    private readonly accountEvents: AccountEvents,
    private readonly limits: RateLimits,
    @Optional() users?: ClerkUsers,
  ) {
    this.secret = accounts.kind === 'clerk' ? accounts.webhookSecret : null;
    this.events =
      users === undefined
        ? null
        : new ClerkEvents(dataSource, users, (userId, first) => deletion.delete(userId, { first }));
  }

  /**
   * Verifies and processes a webhook event, and commits its changes.
   * @returns the outcome as a sentence
   * @throws AppError VALIDATION_FAILED if the signature is wrong, NOT_FOUND if no webhooks are configured
   */
  async process(request: HttpRequest): Promise<string> {
    if (this.secret === null || this.events === null) {
      await this.limits.countAddress(request.ip, request.res ?? null);
      throw new AppError(
        'NOT_FOUND',
        'Webhooks are not configured: CLERK_WEBHOOK_SIGNING_SECRET is not set.',
      );
    }
    const event = await this.verify(request, this.secret);
    const outcome = await this.events.process(event);
    this.logger.log(`${eventTypeForLog(event.type)} ${outcome.kind}`);
    if (outcome.kind === 'done' && outcome.changed !== null)
      await this.accountEvents.accountChanged(outcome.changed);
    return `The event was ${outcomes[outcome.kind]}.`;
  }

  /** @throws AppError VALIDATION_FAILED if the signature is missing, wrong or too old */
  private async verify(request: HttpRequest, signingSecret: string): Promise<ClerkEvent> {
    const { verifyWebhook } = await import('@clerk/backend/webhooks');
    const body = Buffer.isBuffer(request.body) ? request.body.toString('utf8') : '';
    const headers = new Headers();
    for (const name of ['svix-id', 'svix-timestamp', 'svix-signature']) {
      const value = request.headers[name];
      if (typeof value === 'string') headers.set(name, value);
    }
    try {
      const { type, data } = await verifyWebhook(
        new Request('http://localhost/', { method: 'POST', headers, body }),
        { signingSecret },
      );
      const { timestamp } = JSON.parse(body) as { timestamp?: unknown };
      return {
        id: headers.get('svix-id') ?? '',
        type: String(type),
        data,
        timestamp: typeof timestamp === 'number' && Number.isFinite(timestamp) ? timestamp : null,
      };
    } catch {
      await this.limits.countAddress(request.ip, request.res ?? null);
      throw new AppError('VALIDATION_FAILED', 'The signature of this webhook is missing, wrong or too old.');
    }
  }
}

const outcomes = { done: 'processed', repeated: 'processed before', ignored: 'ignored' };

/** Removes characters from an event's type that could forge a log line. */
const eventTypeForLog = (type: string) => type.replace(/[^\w.]/g, '').slice(0, 60);
