import { randomUUID } from 'node:crypto';
import { systemClock, type Clock } from '#libs/config/clock.js';
import { engineFor, imageOperationOf, type ToolEngines } from '#libs/config/engines.js';
import { EngineError, type EngineName } from '#libs/contract/engine.js';
import { sourceOf } from '#libs/contract/images.js';
import type { AiProvider, CallListener, Engine } from '#libs/ai/engine.js';
import type { ImageSupport } from '#libs/ai/image-support.js';
import { AppError, LimitExceeded } from '#libs/contract/errors.js';
import type { BudgetName } from '#libs/contract/admin.js';
import { BudgetReserved, type ProviderBudgets } from '#libs/costs/provider-budgets.js';
import { sourceOfJob, type AttemptCalls, type ProviderCalls } from '#libs/costs/provider-calls.js';
import type { JobEntity } from '#libs/database/entities/jobs.js';
import { UserEntity } from '#libs/database/entities/users.js';
import type { Database } from '#libs/database/sql.js';
import type { LiveEvents } from '#libs/events/live-events.js';
import { activeTrace, inSpan } from '#libs/observability/tracing.js';
import { addToLogContext, withLogContext } from '#libs/observability/log-context.js';
import type { Disposition } from '#libs/queue/entry-processor.js';
import type { Expectation } from '#libs/contract/progress.js';
import { contentHashOf, shownText } from '#libs/publishing/content-hash.js';
import type { PublicationCheck } from '#libs/publishing/publication-check.js';
import { withJobWork, type JobWork } from '#libs/resilience/job-work.js';
import { MemoryBudget } from '#libs/resilience/memory-budget.js';
import { untilAborted } from '#libs/resilience/until-aborted.js';
import { isToolName, tools, type ToolInput, type ToolName } from '#libs/tools/catalogue.js';
import type { RunContext, ToolHandlers, ToolOutcome } from './tool-handler.js';
import { StoreError } from '#libs/storage/object-store.js';
import type { Attempt, Claim, Failure, JobLifecycle, Outcome } from './lifecycle.js';
import { AttemptPreviews } from './attempt-previews.js';
import { JobProgress, RunStopped } from './job-progress.js';
import { expectationOf } from './job-response.js';
import type { RunTimes } from '#libs/scheduling/run-times.js';
import { withRefund } from './refund-text.js';
import { retryWhileUnavailable } from './retry-while-unavailable.js';
import { createRunContext, type RunServices } from './run-context.js';

export interface RunnerOptions {
  dataSource: Database;
  lifecycle: JobLifecycle;
  live: LiveEvents;
  engine: Engine;
  handlers: ToolHandlers;
  /** Engine of each tool while an AI provider is connected. */
  toolEngines: ToolEngines;
  /** Image operations that the provider lacks. */
  imageSupport: Pick<ImageSupport, 'known' | 'add'>;
  /** Decides about creations that are to be published at once. */
  publicationCheck: Pick<PublicationCheck, 'check'>;
  services: RunServices;
  /** Records calls of the AI service. */
  calls: Pick<ProviderCalls, 'of'>;
  budgets: Pick<ProviderBudgets, 'reserve' | 'needsProvider' | 'exhausted'>;
  /** Expected duration of a job. Null without enough data. */
  expect?: RunTimes['expect'];
  leaseSeconds: number;
  /** Maximum number of failed attempts before the job fails for good. */
  attempts: number;
  /** Maximum seconds, counted from the first start, that a job waits for an unavailable AI service or file store. */
  outageSeconds: number;
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
/** Maximum milliseconds between two attempts, even if a provider asks for a longer pause. */
const MAX_BACKOFF = 5 * 60_000;
/** Milliseconds until a job asks again for a part of a budget that running jobs have reserved. */
const BUDGET_DELAY = 5_000;
/** CPU time of a user's jobs that is stored at once; less is added to that of the next job. */
const MIN_COUNTED_MS = 1_000;
/** Users whose uncounted CPU time a worker remembers, those of the latest jobs. */
const UNCOUNTED_USERS_MAX = 10_000;
/** Maximum milliseconds for which a worker holds a job whose slot is reserved. Less than the reconciler allows. */
const MAX_KEPT_MS = 5_000;
/** Maximum milliseconds between two attempts while a service is unavailable. */
const MAX_OUTAGE_DELAY = 15_000;

/** The AI service of an attempt, whose cost is reserved until `release` unless a budget is used up. */
interface ReservedProvider {
  provider: AiProvider;
  usedUp: BudgetName | null;
  calls: AttemptCalls;
  release: () => unknown;
}

const DONE: Disposition = { done: true };
const later = (delayMs: number): Disposition => ({ done: false, delayMs });

/** Runs jobs in a worker process: claims a job, runs its tool, and stores the outcome. */
export class JobRunner {
  private readonly runs = new Map<string, JobProgress>();
  private readonly unsubscribe: (() => void)[];
  /** CPU time of each user's jobs that is not stored yet. */
  private readonly uncountedMs = new Map<string, number>();
  private isStopping = false;
  private readonly clock: Clock;
  /** Without an AI provider, batch jobs run one at a time, so that a batch needs the memory of one picture. */
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
    const attempt: Attempt = { jobId: job.id, attempt: job.attempts };
    const engine = this.providerOf(job) ? 'openai' : 'offline';
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
    const work: JobWork = { userId: job.userId, cpuMs: 0 };
    try {
      return await withJobWork(work, () => this.runTool(job, attempt, run, firstStart));
    } finally {
      this.runs.delete(job.id);
      await run.close();
      await this.countCpuTime(work);
    }
  }

  private async countCpuTime({ userId, cpuMs }: JobWork): Promise<void> {
    const sum = (this.uncountedMs.get(userId) ?? 0) + cpuMs;
    this.uncountedMs.delete(userId);
    if (sum >= MIN_COUNTED_MS) return this.options.lifecycle.recordCpuTime(userId, sum / 1_000);
    if (sum === 0) return;
    this.uncountedMs.set(userId, sum);
    if (this.uncountedMs.size > UNCOUNTED_USERS_MAX)
      this.uncountedMs.delete(this.uncountedMs.keys().next().value!);
  }

  /** @param firstStart start of the job's first attempt, in milliseconds of the clock's `elapsed()` */
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
    let reserved: ReservedProvider | null = null;
    try {
      const { name, input } = readJob(job);
      const takeTurn = async () => {
        if (job.batchId !== null) endTurn ??= await this.batchTurn.take(1, run.signal);
      };
      reserved = await this.reserve(job, name, input, run.signal);
      if (!reserved) await takeTurn();
      cancelTimer = this.clock.after(tools[name].timeLimitSeconds * 1000, () => run.stop('timeout'));
      // Check the file store first: otherwise the provider is paid for a picture that cannot be stored.
      if (tools[name].queue === 'image') await services.files.ping();
      const outcome = await stoppable(async () => {
        const context = createRunContext(job, run, previews, services);
        const made = await this.work(reserved, name, input, context, takeTurn);
        return this.decidePublication(job, made, run.signal);
      }, run.signal);
      await Promise.all([run.close(), previews.close()]);
      const stored = withSource(withModel(outcome, name, this.options.engine.provider), input);
      const isOwn = await retryWhileUnavailable(() => lifecycle.succeed(attempt, stored));
      log.ended(job, isOwn ? 'succeeded' : 'lost');
      return DONE;
    } catch (error) {
      await run.close();
      const reason: unknown = run.signal.aborted ? run.signal.reason : error;
      return await this.afterError(job, attempt, reason, firstStart);
    } finally {
      cancelTimer?.();
      endTurn?.();
      reserved?.release();
    }
  }

  /** Reserves the cost of an attempt before its time limit begins. Null for a job that this server does. */
  private async reserve(
    job: JobEntity,
    name: ToolName,
    input: ToolInput<ToolName>,
    signal: AbortSignal,
  ): Promise<ReservedProvider | null> {
    const { budgets } = this.options;
    const provider = this.providerOf(job);
    if (!provider) return null;
    const request = { id: randomUUID(), job, tool: name, input, provider };
    const reserve = () => budgets.reserve(request, signal);
    const calls = this.options.calls.of(sourceOfJob(job));
    const release = () => calls.endReservation(request.id);
    try {
      const { isReserved, usedUp } = await retryWhileUnavailable(reserve, signal);
      return { provider, usedUp, calls, release: () => isReserved && release() };
    } catch (error) {
      // It may be stored although the answer was lost.
      if (!(error instanceof BudgetReserved)) release();
      throw error;
    }
  }

  /**
   * If the provider turns out to lack the image operation of a job, or its budget is used up, the same attempt goes on
   * without the provider.
   */
  private async work<N extends ToolName>(
    reserved: ReservedProvider | null,
    name: N,
    input: ToolInput<N>,
    context: RunContext,
    takeTurn: () => Promise<void>,
  ): Promise<ToolOutcome<N>> {
    const { handlers, budgets } = this.options;
    if (!reserved) return this.workOffline(name, input, context, takeTurn);
    const { provider, usedUp, calls, release } = reserved;
    if (usedUp !== null) {
      const exhausted = budgets.exhausted(usedUp, ' Your credit was given back.');
      if (budgets.needsProvider(name)) throw exhausted;
      context.stage('offline', 'The budget of the AI service is used up, so this server does the work', 0);
      return this.workOffline(name, input, context, takeTurn).catch((error: unknown) => {
        throw error instanceof AppError && error.code === 'ENGINE_CANNOT' ? exhausted : error;
      });
    }
    try {
      const recorded = withThinkingStage(withCalls(provider, calls), context);
      return await handlers[name].withProvider(input, recorded, context);
    } catch (error) {
      if (!(error instanceof EngineError) || error.scope !== 'unsupported') throw error;
      const operation = imageOperationOf(name, input);
      const { toolEngines, imageSupport } = this.options;
      if (!operation || engineFor(name, input, toolEngines, new Set([operation])) === 'openai') throw error;
      await imageSupport.add(operation);
    }
    release();
    return this.workOffline(name, input, context, takeTurn);
  }

  private async workOffline<N extends ToolName>(
    name: N,
    input: ToolInput<N>,
    context: RunContext,
    takeTurn: () => Promise<void>,
  ): Promise<ToolOutcome<N>> {
    await takeTurn();
    return this.options.handlers[name].offline(input, context);
  }

  /** Checks a creation that is to be published at once. */
  private async decidePublication<O extends ToolOutcome<ToolName>>(
    job: JobEntity,
    outcome: O,
    signal: AbortSignal,
  ): Promise<O & Pick<Outcome, 'creation' | 'moderation'>> {
    const { creation } = outcome;
    if (!creation?.published) return outcome;
    const { publicationCheck, dataSource } = this.options;
    const user = await retryWhileUnavailable(
      () => dataSource.getRepository(UserEntity).findOneBy({ id: job.userId }),
      signal,
    );
    const publishedName = user?.name ?? null;
    const publication = { ...creation, publishedCaption: null, publishedAuthor: null, publishedName };
    const verdict = await publicationCheck.check(
      { text: shownText(publication), content: creation.content },
      sourceOfJob(job),
      signal,
    );
    const contentHash = contentHashOf(publication);
    const published = verdict.state === 'approved';
    return {
      ...outcome,
      creation: { ...creation, published, publishedName },
      ...(verdict.state !== 'off' &&
        (verdict.state !== 'approved' || verdict.isChecked) && {
          moderation: {
            ...{ state: verdict.state, contentHash },
            cause: verdict.state === 'approved' ? 'check' : verdict.cause,
          },
        }),
    };
  }

  private providerOf({ tool, input }: { tool: string; input: unknown }): AiProvider | null {
    const { engine, toolEngines, imageSupport } = this.options;
    if (!isToolName(tool)) return engine.provider;
    const name = engineFor(tool, input, toolEngines, imageSupport.known);
    return name === 'offline' ? null : engine.provider;
  }

  /** Prefers the estimate of an earlier attempt, so that displayed progress stays consistent. */
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
      const isWaiting = error instanceof BudgetReserved;
      const isOutage =
        error instanceof StoreError || (error instanceof EngineError && error.scope === 'held');
      const delay = isWaiting
        ? Math.round(BUDGET_DELAY * (1 + Math.random() / 4))
        : isOutage
          ? this.delayInOutage(firstStart, error)
          : this.delayAfterFailure(job, error);
      if (delay !== null) {
        log.ended(job, 'paused', error);
        const seconds = Math.ceil(delay / 1000);
        const reason = isWaiting
          ? 'Running jobs have reserved the rest of the budget for the AI service'
          : `${nameOfFailedService(error)} had a problem`;
        const message = `${reason}. Trying again in ${seconds} s`;
        await retryWhileUnavailable(() =>
          lifecycle.retryLater(attempt, { delayMs: delay, message, isFailure: !isOutage && !isWaiting }),
        );
        return later(delay);
      }
      log.ended(job, 'failed', error);
      await retryWhileUnavailable(() => lifecycle.fail(attempt, toFailure(error, job.credits)));
      return DONE;
    } catch (storing) {
      // The outcome could not be stored. When the lease expires, the reconciler queues the job again.
      log.error(storing as Error);
      return later(this.options.leaseSeconds * 1000);
    }
  }

  /** Milliseconds until the next attempt. Null if the job has failed for good. */
  private delayAfterFailure(job: JobEntity, error: unknown): number | null {
    if (error instanceof AppError || error instanceof RunStopped) return null;
    if (error instanceof EngineError && !error.retryable) return null;
    if (job.failures + 1 >= this.options.attempts) return null;
    const backoff = 1_000 * 2 ** job.failures;
    const requested = error instanceof EngineError ? (error.retryAfterMs ?? 0) : 0;
    return Math.min(Math.max(backoff, requested), MAX_BACKOFF);
  }

  /**
   * Milliseconds until the next attempt while a service is unavailable; null if the maximum wait is over. An outage
   * does not count as a failure of the job. Delays grow with the waiting time and have jitter, so that not all jobs
   * retry at once.
   */
  private delayInOutage(firstStart: number, error: EngineError | StoreError): number | null {
    const waited = this.clock.elapsed() - firstStart;
    if (waited > this.options.outageSeconds * 1000) return null;
    const requested = error instanceof EngineError ? (error.retryAfterMs ?? 0) : 0;
    const delay = Math.min(Math.max(waited / 2, requested, 1_000), Math.max(requested, MAX_OUTAGE_DELAY));
    return Math.round(delay * (1 + Math.random() / 4));
  }
}

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

function nameOfFailedService(error: unknown): string {
  if (error instanceof StoreError) return 'The file store';
  return error instanceof EngineError && error.scope === 'server' ? 'A model here' : 'The AI service';
}

/** Messages of failures are written for a job of one credit. */
function toFailure(error: unknown, credits: number): Failure {
  const failure = failureOf(error);
  return { ...failure, message: withRefund(failure.message, credits) };
}

function failureOf(error: unknown): Failure {
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

/** Rejects as soon as the signal aborts, so that a handler that ignores its signal cannot block the worker. */
async function stoppable<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  return untilAborted(work(), signal);
}

/** Shows as a stage that the model thinks before it answers. */
const withThinkingStage = (provider: AiProvider, context: RunContext): AiProvider => ({
  ...provider,
  streamChat: (request, signal) =>
    provider.streamChat(
      { onThinking: () => context.stage('thinking', 'The AI model is thinking', 0), ...request },
      signal,
    ),
});

/** Reports the calls of one attempt. */
const withCalls = (provider: AiProvider, calls: CallListener): AiProvider => ({
  ...provider,
  streamChat: (request, signal) => provider.streamChat({ ...request, calls }, signal),
  generateImage: (request, signal) => provider.generateImage({ ...request, calls }, signal),
  editImage: (request, signal) => provider.editImage({ ...request, calls }, signal),
});
