import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { provideClass, value } from '#libs/config/provide-class.js';
import { Webhooks } from '#libs/webhooks/webhooks.js';
import { WebhooksController } from './webhooks.controller.js';

@Module({
  controllers: [WebhooksController],
  providers: [provideClass(Webhooks, [DataSource, value(({ outbound }) => outbound.webhookNetworks)])],
})
export class WebhooksModule {}
