import { systemClock, type Clock } from '#libs/config/clock.js';
import { estimatePercent, MAX_ESTIMATE, type Expectation, type Measure } from '#libs/contract/progress.js';
import type { LiveEvents } from '#libs/events/live-events.js';
import type { RunContext } from './tool-handler.js';
import type { Attempt, JobLifecycle } from './lifecycle.js';
import type { AttemptPlan, AttemptProgress } from './job-transitions.js';

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
  /** When the job was first started, in the clock's elapsed milliseconds. Default: now. */
  startedAt?: number;
  /** How far an earlier attempt came. */
  percent?: number;
  engine?: AttemptPlan['engine'];
  /** How long the job should take. */
  expected?: Promise<Expectation | null>;
  leaseSeconds: number;
  lifecycle: JobLifecycle;
  live: LiveEvents;
  onError: (error: Error) => void;
  clock?: Clock;
}

/** Milliseconds between two publications of text. A piece that comes later than that is published at once. */
const PUBLISH_EVERY = 40;
/** Milliseconds between two writes of the text so far and the percent. */
const SAVE_EVERY = 500;
/** Milliseconds that a stage lasts before it is written: a shorter one nobody would see. */
const SAVE_STAGE_AFTER = 250;

/**
 * Streams the text of one attempt in pieces, stores its progress where somebody would see it, and renews its lease. A write that finds the attempt
 * no longer the job's own stops it.
 */
export class JobProgress implements Pick<RunContext, 'signal' | 'stage' | 'percent' | 'text'> {
  private readonly stopper = new AbortController();
  private readonly endSaving: () => void;
  private cancelPublish: (() => void) | undefined;
  private cancelSaveStage: () => void = () => undefined;
  private progress: AttemptProgress;
  private readonly startedAt: number;
  private expected: Expectation | null = null;
  private written = '';
  private published = 0;
  private publishedAt = -Infinity;
  private changed = { progress: false, text: false, plan: false };
  private savedAt: number;
  private readonly clock: Clock;
  private saving: Promise<void> = Promise.resolve();
  private isSaveWaiting = false;
  /** The last write failed, and the lease was not renewed by it. */
  private hasFailed = false;

  constructor(private readonly options: JobProgressOptions) {
    this.clock = options.clock ?? systemClock;
    this.savedAt = this.clock.elapsed();
    this.startedAt = options.startedAt ?? this.savedAt;
    this.progress = { percent: options.percent ?? 0, stage: 'starting', message: 'Starting' };
    this.changed.plan = options.engine !== undefined;
    options.expected?.then((expected) => {
      this.expected = expected;
      this.changed.plan ||= expected !== null;
    }, options.onError);
    this.endSaving = this.clock.every(SAVE_EVERY / 2, () => this.saveIfDue());
  }

  get signal(): AbortSignal {
    return this.stopper.signal;
  }

  stage(stage: string, message: string, percent: number, measure?: Measure): void {
    this.progress = { stage, message, measure, percent: this.reach(percent, measure) };
    this.changed.progress = true;
    this.cancelSaveStage();
    this.cancelSaveStage = this.clock.after(SAVE_STAGE_AFTER, () => this.save());
  }

  percent(percent: number, measure = this.progress.measure): void {
    const next = this.reach(percent, measure);
    const isSeen =
      Math.round(next) !== Math.round(this.progress.percent) || measure?.done !== this.progress.measure?.done;
    if (!isSeen) return;
    this.progress = { ...this.progress, percent: next, measure };
    this.changed.progress = true;
  }

  /** The current percentage. A published estimate counts as reached, so measured progress continues from it. */
  private reach(percent: number, measure: Measure | undefined): number {
    const shown = this.progress.measure
      ? 0
      : estimatePercent((this.clock.elapsed() - this.startedAt) / 1000, this.expected);
    const most = measure ? MAX_MEASURED : MAX_ESTIMATE;
    return Math.max(this.progress.percent, Math.min(Math.max(percent, measure ? shown : 0), most));
  }

  text(piece: string): void {
    if (piece === '') return;
    this.written += piece;
    this.changed.text = true;
    if (this.cancelPublish) return;
    const wait = this.publishedAt + PUBLISH_EVERY - this.clock.elapsed();
    if (wait > 0) this.cancelPublish = this.clock.after(wait, () => this.publish());
    else this.publish();
  }

  stop(reason: RunStopped['reason']): void {
    this.stopper.abort(new RunStopped(reason));
  }

  /** Publishes pending progress and ends all timers; resolves after the last write. */
  async close(): Promise<void> {
    this.endSaving();
    this.cancelSaveStage();
    this.publish();
    await this.saving;
  }

  private plan(): AttemptPlan | undefined {
    const { engine } = this.options;
    return engine && { engine, expected: this.expected };
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
    this.publishedAt = this.clock.elapsed();
  }

  private saveIfDue(): void {
    const age = this.clock.elapsed() - this.savedAt;
    const leaseDue = age > (this.options.leaseSeconds * 1000) / 3 || (this.hasFailed && age >= SAVE_EVERY);
    const isChanged = this.changed.progress || this.changed.text || this.changed.plan;
    if (leaseDue || (age >= SAVE_EVERY && isChanged)) this.save();
  }

  /** Writes one after the other, so that an older state never follows a newer one. A write that waits stores the newest. */
  private save(): void {
    this.savedAt = this.clock.elapsed();
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
    const { progress, text, plan } = this.changed;
    this.changed = { progress: false, text: false, plan: false };
    try {
      const own = await lifecycle.renew(attempt, leaseSeconds, {
        // The expectation is published with the progress.
        progress: progress || plan ? this.progress : undefined,
        partial: text ? this.written : undefined,
        ...(plan && { plan: this.plan() }),
      });
      this.hasFailed = false;
      if (!own) this.stop('lost');
    } catch (error) {
      this.hasFailed = true;
      // The database is unavailable: the attempt continues, and the next write stores everything.
      this.changed = {
        progress: this.changed.progress || progress,
        text: this.changed.text || text,
        plan: this.changed.plan || plan,
      };
      onError(error as Error);
    }
  }
}

/** Until the result is stored. */
const MAX_MEASURED = 99;
