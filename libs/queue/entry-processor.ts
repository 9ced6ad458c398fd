import { OnWorkerEvent, WorkerHost } from '@nestjs/bullmq';
import { DelayedError, type Job } from 'bullmq';
import { logErrors } from '#libs/observability/log-errors.js';

/** What to do with an entry after its processing: remove it from the queue, or process it again after a delay. */
export type Disposition = { done: true } | { done: false; delayMs: number };

/** Processes entries of a queue. Subclasses name the queue with `@Processor`. */
export abstract class EntryProcessor extends WorkerHost {
  private readonly logError = logErrors('Queue');

  protected abstract processEntry(jobId: string): Promise<Disposition>;

  override async process(entry: Job, token?: string): Promise<void> {
    const disposition = await this.processEntry(entry.id ?? '');
    if (disposition.done) return;
    // This process's clock is right here, because BullMQ also uses it to compute the remaining delay.
    await entry.moveToDelayed(Date.now() + disposition.delayMs, token);
    throw new DelayedError();
  }

  @OnWorkerEvent('error')
  protected onError(error: Error): void {
    this.logError(error);
  }
}
