import { Controller, Get, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Readiness, type Service } from '#libs/platform/readiness.js';
import { QueuePauses } from '#libs/jobs/queue-pauses.js';
import { Public } from '../http/public.js';

/** For load balancers and the starter: does the process live, and can it do its work. */
@Public()
@Controller('health')
export class HealthController {
  constructor(
    private readonly readiness: Readiness,
    private readonly pauses: QueuePauses,
  ) {}

  @Get('live')
  live(): object {
    return { success: true };
  }

  @Get('ready')
  async ready(@Res({ passthrough: true }) response: Response): Promise<object> {
    const checks = await this.readiness.check();
    const failing = (Object.keys(checks) as Service[])
      .filter((service) => !checks[service])
      .map((service) => this.readiness.nameOf(service));
    if (failing.length === 0) return { success: true, checks, pausedQueues: await this.pausedQueues() };
    response.status(503).setHeader('Retry-After', '5');
    return {
      success: false,
      code: 'UNAVAILABLE',
      message: `Not ready: no answer from ${failing.join(', ')}.`,
      requestId: response.getHeader('X-Request-Id'),
      checks,
    };
  }

  /** Held by an operator: the server is ready all the same, and accepts jobs that wait. */
  private async pausedQueues(): Promise<string[]> {
    return (await this.pauses.list()).map(({ queue }) => queue);
  }
}
