import { Module } from '@nestjs/common';
import { StripeWebhookController } from './stripe-webhook.controller.js';
import { StripeWebhooks } from './stripe-webhooks.service.js';

@Module({ controllers: [StripeWebhookController], providers: [StripeWebhooks] })
export class StripeWebhooksModule {}
