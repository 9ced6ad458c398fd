import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type Stripe from 'stripe';
import { findPriceDifference } from '#libs/billing/stripe/price-difference.js';
import { STRIPE } from '#libs/billing/stripe/stripe.module.js';
import { type Config, CONFIG } from '#libs/config/environment.js';

/** Warns at the start if Stripe charges another price than the start page shows. The start does not wait for it. */
@Injectable()
export class PriceCheck implements OnApplicationBootstrap {
  private readonly logger = new Logger('Stripe');

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(STRIPE) private readonly client: Stripe | null,
  ) {}

  onApplicationBootstrap(): void {
    void this.check();
  }

  private async check(): Promise<void> {
    const { stripe, premiumPrice } = this.config;
    if (!this.client || !stripe) return;
    // Without an answer of Stripe nothing is known.
    const difference = await findPriceDifference(this.client, stripe.priceId, premiumPrice).catch(() => null);
    if (difference !== null) this.logger.warn(difference);
  }
}
