import { Body, Controller, Param, ParseUUIDPipe, Query, Res } from '@nestjs/common';
import type { Response } from 'express';
import { routes, type RouteBody, type RouteQuery } from '#libs/contract/routes/table.js';
import { deliveryNotFound, webhookNotFound } from '#libs/contract/webhooks.js';
import { Webhooks } from '#libs/webhooks/webhooks.js';
import { RateLimits } from '../http/rate-limits.js';
import { Route, UserId } from '../http/route.js';

const webhookId = new ParseUUIDPipe({ exceptionFactory: webhookNotFound });
const deliveryId = new ParseUUIDPipe({ exceptionFactory: deliveryNotFound });

@Controller()
export class WebhooksController {
  constructor(
    private readonly webhooks: Webhooks,
    private readonly limits: RateLimits,
  ) {}

  @Route('listWebhooks')
  async list(@UserId() userId: string) {
    return { webhooks: await this.webhooks.list(userId) };
  }

  @Route('createWebhook')
  create(
    @UserId() userId: string,
    @Body({ schema: routes.createWebhook.body }) settings: RouteBody<'createWebhook'>,
  ) {
    return this.webhooks.create(userId, settings);
  }

  @Route('changeWebhook')
  async change(
    @UserId() userId: string,
    @Param('id', webhookId) id: string,
    @Body({ schema: routes.changeWebhook.body }) change: RouteBody<'changeWebhook'>,
  ) {
    return { webhook: await this.webhooks.change(userId, id, change) };
  }

  @Route('deleteWebhook')
  async delete(@UserId() userId: string, @Param('id', webhookId) id: string) {
    await this.webhooks.delete(userId, id);
    return { message: 'Deleted' };
  }

  @Route('rotateWebhookSecret')
  rotate(@UserId() userId: string, @Param('id', webhookId) id: string) {
    return this.webhooks.rotate(userId, id);
  }

  @Route('testWebhook')
  async test(
    @UserId() userId: string,
    @Param('id', webhookId) id: string,
    @Res({ passthrough: true }) response: Response,
  ) {
    await this.limits.count('manualDeliveries', userId, response);
    return { delivery: await this.webhooks.sendTest(userId, id) };
  }

  @Route('listWebhookDeliveries')
  deliveries(
    @UserId() userId: string,
    @Param('id', webhookId) id: string,
    @Query({ schema: routes.listWebhookDeliveries.query }) query: RouteQuery<'listWebhookDeliveries'>,
  ) {
    return this.webhooks.listDeliveries(userId, id, query);
  }

  @Route('getWebhookDelivery')
  async delivery(
    @UserId() userId: string,
    @Param('id', webhookId) id: string,
    @Param('deliveryId', deliveryId) delivery: string,
  ) {
    return { delivery: await this.webhooks.readDelivery(userId, id, delivery) };
  }

  @Route('resendWebhookDelivery')
  async resend(
    @UserId() userId: string,
    @Param('id', webhookId) id: string,
    @Param('deliveryId', deliveryId) delivery: string,
    @Res({ passthrough: true }) response: Response,
  ) {
    await this.limits.count('manualDeliveries', userId, response);
    return { delivery: await this.webhooks.resend(userId, id, delivery) };
  }
}
