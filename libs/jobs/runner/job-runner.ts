import { systemClock, type Clock } from '#libs/config/clock.js';
import type { EngineName } from '#libs/contract/engine.js';
import { AppError } from '#libs/contract/errors.js';
import { sourceOf } from '#libs/contract/images.js';
import type { Expectation } from '#libs/contract/progress.js';
import type { AiProvider } from '#libs/ai/engine.js';
import type { JobEntity } from '#libs/database/entities/jobs.js';
import type { LiveEvents } from '#libs/events/live-events.js';
import { activeTrace, inSpan } from '#libs/observability/tracing.js';
import { addToLogContext, withLogContext } from '#libs/observability/log-context.js';
import type { Disposition } from '#libs/queue/entry-processor.js';
import { withJobWork, type JobWork } from '#libs/resilience/job-work.js';
import { MemoryBudget } from '#libs/resilience/memory-budget.js';
import { untilAborted } from '#libs/resilience/until-aborted.js';
import type { RunTimes } from '#libs/scheduling/run-times.js';
import { isToolName, tools, type ToolInput, type ToolName } from '#libs/tools/catalogue.js';
import { expectationOf } from '../job-response.js';
import type { Attempt, Claim, JobLifecycle, Outcome } from '../lifecycle.js';
import { retryWhileUnavailable } from '../retry-while-unavailable.js';
import type { ToolOutcome } from '../tool-handler.js';
import { AttemptPreviews } from './attempt-previews.js';
import { CpuTimeCounter } from './cpu-time-counter.js';
import { decidePublication, type PublicationDeps } from './decide-publication.js';
import { JobProgress, RunStopped } from './job-progress.js';
import { decideRetry, type RetryLimits } from './retry-policy.js';
import { createRunContext, type RunServices } from './run-context.js';
import { providerOf, ToolAttempt, type ToolAttemptDeps } from './tool-attempt.js';

export interface RunnerOptions extends ToolAttemptDeps, PublicationDeps, RetryLimits {
  lifecycle: JobLifecycle;
  live: LiveEvents;
  services: RunServices;
  /** Expected duration of a job. Null without enough data. */
  expect?: RunTimes['expect'];
  leaseSeconds: number;
  log: RunnerLog;
  clock?: Clock;
}

/** Receives the events of a runner, each with its job. */
export interface RunnerLog {
  started: (job: JobEntity) => void;
  ended: (job: JobEntity, how: string, error?: unknown) => void;
  error: (error: Error) => void;
}

/** Number of attempts whose worker died after which the job fails, since the job itself probably kills its workers. */
const MAX_LOST_ATTEMPTS = 20;
/** Maximum milliseconds for which a worker holds a job whose slot is reserved. Less than the reconciler allows. */
const MAX_KEPT_MS = 5_000;

const DONE: Disposition = { done: true };
const later = (delayMs: number): Disposition => ({ done: false, delayMs });

/** Runs jobs in a worker process: claims a job, runs its tool, and stores the outcome. */
export class JobRunner {
  private readonly runs = new Map<string, JobProgress>();
  private readonly unsubscribe: (() => void)[];
  private isStopping = false;
  private readonly clock: Clock;
  private readonly cpuTime: CpuTimeCounter;
  /** Without an AI provider, batch jobs run one at a time, so that a batch needs the memory of one picture. */
  private readonly batchTurn = new MemoryBudget(1);

  constructor(private readonly options: RunnerOptions) {
    this.clock = options.clock ?? systemClock;
    this.cpuTime = new CpuTimeCounter(options.lifecycle);
    const { live } = options;
    this.unsubscribe = [
      live.subscribe('job:cancelled', (jobId) => this.runs.get(jobId)?.stop('cancelled')),
      live.subscribe('job:yields', (jobId) => this.runs.get(jobId)?.stop('yielded')),
    ];
  }

  get running(): number {
    return this.runs.size;
  }

  /**
   * Runs the job of a queue entry. The result says if the entry is done or must be retried after a delay. Never
   * rejects.
   */
  async run(jobId: string): Promise<Disposition> {
    // After a database restart the queue may deliver an entry again although this process still runs its job.
    if (this.runs.has(jobId)) return later(this.options.leaseSeconds * 1000);
    if (this.isStopping) return later(0);
    let claim;
    try {
      claim = await this.claim(jobId);
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

  /**
   * Claims a job. A slot that must stay free waits with the job: if the entry went back into the queue, a worker would take it
   * again at once, and then each of the entries behind it.
   */
  private async claim(jobId: string): Promise<Claim> {
    const { lifecycle, leaseSeconds } = this.options;
    const until = this.clock.elapsed() + MAX_KEPT_MS;
    for (;;) {
      const claim = await lifecycle.claim(jobId, leaseSeconds);
      const isKept = claim.kind === 'retry' && claim.keepsSlot && !this.isStopping;
      if (!isKept || this.clock.elapsed() >= until) return claim;
      await new Promise<void>((resolve) => void this.clock.after(claim.delayMs, resolve));
    }
  }

  /** Stops all running jobs, and prevents claims in progress from starting, so that these jobs are queued again. */
  stopAll(): void {
    this.isStopping = true;
    for (const run of this.runs.values()) run.stop('shutdown');
  }

  close(): void {
    for (const end of this.unsubscribe) end();
  }

  /** Runs an attempt inside a trace span of the original request, with its ids in every log line. */
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
    const provider = providerOf(job, this.options);
    const engine = provider ? 'openai' : 'offline';
    const run = new JobProgress({
      attempt: attemptOf(job),
      userId: job.userId,
      startedAt: this.clock.elapsed() - millisecondsBefore(job, leaseSeconds),
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
    const work: JobWork = { userId: job.userId, cpuMs: 0 };
    try {
      return await withJobWork(work, () => this.runTool(job, run, provider));
    } finally {
      this.runs.delete(job.id);
      await run.close();
      await this.cpuTime.count(work);
    }
  }

  private async runTool(job: JobEntity, run: JobProgress, provider: AiProvider | null): Promise<Disposition> {
    const { lifecycle, live, log, services } = this.options;
    const attempt = attemptOf(job);
    const previews = new AttemptPreviews({
      attempt,
      userId: job.userId,
      lifecycle,
      live,
      onError: log.error,
    });
    let cancelTimer: (() => void) | undefined;
    let toolAttempt: ToolAttempt<ToolName> | undefined;
    try {
      const { name, input } = readJob(job);
      toolAttempt = new ToolAttempt(this.options, this.batchTurn, job, name, input, run.signal);
      // Before the time limit begins.
      await toolAttempt.reserve(provider);
      cancelTimer = this.clock.after(tools[name].timeLimitSeconds * 1000, () => run.stop('timeout'));
      // Check the file store first: otherwise the provider is paid for a picture that cannot be stored.
      if (tools[name].queue === 'image') await services.files.ping();
      const outcome = await stoppable(async () => {
        const made = await toolAttempt!.run(createRunContext(job, run, previews, services));
        return decidePublication(this.options, job, made, run.signal);
      }, run.signal);
      await Promise.all([run.close(), previews.close()]);
      const stored = withSource(withModel(outcome, name, this.options.engine.provider), input);
      const isOwn = await retryWhileUnavailable(() => lifecycle.succeed(attempt, stored));
      log.ended(job, isOwn ? 'succeeded' : 'lost');
      return DONE;
    } catch (error) {
      await run.close();
      const reason: unknown = run.signal.aborted ? run.signal.reason : error;
      return await this.afterError(job, run, reason);
    } finally {
      cancelTimer?.();
      toolAttempt?.release();
    }
  }

  /** Prefers the estimate of an earlier attempt, so that displayed progress stays consistent. */
  private async expect(job: JobEntity, engine: EngineName): Promise<Expectation | null> {
    return expectationOf(job) ?? (await this.options.expect?.(job.tool, engine, job.size)) ?? null;
  }

  private async afterError(job: JobEntity, run: JobProgress, error: unknown): Promise<Disposition> {
    const { lifecycle, log } = this.options;
    const attempt = attemptOf(job);
    try {
      if (error instanceof RunStopped && error.reason !== 'timeout') {
        log.ended(job, error.reason);
        if (error.reason !== 'shutdown' && error.reason !== 'yielded') return DONE;
        await retryWhileUnavailable(() =>
          error.reason === 'yielded' ? lifecycle.yield(attempt) : lifecycle.release(attempt),
        );
        return later(0);
      }
      const decision = decideRetry(job, error, this.clock.elapsed() - run.startedAt, this.options);
      if (decision.kind === 'retry') {
        log.ended(job, 'paused', error);
        await retryWhileUnavailable(() => lifecycle.retryLater(attempt, decision));
        return later(decision.delayMs);
      }
      log.ended(job, 'failed', error);
      await retryWhileUnavailable(() => lifecycle.fail(attempt, decision.failure));
      return DONE;
    } catch (storing) {
      // The outcome could not be stored. When the lease expires, the reconciler queues the job again.
      log.error(storing as Error);
      return later(this.options.leaseSeconds * 1000);
    }
  }
}

const attemptOf = ({ id, attempts }: JobEntity): Attempt => ({ jobId: id, attempt: attempts });

/** Milliseconds between a job's first start and its current claim, by the database's clock. */
function millisecondsBefore({ startedAt, leaseUntil }: JobEntity, leaseSeconds: number): number {
  if (!startedAt || !leaseUntil) return 0;
  return Math.max(leaseUntil.getTime() - leaseSeconds * 1_000 - startedAt.getTime(), 0);
}

/** Adds the model's name to the result. */
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

/** Adds the id of the source creation to the new creation. */
const withSource = ({ creation, ...outcome }: Outcome, input: unknown): Outcome => ({
  ...outcome,
  creation: creation && { ...creation, madeFrom: sourceOf(input) },
});

/**
 * Validates the stored input again, since another version of the program may have stored it.
 * @throws AppError if this version cannot run the job
 */
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

/** Rejects as soon as the signal aborts, so that a handler that ignores its signal cannot block the worker. */
async function stoppable<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  return untilAborted(work(), signal);
}
