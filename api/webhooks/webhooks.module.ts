import { Module } from '@nestjs/common';
import { AccountModule } from '../account/account.module.js';
import { ClerkWebhookController } from './clerk-webhook.controller.js';

/** What other services tell us. */
@Module({ imports: [AccountModule], controllers: [ClerkWebhookController] })
export class WebhooksModule {}
