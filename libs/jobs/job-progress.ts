import { systemClock, type Clock } from '#libs/config/clock.js';
import type { Progress } from '#libs/contract/jobs.js';
import type { LiveEvents } from '#libs/events/live-events.js';
import type { RunContext } from './tool-handler.js';
import type { Attempt, JobLifecycle } from './lifecycle.js';

/** Why an attempt was stopped from outside; the reason of its abort signal. */
export class RunStopped extends Error {
  override name = 'RunStopped';
  constructor(readonly reason: 'cancelled' | 'lost' | 'timeout' | 'shutdown' | 'yielded') {
    super(`The run was stopped: ${reason}.`);
  }
}

interface JobProgressOptions {
  attempt: Attempt;
  userId: string;
  leaseSeconds: number;
  lifecycle: JobLifecycle;
  live: LiveEvents;
  onError: (error: Error) => void;
  clock?: Clock;
}

/** Milliseconds for which pieces of text are gathered before they are published. */
const PUBLISH_EVERY = 40;
/** Milliseconds between two writes of the text so far and the percent. */
const SAVE_EVERY = 500;

/**
 * Streams the text of one attempt in pieces, stores its progress, and renews its lease. A write that finds the attempt
 * no longer the job's own stops it.
 */
export class JobProgress implements Pick<RunContext, 'signal' | 'stage' | 'percent' | 'text'> {
  private readonly stopper = new AbortController();
  private readonly endSaving: () => void;
  private cancelPublish: (() => void) | undefined;
  private progress: Progress = { percent: 0, stage: 'starting', message: 'Starting' };
  private written = '';
  private published = 0;
  private changed = { progress: false, text: false };
  private savedAt: number;
  private readonly clock: Clock;
  private saving: Promise<void> = Promise.resolve();
  private isSaveWaiting = false;

  constructor(private readonly options: JobProgressOptions) {
    this.clock = options.clock ?? systemClock;
    this.savedAt = this.clock.now();
    this.endSaving = this.clock.every(SAVE_EVERY / 2, () => this.saveIfDue());
  }

  get signal(): AbortSignal {
    return this.stopper.signal;
  }

  stage(stage: string, message: string, percent: number): void {
    this.progress = { stage, message, percent: Math.max(this.progress.percent, clamp(percent)) };
    this.changed.progress = true;
    this.save();
  }

  percent(percent: number): void {
    const next = Math.max(this.progress.percent, clamp(percent));
    if (Math.round(next) === Math.round(this.progress.percent)) return;
    this.progress = { ...this.progress, percent: next };
    this.changed.progress = true;
  }

  text(piece: string): void {
    if (piece === '') return;
    this.written += piece;
    this.changed.text = true;
    this.cancelPublish ??= this.clock.after(this.published === 0 ? 0 : PUBLISH_EVERY, () => this.publish());
  }

  stop(reason: RunStopped['reason']): void {
    this.stopper.abort(new RunStopped(reason));
  }

  /** Publishes what is left and ends all timers; resolves when the last write has ended. */
  async close(): Promise<void> {
    this.endSaving();
    this.publish();
    await this.saving;
  }

  private publish(): void {
    this.cancelPublish?.();
    this.cancelPublish = undefined;
    if (this.published === this.written.length || this.signal.aborted) return;
    const { attempt, userId, live } = this.options;
    live.publishToUser(userId, 'job:delta', {
      id: attempt.jobId,
      attempt: attempt.attempt,
      offset: this.published,
      text: this.written.slice(this.published),
    });
    this.published = this.written.length;
  }

  private saveIfDue(): void {
    const age = this.clock.now() - this.savedAt;
    const leaseDue = age > (this.options.leaseSeconds * 1000) / 3;
    if (leaseDue || (age >= SAVE_EVERY && (this.changed.progress || this.changed.text))) this.save();
  }

  /** Writes one after the other, so that an older state never follows a newer one. A write that waits stores the newest. */
  private save(): void {
    this.savedAt = this.clock.now();
    if (this.isSaveWaiting) return;
    this.isSaveWaiting = true;
    this.saving = this.saving.then(() => {
      this.isSaveWaiting = false;
      return this.write();
    });
  }

  private async write(): Promise<void> {
    if (this.signal.aborted) return;
    const { attempt, leaseSeconds, lifecycle, onError } = this.options;
    const { progress, text } = this.changed;
    this.changed = { progress: false, text: false };
    try {
      const own = await lifecycle.renew(attempt, leaseSeconds, {
        progress: progress ? this.progress : undefined,
        partial: text ? this.written : undefined,
      });
      if (!own) this.stop('lost');
    } catch (error) {
      // The database is away for a moment: the attempt goes on, and the next write stores everything.
      this.changed = { progress: this.changed.progress || progress, text: this.changed.text || text };
      onError(error as Error);
    }
  }
}

const clamp = (percent: number) => Math.min(Math.max(percent, 0), 99);
