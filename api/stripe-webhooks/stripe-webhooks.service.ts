import { Inject, Injectable, Logger } from '@nestjs/common';
import type { Request as HttpRequest } from 'express';
import type Stripe from 'stripe';
import { AccountEvents } from '#libs/accounts/account-events.js';
import { STRIPE } from '#libs/billing/stripe/stripe.module.js';
import { StripeSubscriptions } from '#libs/billing/stripe/subscriptions.js';
import { type Config, CONFIG } from '#libs/config/environment.js';
import { AppError } from '#libs/contract/errors.js';
import { RateLimits } from '../http/rate-limits.js';

@Injectable()
export class StripeWebhooks {
  private readonly logger = new Logger('Stripe');

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(STRIPE) private readonly stripe: Stripe | null,
    @Inject(StripeSubscriptions) private readonly subscriptions: StripeSubscriptions | null,
    private readonly accountEvents: AccountEvents,
    private readonly limits: RateLimits,
  ) {}

  /**
   * Verifies an event, then reads the customer's subscriptions from Stripe and stores them with the plan.
   * @returns the outcome as a sentence
   * @throws AppError VALIDATION_FAILED if the signature is wrong, NOT_FOUND without payment, UNAVAILABLE if Stripe does not
   *   answer; Stripe then sends the event again
   */
  async process(request: HttpRequest): Promise<string> {
    if (this.stripe === null || this.subscriptions === null) {
      await this.limits.countAddress(request.ip, request.res ?? null);
      throw new AppError('NOT_FOUND', 'Payment is not configured: STRIPE_WEBHOOK_SECRET is not set.');
    }
    const event = await this.verify(request, this.stripe);
    const type = typeForLog(event.type);
    const customerId = customerOf(event);
    if (customerId === null) {
      this.logger.log(`${type} ignored`);
      return 'The event was ignored.';
    }
    const users = await this.subscriptions.usersOf(customerId);
    if (users.length === 0) {
      this.logger.warn(`${type} of a customer without an account here: ${customerId}`);
      return 'The event was ignored: its customer has no account here.';
    }
    for (const userId of users) await this.sync(userId, this.subscriptions, type);
    return 'The event was processed.';
  }

  private async sync(userId: string, subscriptions: StripeSubscriptions, type: string): Promise<void> {
    const outcome = await subscriptions.sync(userId).catch((error: unknown) => {
      if (!isStripeError(error)) throw error;
      this.logger.warn(`Stripe did not answer after ${type}: ${error.message}`);
      throw new AppError('UNAVAILABLE', 'The subscriptions could not be read from Stripe.', {
        retryAfterSeconds: 5,
      });
    });
    this.logger.log(`${type} ${outcome}`);
    if (outcome === 'stored') await this.accountEvents.accountChanged(userId);
  }

  /** @throws AppError VALIDATION_FAILED if the signature is missing, wrong or too old */
  private async verify(request: HttpRequest, stripe: Stripe): Promise<Stripe.Event> {
    const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
    const signature = request.headers['stripe-signature'];
    try {
      return await stripe.webhooks.constructEventAsync(
        body,
        typeof signature === 'string' ? signature : '',
        this.config.stripe!.webhookSecret,
      );
    } catch {
      await this.limits.countAddress(request.ip, request.res ?? null);
      throw new AppError('VALIDATION_FAILED', 'The signature of this webhook is missing, wrong or too old.');
    }
  }
}

const isStripeError = (error: unknown): error is Error =>
  error instanceof Error && 'type' in error && String(error.type).startsWith('Stripe');

/** Events that can change a user's subscriptions. */
const RELEVANT = /^(customer\.subscription\.|checkout\.session\.|invoice\.|customer\.deleted$)/;

function customerOf({ type, data }: Stripe.Event): string | null {
  if (!RELEVANT.test(type)) return null;
  const { id, customer } = data.object as { id?: unknown; customer?: unknown };
  const customerId = type === 'customer.deleted' ? id : customer;
  return typeof customerId === 'string' ? customerId : null;
}

/** Removes characters from an event's type that could forge a log line. */
const typeForLog = (type: string) =>
  String(type)
    .replace(/[^\w.]/g, '')
    .slice(0, 60);
