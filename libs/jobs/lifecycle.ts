import type { Database, Transaction } from '#libs/database/sql.js';
import { randomUUID } from 'node:crypto';
import { In } from 'typeorm';
import type { EngineName } from '#libs/contract/engine.js';
import type { CreationSettings } from '#libs/contract/creations.js';
import { AppError, type ErrorCode } from '#libs/contract/errors.js';
import type { StoredFile } from '#libs/contract/files.js';
import { JobEntity } from '#libs/database/entities/jobs.js';
import { CreationModerationEntity } from '#libs/database/entities/moderation.js';
import type { LiveEvents } from '#libs/events/live-events.js';
import { creditsRefunded, jobSeconds, jobWaitSeconds } from '#libs/observability/metrics.js';
import type { JobQueue } from '#libs/queue/job-queue.js';
import { markUploadsForDeletion } from '#libs/storage/stored-files.js';
import type { AccountEvents } from '#libs/accounts/account-events.js';
import type { JobEvents } from './job-events.js';
import { toQueueEntry } from '#libs/scheduling/queue-entry.js';
import { claimTogetherWithOthers } from './claim-job.js';
import { completeJob, completeTogetherWithOthers, type Completion } from './complete-job.js';
import { recordCpuTime, recordLimitFailure } from '#libs/scheduling/fair-shares.js';
import {
  cancelJob,
  cancelWaitingJobs,
  type CancelledJob,
  type WaitingJobs,
  failJob,
  moveFilesToCreation,
  refundJob,
  releaseJob,
  renewLease,
  retryJobLater,
  storePreview,
  yieldRunningJob,
  type Attempt,
  type AttemptPlan,
  type AttemptProgress,
} from './job-transitions.js';

export type { Attempt, CancelledJob } from './job-transitions.js';

/** Notes of refunds, which tell the user why. */
const CANCELLED = 'It was cancelled.';
const CANCELLED_BY_OPERATOR = 'An operator cancelled it.';

/** Milliseconds until the next claim of a job that waits only for other jobs. */
const CLAIM_AGAIN_MS = 250;
/** The same for a job that lets a standard job go first, long enough for a worker to take that job. */
const AFTER_NEXT_MS = 1_000;

/** Jobs may have inputs of a megabyte. */
const JOBS_READ_AT_ONCE = 100;

export type Claim =
  | { kind: 'claimed'; job: JobEntity }
  /**
   * Another worker runs the job, or its delay is not over. Claim again after `delayMs`. `keepsSlot`: the worker's slot must
   * stay free, but no job waits for it.
   */
  | { kind: 'retry'; delayMs: number; keepsSlot?: true }
  /** The job has ended, or its row was deleted. */
  | { kind: 'ended' };

export interface Outcome {
  result: Record<string, unknown> & { engine: EngineName; model?: string | null };
  creation: {
    type: string;
    prompt: string;
    displayName?: string;
    content: string;
    files?: { image: StoredFile; thumbnail: StoredFile };
    published?: boolean;
    publishedName?: string | null;
    settings?: CreationSettings;
    /** Id of the source creation. */
    madeFrom?: string;
  } | null;
  /** The decision about the publication of the creation, if one was needed. */
  moderation?: Pick<CreationModerationEntity, 'state' | 'cause' | 'contentHash'>;
  /** Additional writes of the tool, in the transaction that ends the job. */
  commit?: (transaction: Transaction) => Promise<void>;
}

export interface Failure {
  code: ErrorCode;
  message: string;
  /** True if the job exceeded its time or memory limit. Repeated failures of this kind slow down the user's jobs. */
  hitLimit?: boolean;
}

export interface LifecycleDeps {
  dataSource: Database;
  queue: JobQueue;
  live: LiveEvents;
  jobEvents: Pick<JobEvents, 'jobChanged'>;
  accountEvents: Pick<AccountEvents, 'accountChanged'>;
  onError: (error: Error) => void;
}

/** What else an operator's act does that cancels jobs. The first two run in the transaction that cancels them. */
export interface CancellingAct {
  beforeCancelling?: (transaction: Transaction) => Promise<void>;
  afterCancelling: (transaction: Transaction, cancelled: CancelledJob[]) => Promise<void>;
  /** Runs after the commit, before the events of the jobs, which take long if they are many. */
  committed?: () => Promise<void>;
}

/** Pass to `catch` after a cancellation: ignores the error if the job had already ended. */
export function ignoreEnded(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'JOB_NOT_CANCELLABLE')) throw error;
}

/**
 * All status changes of a job after its submission. Each change is one conditional statement or one transaction, and is
 * published after the commit. If the attempt is no longer the job's current one (cancelled, ended or taken over), a
 * change stores nothing and returns false.
 */
export class JobLifecycle {
  private readonly successListeners: ((job: JobEntity) => Promise<void>)[] = [];
  private readonly claimTogether: ReturnType<typeof claimTogetherWithOthers>;
  private readonly completeTogether: ReturnType<typeof completeTogetherWithOthers>;
  private removals = Promise.resolve();

  constructor(private readonly deps: LifecycleDeps) {
    this.claimTogether = claimTogetherWithOthers(deps.dataSource);
    this.completeTogether = completeTogetherWithOthers(deps.dataSource);
  }

  /** @param listener called after the commit of each success in this process; must not throw */
  onSuccess(listener: (job: JobEntity) => Promise<void>): void {
    this.successListeners.push(listener);
  }

  async claim(jobId: string, leaseSeconds: number): Promise<Claim> {
    const answer = await this.claimTogether({ jobId, leaseSeconds });
    switch (answer.kind) {
      case 'claimed':
        if (answer.job.attempts === 1) observeWait(answer.job);
        void this.deps.jobEvents.jobChanged(answer.job);
        return { kind: 'claimed', job: answer.job };
      case 'yielded':
        return this.toYielded(answer.job);
      case 'later':
        if (answer.next) {
          await this.reorder(answer.next);
          return { kind: 'retry', delayMs: AFTER_NEXT_MS };
        }
        return {
          kind: 'retry',
          delayMs: Math.max(answer.seconds, 0) * 1_000 + CLAIM_AGAIN_MS,
          ...(answer.isReserved && { keepsSlot: true }),
        };
      case 'ended':
        return { kind: 'ended' };
    }
  }

  /** The worker still holds the queue entry of the yielded job, so move the entry to its new position and release it. */
  private async toYielded(job: JobEntity): Promise<{ kind: 'retry'; delayMs: number }> {
    await this.reorder(job);
    return { kind: 'retry', delayMs: 0 };
  }

  private async reorder(job: JobEntity): Promise<void> {
    await this.deps.queue.reorder([toQueueEntry(job)]).catch(this.deps.onError);
  }

  /** Renews the attempt's lease, and stores and publishes its progress. */
  async renew(
    attempt: Attempt,
    leaseSeconds: number,
    change: { progress?: AttemptProgress; partial?: string; plan?: AttemptPlan },
  ): Promise<boolean> {
    const job = await renewLease(this.deps.dataSource, attempt, leaseSeconds, change);
    if (job && change.progress) void this.deps.jobEvents.jobChanged(job);
    return job !== undefined;
  }

  /** Stores the newest preview of an attempt. @returns false if the attempt is outdated */
  async storePreview(attempt: Attempt, index: number, image: Uint8Array): Promise<boolean> {
    return storePreview(this.deps.dataSource, attempt, index, image);
  }

  /** Ends the attempt and stores its result, its creation and the additional writes of its tool, in one transaction. */
  async succeed(attempt: Attempt, { result, creation, moderation, commit }: Outcome): Promise<boolean> {
    const { dataSource } = this.deps;
    const files = creation?.files;
    const creationId = creation ? randomUUID() : undefined;
    const completion: Completion = {
      ...attempt,
      result: { ...result, creationId },
      creation:
        creation && creationId
          ? {
              published: false,
              publishedName: null,
              settings: null,
              madeFrom: null,
              displayName: null,
              ...creation,
              id: creationId,
              engine: result.engine,
              model: result.model ?? null,
            }
          : null,
    };
    const job =
      files || commit || moderation
        ? await dataSource.transaction(async (transaction) => {
            const completed = await completeJob(transaction, completion);
            if (completed && files) await moveFilesToCreation(transaction, completed, files);
            if (completed && creationId && moderation)
              await transaction.insert(CreationModerationEntity, {
                ...moderation,
                creationId,
                isWanted: true,
              });
            if (completed && commit) await commit(transaction);
            return completed;
          })
        : await this.completeTogether(completion);
    if (!job) return false;
    await this.releaseUploads(job);
    observeEnd(job);
    void this.deps.jobEvents.jobChanged(job);
    if (files || Object.keys(job.files).length > 0) void this.deps.accountEvents.accountChanged(job.userId);
    for (const listener of this.successListeners) await listener(job);
    return true;
  }

  /**
   * Releases the uploads of a succeeded job, so that they no longer count as storage. Uploads of retries belong to the
   * original job, and those of flows are needed by other steps, so both are kept. `StoredFiles.sweep` releases what
   * this call misses.
   */
  private async releaseUploads({ id, files, retryOf, groupId, flowId }: JobEntity): Promise<void> {
    const keys = Object.values(files);
    if (keys.length === 0 || retryOf !== null || groupId !== null || flowId !== null) return;
    await markUploadsForDeletion(this.deps.dataSource, id, keys).catch(this.deps.onError);
  }

  /** Fails the job for good and refunds its credits, in one transaction. */
  async fail(attempt: Attempt, failure: Failure): Promise<boolean> {
    return this.endWithRefund('It failed.', async (transaction) => {
      const job = await failJob(transaction, attempt, failure);
      if (job && failure.hitLimit) await recordLimitFailure(transaction, job.userId);
      return job;
    });
  }

  /** Records the CPU time of an attempt, however it ended. Repeated long work slows down the user's jobs. */
  async recordCpuTime(userId: string, seconds: number): Promise<void> {
    await recordCpuTime(this.deps.dataSource, userId, seconds).catch(this.deps.onError);
  }

  /**
   * Queues the job again after a delay. `isFailure` is false while a service is unavailable, so that the attempt is not
   * counted.
   */
  async retryLater(
    attempt: Attempt,
    delay: { delayMs: number; message: string; isFailure: boolean },
  ): Promise<boolean> {
    return this.publish(await retryJobLater(this.deps.dataSource, attempt, delay));
  }

  /** Queues the job again at once when its worker shuts down. Does not count as a failure. */
  async release(attempt: Attempt): Promise<boolean> {
    return this.publish(await releaseJob(this.deps.dataSource, attempt));
  }

  /** Queues the job again behind jobs of other users, since its user holds more than a fair share of the slots. */
  async yield(attempt: Attempt): Promise<boolean> {
    const job = await this.deps.dataSource.transaction((transaction) =>
      yieldRunningJob(transaction, attempt),
    );
    if (job) await this.toYielded(job);
    return this.publish(job);
  }

  /**
   * Cancels a job and refunds its credits. A waiting job never starts; a running job is aborted by its worker.
   * Cancelling a cancelled job succeeds.
   * @param byOperator runs in the transaction that cancels the job; not if it was cancelled before
   * @throws AppError NOT_FOUND, JOB_NOT_CANCELLABLE
   */
  async cancel(
    userId: string,
    jobId: string,
    byOperator?: (transaction: Transaction) => Promise<void>,
  ): Promise<JobEntity> {
    const { dataSource, live, queue, onError } = this.deps;
    const note = byOperator ? CANCELLED_BY_OPERATOR : CANCELLED;
    const cancelled = await this.endWithRefund(note, async (transaction) => {
      const job = await cancelJob(transaction, userId, jobId, ['queued', 'running']);
      if (job) await byOperator?.(transaction);
      return job;
    });
    const job = await dataSource.getRepository(JobEntity).findOneBy({ id: jobId, userId });
    if (!job) throw new AppError('NOT_FOUND', 'There is no such job.');
    if (cancelled) {
      live.publish('job:cancelled', jobId);
      queue.remove(job.queue, jobId).catch(onError);
    } else if (job.status !== 'cancelled') {
      throw new AppError('JOB_NOT_CANCELLABLE', 'This job has already ended.');
    }
    return job;
  }

  /**
   * Cancels and refunds waiting jobs in one statement. Jobs that a worker has started since continue.
   * @param act of an operator, whom the refunds then name
   */
  async cancelAllWaiting(which: WaitingJobs, act?: CancellingAct): Promise<CancelledJob[]> {
    const { dataSource, jobEvents, accountEvents } = this.deps;
    const note = act ? CANCELLED_BY_OPERATOR : CANCELLED;
    const cancelled = await dataSource.transaction(async (transaction) => {
      await act?.beforeCancelling?.(transaction);
      const ended = await cancelWaitingJobs(transaction, which, note);
      await act?.afterCancelling(transaction, ended);
      return ended;
    });
    await act?.committed?.();
    const refunds = new Map(cancelled.map(({ id, refunded }) => [id, refunded]));
    const charged = new Set<string>();
    for (let start = 0; start < cancelled.length; start += JOBS_READ_AT_ONCE) {
      const ids = cancelled.slice(start, start + JOBS_READ_AT_ONCE).map(({ id }) => id);
      const jobs = await dataSource.getRepository(JobEntity).findBy({ id: In(ids) });
      this.removeEntries(jobs);
      for (const job of jobs) {
        observeEnd(job);
        await jobEvents.jobChanged(job);
        const refunded = refunds.get(job.id) ?? 0;
        if (refunded === 0) continue;
        creditsRefunded.inc({ tool: job.tool }, refunded);
        charged.add(job.userId);
      }
    }
    for (const userId of charged) await accountEvents.accountChanged(userId);
    return cancelled;
  }

  /** Removes the queue's entries of ended jobs after those of earlier calls. A thousand at once would exceed the time limit of each. */
  private removeEntries(jobs: JobEntity[]): void {
    const { queue, onError } = this.deps;
    this.removals = this.removals.then(async () => {
      await Promise.all(jobs.map((job) => queue.remove(job.queue, job.id).catch(onError)));
    });
  }

  /** Waits until the entries of ended jobs are removed. Call it before the queue is closed. */
  async close(): Promise<void> {
    await this.removals;
  }

  /** Like {@link cancel}, but only for a job that has not started. @returns false if the job no longer waits */
  async cancelWaiting(userId: string, jobId: string): Promise<boolean> {
    return this.endWithRefund(CANCELLED, (transaction) => cancelJob(transaction, userId, jobId, ['queued']));
  }

  private async endWithRefund(
    note: string,
    end: (transaction: Transaction) => Promise<JobEntity | undefined>,
  ): Promise<boolean> {
    const { dataSource, jobEvents, accountEvents } = this.deps;
    const ended = await dataSource.transaction(async (transaction) => {
      const job = await end(transaction);
      return job && { job: await refundJob(transaction, job, note), refunded: job.credits };
    });
    if (!ended) return false;
    observeEnd(ended.job);
    void jobEvents.jobChanged(ended.job);
    if (ended.refunded === 0) return true;
    creditsRefunded.inc({ tool: ended.job.tool }, ended.refunded);
    void accountEvents.accountChanged(ended.job.userId);
    return true;
  }

  private publish(job: JobEntity | undefined): boolean {
    if (job) void this.deps.jobEvents.jobChanged(job);
    return job !== undefined;
  }
}

const secondsBetween = (from: Date, to: Date | null) => ((to ?? from).getTime() - from.getTime()) / 1000;

function observeWait({ queue, priority, createdAt, startedAt }: JobEntity): void {
  jobWaitSeconds.observe({ queue, priority }, secondsBetween(createdAt, startedAt));
}

function observeEnd({ tool, status, createdAt, finishedAt }: JobEntity): void {
  jobSeconds.observe({ tool, outcome: status }, secondsBetween(createdAt, finishedAt));
}
