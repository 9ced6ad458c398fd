import { setTimeout as pause } from 'node:timers/promises';
import { EngineError } from '#libs/contract/engine-error.js';
import type { Engine } from '#libs/ai/engine.js';
import { AppError } from '#libs/contract/errors.js';
import { isDatabaseAway } from '#libs/database/sql.js';
import type { LiveEvents } from '#libs/events/live-events.js';
import { activeTrace, inSpan } from '#libs/observability/tracing.js';
import { describeWork, inWork } from '#libs/observability/work.js';
import type { Disposition } from '#libs/queue/entry-processor.js';
import { isToolName, tools, type ToolInput, type ToolName } from '#libs/tools/catalogue.js';
import type { RunContext, ToolHandlers, ToolOutcome } from './tool-handler.js';
import { StoreError } from '#libs/storage/object-store.js';
import type { JobRow } from './job-row.js';
import type { Attempt, Failure, JobLifecycle } from './lifecycle.js';
import { JobProgress, RunStopped } from './job-progress.js';
import { createRunContext, type RunServices } from './run-context.js';

export interface RunnerOptions {
  lifecycle: JobLifecycle;
  live: LiveEvents;
  engine: Engine;
  handlers: ToolHandlers;
  services: RunServices;
  leaseSeconds: number;
  /** Failures that may pass before a job fails for good. */
  attempts: number;
  /** How long a job waits, from its first start, for an AI service or a file store that is away. */
  outageSeconds: number;
  log: RunnerLog;
}

/** What the runner tells; each line names the job. */
export interface RunnerLog {
  started: (job: JobRow) => void;
  ended: (job: JobRow, how: string, error?: unknown) => void;
  error: (error: Error) => void;
}

/** A job whose worker died this often is likelier to kill workers than to succeed. */
const LOSSES_ALLOWED = 20;
/** Milliseconds: the longest pause between two attempts, whatever a provider asks for. */
const LONGEST_PAUSE = 5 * 60_000;
/** Milliseconds: the longest pause of a job that waits for a service to come back. */
const LONGEST_WAIT = 15_000;
/** Milliseconds to try storing an outcome while the database is away. */
const STORE_FOR = 60_000;

const DONE: Disposition = { done: true };

/** Runs jobs in a worker process: from the claim to the stored outcome. */
export class JobRunner {
  private readonly runs = new Map<string, JobProgress>();
  private readonly unsubscribe: () => void;
  private isStopping = false;

  constructor(private readonly options: RunnerOptions) {
    this.unsubscribe = options.live.subscribe('job:cancelled', (jobId) =>
      this.runs.get(jobId)?.stop('cancelled'),
    );
  }

  /** Jobs at work in this process. */
  get running(): number {
    return this.runs.size;
  }

  /** Runs the job of a queue entry to an end and tells what becomes of the entry. Never rejects. */
  async run(jobId: string): Promise<Disposition> {
    // The queue may hand an entry out again while this process still runs it (a lock lost in a database restart).
    if (this.runs.has(jobId)) return later(this.options.leaseSeconds * 1000);
    if (this.isStopping) return later(0);
    let claim;
    try {
      claim = await this.options.lifecycle.claim(jobId, this.options.leaseSeconds);
    } catch (error) {
      this.options.log.error(error as Error);
      return later(2_000);
    }
    if (claim.kind === 'over') return DONE;
    if (claim.kind === 'later') return { done: false, at: claim.at };
    return this.follow(claim.job);
  }

  /** Stops what runs, and what a claim under way still brings, so that it is handed back to the queue. */
  stopAll(): void {
    this.isStopping = true;
    for (const run of this.runs.values()) run.stop('shutdown');
  }

  close(): void {
    this.unsubscribe();
  }

  /** An attempt as a piece of work, whose ids stand on each line of the log, and as a part of its request's trace. */
  private follow(job: JobRow): Promise<Disposition> {
    const { id: jobId, user_id: userId, tool, attempts: attempt, trace_parent: parent } = job;
    const attributes = {
      'pressroom.job_id': jobId,
      'pressroom.user_id': userId,
      'pressroom.request_id': job.request_id ?? undefined,
      'pressroom.attempt': attempt,
    };
    return inWork({ requestId: job.request_id ?? undefined, jobId, userId, tool, attempt }, () =>
      inSpan(`job ${tool}`, { kind: 'consumer', parent, attributes }, () => {
        describeWork({ traceId: activeTrace()?.traceId });
        return this.attempt(job);
      }),
    );
  }

  private async attempt(job: JobRow): Promise<Disposition> {
    const { lifecycle, live, leaseSeconds, log } = this.options;
    const attempt: Attempt = { jobId: job.id, attempt: job.attempts };
    const run = new JobProgress({
      attempt,
      userId: job.user_id,
      leaseSeconds,
      lifecycle,
      live,
      onError: log.error,
    });
    this.runs.set(job.id, run);
    if (this.isStopping) run.stop('shutdown');
    log.started(job);
    try {
      return await this.carryOut(job, attempt, run);
    } finally {
      this.runs.delete(job.id);
      await run.close();
    }
  }

  private async carryOut(job: JobRow, attempt: Attempt, run: JobProgress): Promise<Disposition> {
    const { lifecycle, log, services } = this.options;
    let timer: NodeJS.Timeout | undefined;
    try {
      const { name, input } = readJob(job);
      timer = setTimeout(() => run.stop('timeout'), tools[name].timeLimitSeconds * 1000);
      // A picture that could not be stored would have been made, and paid for, in vain.
      if (tools[name].queue === 'image') await services.files.ping();
      const outcome = await stoppable(
        this.work(name, input, createRunContext(job, run, services)),
        run.signal,
      );
      await run.close();
      const own = await this.store(() => lifecycle.succeed(attempt, outcome));
      log.ended(job, own ? 'succeeded' : 'lost');
      return DONE;
    } catch (error) {
      await run.close();
      return await this.afterError(job, attempt, run.signal.aborted ? run.signal.reason : error);
    } finally {
      clearTimeout(timer);
    }
  }

  private work<N extends ToolName>(
    name: N,
    input: ToolInput<N>,
    context: RunContext,
  ): Promise<ToolOutcome<N>> {
    const handler = this.options.handlers[name];
    const { provider } = this.options.engine;
    return provider ? handler.withProvider(input, provider, context) : handler.offline(input, context);
  }

  private async afterError(job: JobRow, attempt: Attempt, error: unknown): Promise<Disposition> {
    const { lifecycle, log } = this.options;
    try {
      if (error instanceof RunStopped && error.reason !== 'timeout') {
        log.ended(job, error.reason);
        if (error.reason !== 'shutdown') return DONE;
        await this.store(() => lifecycle.handBack(attempt));
        return later(0);
      }
      const isOutage =
        error instanceof StoreError || (error instanceof EngineError && error.scope === 'held');
      const delay = isOutage ? this.pauseInOutage(job, error) : this.pauseBefore(job, error);
      if (delay !== null) {
        log.ended(job, 'paused', error);
        const seconds = Math.ceil(delay / 1000);
        const who = error instanceof StoreError ? 'The file store' : 'The AI service';
        const message = `${who} had a problem. Trying again in ${seconds} s`;
        await this.store(() => lifecycle.pause(attempt, { delayMs: delay, message, isFailure: !isOutage }));
        return later(delay);
      }
      log.ended(job, 'failed', error);
      await this.store(() => lifecycle.fail(attempt, toFailure(error)));
      return DONE;
    } catch (storing) {
      // Nothing could be stored; the lease runs out and the reconciler has the job run again.
      log.error(storing as Error);
      return later(this.options.leaseSeconds * 1000);
    }
  }

  /** Milliseconds to wait before the job is tried again; null when it has failed for good. */
  private pauseBefore(job: JobRow, error: unknown): number | null {
    if (error instanceof AppError || error instanceof RunStopped) return null;
    if (error instanceof EngineError && !error.retryable) return null;
    if (job.failures + 1 >= this.options.attempts) return null;
    const backoff = 1_000 * 2 ** job.failures;
    const asked = error instanceof EngineError ? (error.retryAfterMs ?? 0) : 0;
    return Math.min(Math.max(backoff, asked), LONGEST_PAUSE);
  }

  /**
   * Milliseconds to wait for a service that is away; null when the job has waited long enough. That the job could not
   * be tried is no failure of its own. Pauses grow with the time since its first start, and differ from job to job so
   * that not all come back at once.
   */
  private pauseInOutage(job: JobRow, error: EngineError | StoreError): number | null {
    const waited = Date.now() - (job.started_at?.getTime() ?? Date.now());
    if (waited > this.options.outageSeconds * 1000) return null;
    const asked = error instanceof EngineError ? (error.retryAfterMs ?? 0) : 0;
    const pause = Math.min(Math.max(waited / 2, asked, 1_000), Math.max(asked, LONGEST_WAIT));
    return Math.round(pause * (1 + Math.random() / 4));
  }

  /** Stores an outcome, again and again while the database is away. */
  private async store(write: () => Promise<boolean>): Promise<boolean> {
    const until = Date.now() + STORE_FOR;
    for (let wait = 100; ; wait = Math.min(wait * 2, 2_000)) {
      try {
        return await write();
      } catch (error) {
        if (!isDatabaseAway(error) || Date.now() > until) throw error;
        await pause(wait);
      }
    }
  }
}

/** Checks what the row holds again: another version may have stored it. @throws AppError for what this version cannot run */
function readJob(job: JobRow): { name: ToolName; input: ToolInput<ToolName> } {
  if (job.lost_attempts > LOSSES_ALLOWED) {
    throw new AppError(
      'PROVIDER_FAILED',
      'This could not be finished, though it was tried many times. Your credit was given back.',
    );
  }
  if (!isToolName(job.tool)) throw new AppError('INTERNAL', 'This tool is not known here any more.');
  const input = tools[job.tool].input.safeParse(job.input);
  if (!input.success) throw new AppError('INTERNAL', 'What this job was made from cannot be read any more.');
  return { name: job.tool, input: input.data };
}

function toFailure(error: unknown): Failure {
  if (error instanceof RunStopped) {
    return {
      code: 'JOB_TIMED_OUT',
      message: 'This took longer than it may. Your credit was given back; try again.',
    };
  }
  if (error instanceof AppError) return { code: error.code, message: error.message };
  if (error instanceof EngineError) return { code: 'PROVIDER_FAILED', message: error.message };
  if (error instanceof StoreError) {
    return {
      code: 'UNAVAILABLE',
      message: 'The file store did not answer. Your credit was given back; try again later.',
    };
  }
  return {
    code: 'INTERNAL',
    message: 'Something went wrong on our side. Your credit was given back; try again.',
  };
}

const later = (delayMs: number): Disposition => ({ done: false, at: Date.now() + delayMs });

/** The work, or the stop if that comes first, so that a handler deaf to its signal cannot hold the worker. */
async function stoppable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  return Promise.race([
    work,
    new Promise<never>((_, reject) =>
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
    ),
  ]);
}
