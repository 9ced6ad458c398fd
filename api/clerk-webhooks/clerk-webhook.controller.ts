import { Controller, Req } from '@nestjs/common';
import type { Request } from 'express';
import { Route } from '../http/route.js';
import { ClerkWebhooks } from './clerk-webhooks.service.js';

@Controller()
export class ClerkWebhookController {
  constructor(private readonly webhooks: ClerkWebhooks) {}

  @Route('takeClerkEvent')
  async take(@Req() request: Request) {
    return { message: await this.webhooks.process(request) };
  }
}
