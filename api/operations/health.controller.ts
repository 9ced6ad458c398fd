import { Controller, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { requestIdOf } from '../http/request-id.js';
import { Route } from '../http/route.js';
import { HealthService } from './health.service.js';

@Controller()
export class HealthController {
  constructor(private readonly health: HealthService) {}

  @Route('live')
  live() {
    return {};
  }

  @Route('ready')
  async ready(@Req() request: Request, @Res({ passthrough: true }) response: Response) {
    const answer = await this.health.ready(requestIdOf(request));
    if (!answer.success) response.status(503).setHeader('Retry-After', '5');
    return answer;
  }
}
