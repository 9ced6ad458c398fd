import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import type { Config } from '#libs/config/environment.js';
import { JobRunner } from '#libs/jobs/job-runner.js';
import { CONFIG } from '#libs/platform/platform.module.js';
import { reportTo } from '#libs/platform/report.js';
import { JobQueue, type QueueWorker } from '#libs/queue/job-queue.js';

/** Seconds kept back from the time to stop: two for jobs that are handed back to be stored, the rest to close down. */
const KEPT_BACK_SECONDS = 5;
const HAND_BACK_SECONDS = 2;

/** Takes entries from the queues and has their jobs run. */
@Injectable()
export class Processor implements BeforeApplicationShutdown {
  private readonly report = reportTo('Queue');
  private workers: QueueWorker[] = [];

  constructor(
    private readonly queue: JobQueue,
    private readonly runner: JobRunner,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  start(): void {
    const { queues, concurrency } = this.config.worker;
    this.workers = queues.map((queue) =>
      this.queue.work({
        queue,
        concurrency: concurrency[queue],
        leaseSeconds: this.config.jobs.leaseSeconds,
        process: (jobId) => this.runner.run(jobId),
        onError: this.report,
      }),
    );
  }

  /**
   * Takes no new job, lets those at work finish, and hands back what would take too long. A queue that is away cannot
   * be told of it and is not waited for: the rows say it all.
   */
  async beforeApplicationShutdown(): Promise<void> {
    const patience = Math.max(this.config.shutdownSeconds - KEPT_BACK_SECONDS, 0);
    const handBack = setTimeout(() => this.runner.stopAll(), patience * 1000);
    const closed = Promise.all(this.workers.map((worker) => worker.close()));
    await Promise.race([closed, pause((patience + HAND_BACK_SECONDS) * 1000)]);
    clearTimeout(handBack);
    this.runner.close();
  }
}
