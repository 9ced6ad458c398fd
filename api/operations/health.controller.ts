import { Controller, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Answer } from '#libs/contract/routes/table.js';
import { requestIdOf } from '../http/request-id.js';
import { Route } from '../http/route.js';
import { HealthService } from './health.service.js';

@Controller()
export class HealthController {
  constructor(private readonly health: HealthService) {}

  @Route('live')
  live(): Answer<'live'> {
    return { success: true };
  }

  @Route('ready')
  async ready(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Answer<'ready'>> {
    const answer = await this.health.ready(requestIdOf(request));
    if (!answer.success) response.status(503).setHeader('Retry-After', '5');
    return answer;
  }
}
