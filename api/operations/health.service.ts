import { Injectable } from '@nestjs/common';
import type { Answer } from '#libs/contract/routes/table.js';
import { QueuePauses } from '#libs/scheduling/queue-pauses.js';
import { Readiness, type Service } from '#libs/health/readiness.js';

@Injectable()
export class HealthService {
  /** A query for the paused queues that has not ended: concurrent probes share it. */
  private listing: ReturnType<QueuePauses['list']> | null = null;

  constructor(
    private readonly readiness: Readiness,
    private readonly pauses: QueuePauses,
  ) {}

  /** Checks all services. Paused queues count as healthy, since they accept jobs. */
  async ready(requestId: string): Promise<Answer<'ready'>> {
    const checks = await this.readiness.check();
    const failing = (Object.keys(checks) as Service[]).filter((service) => !checks[service]);
    if (failing.length > 0) {
      const problems = failing.map((service) => this.readiness.problemOf(service) ?? service);
      const message = `Not ready: ${problems.join(', ')}.`;
      return { success: false, code: 'UNAVAILABLE', message, requestId, checks };
    }
    const paused = await (this.listing ??= this.pauses.list().finally(() => (this.listing = null)));
    return { success: true, checks, pausedQueues: paused.map(({ queue }) => queue) };
  }
}
