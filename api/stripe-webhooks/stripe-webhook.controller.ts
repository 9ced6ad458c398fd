import { Controller, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Route } from '../http/route.js';
import { StripeWebhooks } from './stripe-webhooks.service.js';

@Controller()
export class StripeWebhookController {
  constructor(private readonly webhooks: StripeWebhooks) {}

  @Route('takeStripeEvent')
  async take(@Req() request: Request) {
    return { message: await this.webhooks.process(request) };
  }
}
