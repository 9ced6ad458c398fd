import { Module, type DynamicModule } from '@nestjs/common';
import type Stripe from 'stripe';
import { DataSource } from 'typeorm';
import { AccountEvents } from '#libs/accounts/account-events.js';
import { CONFIG, type Config } from '#libs/config/environment.js';
import { logErrors } from '#libs/observability/log-errors.js';
import { createStripe } from './client.js';
import { StripeSubscriptions } from './subscriptions.js';
import { StripeSync } from './sync.js';

/** Injection token of Stripe's client. */
export const STRIPE = Symbol('STRIPE');

/** Payment by Stripe. Each provider is null if it is not configured. */
@Module({})
export class StripeModule {
  static forRoot(): DynamicModule {
    return {
      module: StripeModule,
      global: true,
      providers: [
        {
          provide: STRIPE,
          inject: [CONFIG],
          useFactory: ({ stripe }: Config) => stripe && createStripe(stripe),
        },
        {
          provide: StripeSubscriptions,
          inject: [DataSource, STRIPE, CONFIG],
          useFactory: (dataSource: DataSource, client: Stripe | null, { stripe }: Config) =>
            client && stripe ? new StripeSubscriptions(dataSource, client, stripe) : null,
        },
        {
          provide: StripeSync,
          inject: [DataSource, STRIPE, StripeSubscriptions, AccountEvents],
          useFactory: (
            dataSource: DataSource,
            client: Stripe | null,
            subscriptions: StripeSubscriptions | null,
            events: AccountEvents,
          ) =>
            client && subscriptions
              ? new StripeSync(
                  dataSource,
                  client,
                  subscriptions,
                  (userId) => events.accountChanged(userId),
                  logErrors('Stripe'),
                )
              : null,
        },
      ],
      exports: [STRIPE, StripeSubscriptions, StripeSync],
    };
  }
}
