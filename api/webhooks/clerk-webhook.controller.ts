import { verifyWebhook } from '@clerk/backend/webhooks';
import { Controller, HttpCode, Inject, Logger, Optional, Post, Req } from '@nestjs/common';
import type { Request as HttpRequest } from 'express';
import { DataSource } from 'typeorm';
import { ClerkEvents, type ClerkEvent } from '#libs/accounts/clerk/events.js';
import { ClerkUsers } from '#libs/accounts/clerk/users.js';
import type { Config } from '#libs/config/environment.js';
import { AppError } from '#libs/contract/errors.js';
import { JobEvents } from '#libs/jobs/job-events.js';
import { CONFIG } from '#libs/platform/platform.module.js';
import { AccountRemoval } from '../account/account-removal.js';
import { Public } from '../http/public.js';
import { RateLimits } from '../http/rate-limits.js';

/** Clerk tells here what became of users and subscriptions. Answered 200 only once what it says is committed. */
@Public()
@Controller('api/webhooks/clerk')
export class ClerkWebhookController {
  private readonly logger = new Logger('Clerk');
  private readonly secret: string | null;
  private readonly events: ClerkEvents | null;

  constructor(
    @Inject(CONFIG) { accounts }: Config,
    dataSource: DataSource,
    removal: AccountRemoval,
    private readonly jobEvents: JobEvents,
    private readonly limits: RateLimits,
    @Optional() users?: ClerkUsers,
  ) {
    this.secret = accounts.kind === 'clerk' ? accounts.webhookSecret : null;
    this.events =
      users === undefined
        ? null
        : new ClerkEvents(dataSource, users, (userId, note) => removal.remove(userId, note));
  }

  @Post()
  @HttpCode(200)
  async take(@Req() request: HttpRequest): Promise<{ success: true; message: string }> {
    if (this.secret === null || this.events === null)
      throw new AppError('NOT_FOUND', 'No webhooks are taken here: CLERK_WEBHOOK_SIGNING_SECRET is not set.');
    const event = await this.verify(request, this.secret);
    const outcome = await this.events.take(event);
    this.logger.log(`${safe(event.type)} ${outcome.kind}`);
    if (outcome.kind === 'done' && outcome.changed !== null)
      await this.jobEvents.accountChanged(outcome.changed);
    return { success: true, message: `The event was ${WORDS[outcome.kind]}.` };
  }

  /** @throws AppError VALIDATION_FAILED for what Clerk did not sign, or signed too long ago */
  private async verify(request: HttpRequest, signingSecret: string): Promise<ClerkEvent> {
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
      await this.limits.countAddress(request.ip);
      this.logger.warn('A webhook was refused: its signature is missing, wrong or too old');
      throw new AppError('VALIDATION_FAILED', 'The signature of this webhook is missing, wrong or too old.');
    }
  }
}

const WORDS = { done: 'taken over', repeated: 'taken over before', ignored: 'of no concern here' };

/** Of a signed event, but a log line is no place for whatever text comes. */
const safe = (type: string) => type.replace(/[^\w.]/g, '').slice(0, 60);
