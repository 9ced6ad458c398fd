import { In, type DataSource } from 'typeorm';
import { JobEntity } from '#libs/database/entities/jobs.js';
import { systemClock, type Clock } from '#libs/config/clock.js';
import type { LiveEvents } from '#libs/events/live-events.js';

/** Interval in milliseconds at which the job table is polled for missed events. */
const POLL_EVERY = 1_000;

/** Waits for jobs to end. Listens to job events from all processes and also polls the table, since events may be lost. */
export class JobCompletion {
  private readonly waiting = new Map<string, Set<() => void>>();
  private readonly unsubscribe: () => void;
  private readonly endPolling: () => void;
  private polling = false;
  private closed = false;

  constructor(
    private readonly dataSource: DataSource,
    live: LiveEvents,
    private readonly onError: (error: Error) => void,
    private readonly clock: Clock = systemClock,
  ) {
    this.unsubscribe = live.subscribe('job:ended', (jobId) => this.wake(jobId));
    this.endPolling = clock.every(POLL_EVERY, () => void this.poll());
  }

  /** Resolves when the job has ended, after `milliseconds`, or when `signal` aborts, whichever comes first. */
  async wait(jobId: string, milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (this.closed || signal?.aborted) return;
    await new Promise<void>((resolve) => {
      const finish = () => {
        cancelTimer();
        signal?.removeEventListener('abort', finish);
        const others = this.waiting.get(jobId);
        others?.delete(finish);
        if (others?.size === 0) this.waiting.delete(jobId);
        resolve();
      };
      const cancelTimer = this.clock.after(milliseconds, finish);
      signal?.addEventListener('abort', finish, { once: true });
      this.waiting.set(jobId, (this.waiting.get(jobId) ?? new Set()).add(finish));
      // The job may have ended before the listener was added, so read its row once.
      void this.wakeEnded([jobId]);
    });
  }

  close(): void {
    this.closed = true;
    this.endPolling();
    this.unsubscribe();
    for (const jobId of [...this.waiting.keys()]) this.wake(jobId);
  }

  private wake(jobId: string): void {
    for (const finish of [...(this.waiting.get(jobId) ?? [])]) finish();
  }

  private async poll(): Promise<void> {
    if (this.polling || this.waiting.size === 0) return;
    this.polling = true;
    await this.wakeEnded([...this.waiting.keys()]);
    this.polling = false;
  }

  private async wakeEnded(jobIds: string[]): Promise<void> {
    try {
      const ended = await this.dataSource.getRepository(JobEntity).find({
        select: { id: true },
        where: { id: In(jobIds), status: In(['succeeded', 'failed', 'cancelled']) },
      });
      for (const { id } of ended) this.wake(id);
    } catch (error) {
      this.onError(error as Error);
    }
  }
}
