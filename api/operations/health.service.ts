import { systemClock, type Clock } from '#libs/config/clock.js';
import type { QueueName } from '#libs/contract/jobs.js';
import type { Answer } from '#libs/contract/routes/table.js';
import type { QueuePauses } from '#libs/scheduling/queue-pauses.js';
import { type Readiness, SHARED_FOR, type Service } from '#libs/health/readiness.js';
import { settleWithin } from '#libs/resilience/policies.js';

/** Milliseconds that a probe waits for the paused queues. */
const LIST_WITHIN = 300;

export class HealthService {
  private paused: QueueName[] = [];
  private listedAt = -Infinity;
  /** A query for the paused queues that has not ended, which probes share. */
  private listing: Promise<void> | null = null;

  constructor(
    private readonly readiness: Readiness,
    private readonly pauses: QueuePauses,
    private readonly clock: Clock = systemClock,
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
    if (this.clock.elapsed() - this.listedAt >= SHARED_FOR) await this.refreshPaused();
    return { success: true, checks, pausedQueues: this.paused };
  }

  private async refreshPaused(): Promise<void> {
    const listing = (this.listing ??= this.listPaused());
    await settleWithin(LIST_WITHIN, () => listing).catch(() => undefined);
  }

  /** Leaves the last list if it cannot be read, for example while the pool is full. */
  private async listPaused(): Promise<void> {
    try {
      this.paused = (await this.pauses.list()).map(({ queue }) => queue);
    } catch {
      // The list is tried again after a second.
    }
    this.listedAt = this.clock.elapsed();
    this.listing = null;
  }
}
