import { Module } from '@nestjs/common';
import { PriceCheck } from './price-check.js';
import { StripeWebhookController } from './stripe-webhook.controller.js';
import { StripeWebhooks } from './stripe-webhooks.service.js';

@Module({ controllers: [StripeWebhookController], providers: [StripeWebhooks, PriceCheck] })
export class StripeWebhooksModule {}
