import { Module } from '@nestjs/common';
import { AccountModule } from '../account/account.module.js';
import { ClerkWebhookController } from './clerk-webhook.controller.js';
import { ClerkWebhooks } from './clerk-webhooks.service.js';

@Module({
  imports: [AccountModule],
  controllers: [ClerkWebhookController],
  providers: [ClerkWebhooks],
})
export class ClerkWebhooksModule {}
