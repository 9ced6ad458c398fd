import { OnWorkerEvent, WorkerHost } from '@nestjs/bullmq';
import { DelayedError, type Job } from 'bullmq';
import { logErrors } from '#libs/observability/log-errors.js';

/** The outcome of an entry that a worker took: done, or delayed. */
export type Disposition = { done: true } | { done: false; delayMs: number };

/** Processes entries of one queue, which a subclass names by `@Processor`. */
export abstract class EntryProcessor extends WorkerHost {
  private readonly logError = logErrors('Queue');

  protected abstract processEntry(jobId: string): Promise<Disposition>;

  override async process(entry: Job, token?: string): Promise<void> {
    const disposition = await this.processEntry(entry.id ?? '');
    if (disposition.done) return;
    // BullMQ computes and applies the delay by the clock of this process.
    await entry.moveToDelayed(Date.now() + disposition.delayMs, token);
    throw new DelayedError();
  }

  @OnWorkerEvent('error')
  protected onError(error: Error): void {
    this.logError(error);
  }
}
