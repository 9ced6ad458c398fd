import { OnWorkerEvent, WorkerHost } from '@nestjs/bullmq';
import { DelayedError, type Job } from 'bullmq';
import { logErrors } from '#libs/observability/log-errors.js';

/** What becomes of an entry that a worker took: it is done with, or comes back after a delay. */
export type Disposition = { done: true } | { done: false; delayMs: number };

/** Takes the entries of one queue. A subclass names the queue by `@Processor`. */
export abstract class EntryProcessor extends WorkerHost {
  private readonly logError = logErrors('Queue');

  protected abstract processEntry(jobId: string): Promise<Disposition>;

  override async process(entry: Job, token?: string): Promise<void> {
    const disposition = await this.processEntry(entry.id ?? '');
    if (disposition.done) return;
    // BullMQ takes the delay from this time, and hands the entry out, by the clock of this process.
    await entry.moveToDelayed(Date.now() + disposition.delayMs, token);
    throw new DelayedError();
  }

  @OnWorkerEvent('error')
  protected onError(error: Error): void {
    this.logError(error);
  }
}
