import type { DataSource } from 'typeorm';
import { rows } from '#libs/database/sql.js';
import type { LiveEvents } from '#libs/events/live-events.js';

/** Milliseconds between two looks at the table, the backstop for an event that did not arrive. */
const LOOK_EVERY = 1_000;

/**
 * Waits for jobs to end: by the event that any process sends, and by the row now and then, since an event may be lost.
 */
export class JobCompletion {
  private readonly waiting = new Map<string, Set<() => void>>();
  private readonly unsubscribe: () => void;
  private readonly looks: NodeJS.Timeout;
  private looking = false;
  private closed = false;

  constructor(
    private readonly dataSource: DataSource,
    live: LiveEvents,
    private readonly onError: (error: Error) => void,
  ) {
    this.unsubscribe = live.subscribe('job:ended', (jobId) => this.wake(jobId));
    this.looks = setInterval(() => void this.look(), LOOK_EVERY);
    this.looks.unref();
  }

  /** Resolves when the job has ended, after `milliseconds`, or when `signal` aborts, whichever comes first. */
  async wait(jobId: string, milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (this.closed || signal?.aborted) return;
    await new Promise<void>((resolve) => {
      const finish = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', finish);
        const others = this.waiting.get(jobId);
        others?.delete(finish);
        if (others?.size === 0) this.waiting.delete(jobId);
        resolve();
      };
      const timer = setTimeout(finish, milliseconds);
      signal?.addEventListener('abort', finish, { once: true });
      this.waiting.set(jobId, (this.waiting.get(jobId) ?? new Set()).add(finish));
      // It may have ended before anybody listened.
      void this.wakeEnded([jobId]);
    });
  }

  /** Ends all waits at once, and those to come. */
  close(): void {
    this.closed = true;
    clearInterval(this.looks);
    this.unsubscribe();
    for (const jobId of [...this.waiting.keys()]) this.wake(jobId);
  }

  private wake(jobId: string): void {
    for (const finish of [...(this.waiting.get(jobId) ?? [])]) finish();
  }

  private async look(): Promise<void> {
    if (this.looking || this.waiting.size === 0) return;
    this.looking = true;
    await this.wakeEnded([...this.waiting.keys()]);
    this.looking = false;
  }

  private async wakeEnded(jobIds: string[]): Promise<void> {
    try {
      const ended = await rows<{ id: string }>(
        this.dataSource,
        `SELECT id FROM jobs WHERE id = ANY ($1) AND status IN ('succeeded', 'failed', 'cancelled')`,
        [jobIds],
      );
      for (const { id } of ended) this.wake(id);
    } catch (error) {
      this.onError(error as Error);
    }
  }
}
