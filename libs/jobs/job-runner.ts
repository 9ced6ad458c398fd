import { systemClock, type Clock } from '#libs/config/clock.js';
import { EngineError, type EngineName } from '#libs/contract/engine.js';
import { sourceOf } from '#libs/contract/images.js';
import type { AiProvider, Engine } from '#libs/ai/engine.js';
import { AppError, LimitExceeded } from '#libs/contract/errors.js';
import type { JobEntity } from '#libs/database/entities/jobs.js';
import type { LiveEvents } from '#libs/events/live-events.js';
import { activeTrace, inSpan } from '#libs/observability/tracing.js';
import { addToLogContext, withLogContext } from '#libs/observability/log-context.js';
import type { Disposition } from '#libs/queue/entry-processor.js';
import type { Expectation } from '#libs/contract/progress.js';
import { MemoryBudget } from '#libs/resilience/memory-budget.js';
import { untilAborted } from '#libs/resilience/until-aborted.js';
import { isToolName, tools, type ToolInput, type ToolName } from '#libs/tools/catalogue.js';
import type { RunContext, ToolHandlers, ToolOutcome } from './tool-handler.js';
import { StoreError } from '#libs/storage/object-store.js';
import type { Attempt, Failure, JobLifecycle, Outcome } from './lifecycle.js';
import { AttemptPreviews } from './attempt-previews.js';
import { JobProgress, RunStopped } from './job-progress.js';
import { expectationOf } from './job-response.js';
import type { RunTimes } from '#libs/scheduling/run-times.js';
import { retryWhileUnavailable } from './retry-while-unavailable.js';
import { createRunContext, type RunServices } from './run-context.js';

export interface RunnerOptions {
  lifecycle: JobLifecycle;
  live: LiveEvents;
  engine: Engine;
  handlers: ToolHandlers;
  /** The engine of each tool if a provider is connected. Default: the provider. */
  engines?: Record<ToolName, EngineName>;
  services: RunServices;
  /** Estimates the duration of a job; null without data. */
  expect?: RunTimes['expect'];
  leaseSeconds: number;
  /** Failures that may pass before a job fails for good. */
  attempts: number;
  /** Seconds from its first start for which a job waits for an unavailable AI service or file store. */
  outageSeconds: number;
  log: RunnerLog;
  clock?: Clock;
}

/** Log of a runner; each line names the job. */
export interface RunnerLog {
  started: (job: JobEntity) => void;
  ended: (job: JobEntity, how: string, error?: unknown) => void;
  error: (error: Error) => void;
}

/** A job whose worker died this often is likelier to kill workers than to succeed. */
const MAX_LOST_ATTEMPTS = 20;
/** Milliseconds between two attempts, whatever a provider asks for. */
const MAX_BACKOFF = 5 * 60_000;
/** Milliseconds between two attempts of a job that waits for an unavailable service. */
const MAX_OUTAGE_DELAY = 15_000;

const DONE: Disposition = { done: true };
const later = (delayMs: number): Disposition => ({ done: false, delayMs });

/** Runs jobs in a worker process: from the claim to the stored outcome. */
export class JobRunner {
  private readonly runs = new Map<string, JobProgress>();
  private readonly unsubscribe: (() => void)[];
  private isStopping = false;
  private readonly clock: Clock;
  /** Runs one picture of a batch at a time, so that a batch takes no more memory than one picture. */
  private readonly batchTurn = new MemoryBudget(1);

  constructor(private readonly options: RunnerOptions) {
    this.clock = options.clock ?? systemClock;
    const { live } = options;
    this.unsubscribe = [
      live.subscribe('job:cancelled', (jobId) => this.runs.get(jobId)?.stop('cancelled')),
      live.subscribe('job:yields', (jobId) => this.runs.get(jobId)?.stop('yielded')),
    ];
  }

  get running(): number {
    return this.runs.size;
  }

  /** Runs the job of a queue entry and decides if the entry is done. Never rejects. */
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
    switch (claim.kind) {
      case 'ended':
        return DONE;
      case 'retry':
        return later(claim.delayMs);
      case 'claimed':
        return this.trace(claim.job);
    }
  }

  /** Stops all runs, and jobs whose claim is in progress, so that they are queued again. */
  stopAll(): void {
    this.isStopping = true;
    for (const run of this.runs.values()) run.stop('shutdown');
  }

  close(): void {
    for (const end of this.unsubscribe) end();
  }

  /** Runs an attempt with its ids on each line of the log, as a span of its request's trace. */
  private trace(job: JobEntity): Promise<Disposition> {
    const { id: jobId, userId, tool, attempts: attempt, traceParent: parent, requestId: id } = job;
    const requestId = id ?? undefined;
    const attributes = {
      'pressroom.job_id': jobId,
      'pressroom.user_id': userId,
      'pressroom.request_id': requestId,
      'pressroom.attempt': attempt,
    };
    return withLogContext({ requestId, jobId, userId, tool, attempt }, () =>
      inSpan(`job ${tool}`, { kind: 'consumer', parent, attributes }, () => {
        addToLogContext({ traceId: activeTrace()?.traceId });
        return this.attempt(job);
      }),
    );
  }

  private async attempt(job: JobEntity): Promise<Disposition> {
    const { lifecycle, live, leaseSeconds, log } = this.options;
    const attempt: Attempt = { jobId: job.id, attempt: job.attempts };
    const engine = this.providerOf(job.tool) ? 'openai' : 'offline';
    const firstStart = this.clock.elapsed() - millisecondsBefore(job, leaseSeconds);
    const run = new JobProgress({
      attempt,
      userId: job.userId,
      startedAt: firstStart,
      percent: job.percent,
      engine,
      expected: this.expect(job, engine),
      leaseSeconds,
      lifecycle,
      live,
      onError: log.error,
      clock: this.clock,
    });
    this.runs.set(job.id, run);
    if (this.isStopping) run.stop('shutdown');
    log.started(job);
    try {
      return await this.runTool(job, attempt, run, firstStart);
    } finally {
      this.runs.delete(job.id);
      await run.close();
    }
  }

  /** @param firstStart when the job's first attempt started, in the clock's elapsed milliseconds */
  private async runTool(
    job: JobEntity,
    attempt: Attempt,
    run: JobProgress,
    firstStart: number,
  ): Promise<Disposition> {
    const { lifecycle, live, log, services } = this.options;
    const previews = new AttemptPreviews({
      attempt,
      userId: job.userId,
      lifecycle,
      live,
      onError: log.error,
    });
    let cancelTimer: (() => void) | undefined;
    let endTurn: (() => void) | undefined;
    try {
      const { name, input } = readJob(job);
      if (job.batchId !== null && !this.providerOf(name)) endTurn = await this.batchTurn.take(1, run.signal);
      cancelTimer = this.clock.after(tools[name].timeLimitSeconds * 1000, () => run.stop('timeout'));
      // Before the provider is paid for a picture that could not be stored.
      if (tools[name].queue === 'image') await services.files.ping();
      const outcome = await stoppable(
        () => this.work(name, input, createRunContext(job, run, previews, services)),
        run.signal,
      );
      await Promise.all([run.close(), previews.close()]);
      const made = withSource(withModel(outcome, name, this.options.engine.provider), input);
      const isOwn = await retryWhileUnavailable(() => lifecycle.succeed(attempt, made));
      log.ended(job, isOwn ? 'succeeded' : 'lost');
      return DONE;
    } catch (error) {
      await run.close();
      const reason: unknown = run.signal.aborted ? run.signal.reason : error;
      return await this.afterError(job, attempt, reason, firstStart);
    } finally {
      cancelTimer?.();
      endTurn?.();
    }
  }

  private work<N extends ToolName>(
    name: N,
    input: ToolInput<N>,
    context: RunContext,
  ): Promise<ToolOutcome<N>> {
    const handler = this.options.handlers[name];
    const provider = this.providerOf(name);
    return provider ? handler.withProvider(input, provider, context) : handler.offline(input, context);
  }

  private providerOf(tool: string): AiProvider | null {
    const { engine, engines } = this.options;
    return isToolName(tool) && engines?.[tool] === 'offline' ? null : engine.provider;
  }

  /** The estimate of an earlier attempt counts. */
  private async expect(job: JobEntity, engine: EngineName): Promise<Expectation | null> {
    return expectationOf(job) ?? (await this.options.expect?.(job.tool, engine, job.size)) ?? null;
  }

  private async afterError(
    job: JobEntity,
    attempt: Attempt,
    error: unknown,
    firstStart: number,
  ): Promise<Disposition> {
    const { lifecycle, log } = this.options;
    try {
      if (error instanceof RunStopped && error.reason !== 'timeout') {
        log.ended(job, error.reason);
        if (error.reason !== 'shutdown' && error.reason !== 'yielded') return DONE;
        await retryWhileUnavailable(() =>
          error.reason === 'yielded' ? lifecycle.yield(attempt) : lifecycle.release(attempt),
        );
        return later(0);
      }
      const isOutage =
        error instanceof StoreError || (error instanceof EngineError && error.scope === 'held');
      const delay = isOutage ? this.delayInOutage(firstStart, error) : this.delayAfterFailure(job, error);
      if (delay !== null) {
        log.ended(job, 'paused', error);
        const seconds = Math.ceil(delay / 1000);
        const who = nameOfFailedService(error);
        const message = `${who} had a problem. Trying again in ${seconds} s`;
        await retryWhileUnavailable(() =>
          lifecycle.retryLater(attempt, { delayMs: delay, message, isFailure: !isOutage }),
        );
        return later(delay);
      }
      log.ended(job, 'failed', error);
      await retryWhileUnavailable(() => lifecycle.fail(attempt, toFailure(error)));
      return DONE;
    } catch (storing) {
      // Nothing could be stored; the lease runs out and the reconciler has the job run again.
      log.error(storing as Error);
      return later(this.options.leaseSeconds * 1000);
    }
  }

  /** Milliseconds to wait before the job is tried again; null when it has failed for good. */
  private delayAfterFailure(job: JobEntity, error: unknown): number | null {
    if (error instanceof AppError || error instanceof RunStopped) return null;
    if (error instanceof EngineError && !error.retryable) return null;
    if (job.failures + 1 >= this.options.attempts) return null;
    const backoff = 1_000 * 2 ** job.failures;
    const asked = error instanceof EngineError ? (error.retryAfterMs ?? 0) : 0;
    return Math.min(Math.max(backoff, asked), MAX_BACKOFF);
  }

  /**
   * Milliseconds to wait for an unavailable service; null if the job has waited long enough. An outage does not count as a
   * failure of the job. Delays grow with the time since its first start, and have jitter so that not all jobs come back at once.
   */
  private delayInOutage(firstStart: number, error: EngineError | StoreError): number | null {
    const waited = this.clock.elapsed() - firstStart;
    if (waited > this.options.outageSeconds * 1000) return null;
    const asked = error instanceof EngineError ? (error.retryAfterMs ?? 0) : 0;
    const delay = Math.min(Math.max(waited / 2, asked, 1_000), Math.max(asked, MAX_OUTAGE_DELAY));
    return Math.round(delay * (1 + Math.random() / 4));
  }
}

/** Milliseconds from the first start of a claimed job to its claim, both by the database's clock. */
function millisecondsBefore({ startedAt, leaseUntil }: JobEntity, leaseSeconds: number): number {
  if (!startedAt || !leaseUntil) return 0;
  return Math.max(leaseUntil.getTime() - leaseSeconds * 1_000 - startedAt.getTime(), 0);
}

/** Adds the name of the model to an outcome. */
function withModel<N extends ToolName>(
  { model, ...outcome }: ToolOutcome<N>,
  name: N,
  provider: AiProvider | null,
): Outcome {
  const ofProvider = provider && (tools[name].queue === 'image' ? provider.imageModel : provider.textModel);
  const { engine } = outcome.result;
  return {
    ...outcome,
    result: { ...outcome.result, model: engine === 'openai' ? ofProvider : (model ?? null) },
  };
}

/** Adds the source of the creation to an outcome. */
const withSource = ({ creation, ...outcome }: Outcome, input: unknown): Outcome => ({
  ...outcome,
  creation: creation && { ...creation, madeFrom: sourceOf(input) },
});

/** Parses the stored input again, since another version may have stored it. @throws AppError for a job that this version cannot run */
function readJob(job: JobEntity): { name: ToolName; input: ToolInput<ToolName> } {
  if (job.lostAttempts > MAX_LOST_ATTEMPTS) {
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

function nameOfFailedService(error: unknown): string {
  if (error instanceof StoreError) return 'The file store';
  return error instanceof EngineError && error.scope === 'server' ? 'A model here' : 'The AI service';
}

function toFailure(error: unknown): Failure {
  if (error instanceof RunStopped) {
    return {
      code: 'JOB_TIMED_OUT',
      message: 'This took longer than it may. Your credit was given back; try again.',
    };
  }
  if (error instanceof AppError)
    return { code: error.code, message: error.message, hitLimit: error instanceof LimitExceeded };
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

/** The work, or the stop if that comes first, so that a handler that ignores its signal cannot block the worker. */
async function stoppable<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  return untilAborted(work(), signal);
}
