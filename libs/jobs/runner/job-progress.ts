import { systemClock, type Clock } from '#libs/config/clock.js';
import { estimatePercent, MAX_ESTIMATE, type Expectation, type Measure } from '#libs/contract/progress.js';
import type { LiveEvents } from '#libs/events/live-events.js';
import type { RunContext } from '../tool-handler.js';
import type { Attempt, JobLifecycle } from '../lifecycle.js';
import type { AttemptPlan, AttemptProgress } from '../job-transitions.js';

/** Reason of an attempt's abort signal when the attempt is stopped from outside. */
export class RunStopped extends Error {
  override name = 'RunStopped';
  constructor(readonly reason: 'cancelled' | 'lost' | 'timeout' | 'shutdown' | 'yielded') {
    super(`The run was stopped: ${reason}.`);
  }
}

interface JobProgressOptions {
  attempt: Attempt;
  userId: string;
  /** Time of the job's first start, in milliseconds of the clock's `elapsed()`. Default: now. */
  startedAt?: number;
  /** Progress of an earlier attempt, as the initial percentage. */
  percent?: number;
  engine?: AttemptPlan['engine'];
  /** Expected duration of the job; null if unknown. */
  expected?: Promise<Expectation | null>;
  leaseSeconds: number;
  lifecycle: JobLifecycle;
  live: LiveEvents;
  onError: (error: Error) => void;
  clock?: Clock;
}

/** Minimum milliseconds between two text events. Text that arrives after a longer pause is published at once. */
const PUBLISH_EVERY = 40;
/** Minimum milliseconds between two database writes of progress and partial text. */
const SAVE_EVERY = 500;
/** Milliseconds before a new stage is written, so that stages too short to be seen cause no write. */
const SAVE_STAGE_AFTER = 250;

/**
 * Streams the text of one attempt, stores its progress, and renews its lease. Stops the attempt if a write finds that
 * the job was cancelled, ended or taken over.
 */
export class JobProgress implements Pick<RunContext, 'signal' | 'stage' | 'percent' | 'text'> {
  private readonly stopper = new AbortController();
  private readonly endSaving: () => void;
  private cancelPublish: (() => void) | undefined;
  private cancelSaveStage: () => void = () => undefined;
  private progress: AttemptProgress;
  /** Time of the job's first start, in milliseconds of the clock's `elapsed()`. */
  readonly startedAt: number;
  private expected: Expectation | null = null;
  private written = '';
  private published = 0;
  private publishedAt = -Infinity;
  private changed = { progress: false, text: false, plan: false };
  private savedAt: number;
  private readonly clock: Clock;
  private saving: Promise<void> = Promise.resolve();
  private isSaveWaiting = false;
  /** True if the last write failed, so the lease was not renewed. */
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
    const isVisible =
      Math.round(next) !== Math.round(this.progress.percent) || measure?.done !== this.progress.measure?.done;
    if (!isVisible) return;
    this.progress = { ...this.progress, percent: next, measure };
    this.changed.progress = true;
  }

  /** Computes the new percentage, never below the estimate that users already see. */
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

  /**
   * Runs writes one at a time, so that an older state never overwrites a newer one. A queued write stores the latest
   * state.
   */
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
        // A new expectation must be published too, and only a write with progress is published.
        progress: progress || plan ? this.progress : undefined,
        partial: text ? this.written : undefined,
        ...(plan && { plan: this.plan() }),
      });
      this.hasFailed = false;
      if (!own) this.stop('lost');
    } catch (error) {
      this.hasFailed = true;
      // Probably a database outage: mark everything as changed again, so that the next write stores it.
      this.changed = {
        progress: this.changed.progress || progress,
        text: this.changed.text || text,
        plan: this.changed.plan || plan,
      };
      onError(error as Error);
    }
  }
}

/** Highest percentage of measured progress; 100 is reached when the result is stored. */
const MAX_MEASURED = 99;
