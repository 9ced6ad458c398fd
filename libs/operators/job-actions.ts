import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { In, Like, type DataSource } from 'typeorm';
import { MAX_BULK_JOBS, type BulkAct, type JobContents, type JobFilter } from '#libs/contract/admin.js';
import { AppError } from '#libs/contract/errors.js';
import type { QueueName } from '#libs/contract/jobs.js';
import { JobEntity } from '#libs/database/entities/jobs.js';
import type { Database } from '#libs/database/sql.js';
import { addAuditEntries, isKeyTaken, type AuditedAction } from '#libs/audit/audit-log.js';
import type { JobLifecycle } from '#libs/jobs/lifecycle.js';
import type { JobSubmission } from '#libs/jobs/submission.js';
import type { JobQueue } from '#libs/queue/job-queue.js';
import { QueuePauses } from '#libs/scheduling/queue-pauses.js';
import {
  AuditedActions,
  cancelledDetails,
  findRepeated,
  record,
  unlessChanged,
  type Act,
  type Details,
} from './audited-actions.js';
import { findJobs, jobNotFound, readJobContents, toLoggedFilter } from './jobs.js';

export interface JobActionsDeps {
  dataSource: DataSource;
  queue: JobQueue;
  lifecycle: JobLifecycle;
  submission: JobSubmission;
  onError: (error: Error) => void;
}

/** What operators change of queues and jobs. */
export class JobActions extends AuditedActions {
  private readonly pauses: QueuePauses;

  constructor(private readonly deps: JobActionsDeps) {
    super(deps.dataSource);
    this.pauses = new QueuePauses(deps.dataSource, deps.queue, deps.onError);
  }

  async pauseQueue(act: Act, queue: QueueName): Promise<void> {
    await this.recordRefusal(act, 'queue.pause', queue, () =>
      this.pauses.pause(queue, act.reason ?? '', (transaction, changed) =>
        record(transaction, act, 'queue.pause', queue, unlessChanged(changed)),
      ),
    );
  }

  async resumeQueue(act: Act, queue: QueueName): Promise<void> {
    await this.recordRefusal(act, 'queue.resume', queue, () =>
      this.pauses.resume(queue, (transaction, changed) =>
        record(transaction, act, 'queue.resume', queue, unlessChanged(changed)),
      ),
    );
  }

  /** @returns the number of cancelled jobs; jobs that a worker has started since continue */
  async drainQueue(act: Act, which: { queue?: QueueName; userId?: string }): Promise<number> {
    const target = which.queue ?? which.userId ?? '';
    const cancelled = await this.recordRefusal(act, 'queue.drain', target, () =>
      this.deps.lifecycle.cancelAllWaiting(which, {
        afterCancelling: (transaction, jobs) =>
          record(transaction, act, 'queue.drain', target, {
            ...cancelledDetails(jobs),
            ...(which.userId && { userId: which.userId }),
          }),
      }),
    );
    return cancelled.length;
  }

  /** @returns false if the job was cancelled before. @throws AppError NOT_FOUND, JOB_NOT_CANCELLABLE */
  async cancelJob(act: Act, jobId: string): Promise<boolean> {
    const { dataSource, lifecycle } = this.deps;
    return this.recordJobRefusal(act, 'job.cancel', jobId, async () => {
      const { userId } = await this.requireJob(jobId);
      let changed = false;
      await lifecycle.cancel(userId, jobId, async (transaction) => {
        changed = true;
        await record(transaction, act, 'job.cancel', jobId, { userId });
      });
      if (!changed) await record(dataSource, act, 'job.cancel', jobId, { userId, changed });
      return changed;
    });
  }

  /**
   * Runs a failed or cancelled job again. Until the new job has ended, a second act returns it, or is refused with
   * JOB_NOT_RETRYABLE if its input is another.
   * @param input replaces the stored input
   * @returns the new job, and false as `changed` if another act made it
   * @throws AppError NOT_FOUND, JOB_NOT_RETRYABLE, VALIDATION_FAILED, IDEMPOTENCY_MISMATCH, and those of a submission
   */
  async retryJob(
    act: Act,
    jobId: string,
    { input, requestId }: { input?: Record<string, unknown> | undefined; requestId?: string } = {},
  ): Promise<{ job: JobEntity; changed: boolean }> {
    const { dataSource } = this.deps;
    return this.recordJobRefusal(act, 'job.retry', jobId, async () => {
      const inputHash = input && hashOf(input);
      const findEarlier = async () => {
        const earlier = await findRepeated(dataSource, act, jobId, { inputHash });
        return earlier && { job: await this.requireJob(String(earlier['jobId'])), changed: false };
      };
      try {
        return (await findEarlier()) ?? (await this.retryOnce(act, jobId, { input, inputHash, requestId }));
      } catch (error) {
        // Another request with the key was faster.
        const earlier = isKeyTaken(error) && (await findEarlier());
        if (earlier) return earlier;
        throw error;
      }
    });
  }

  private async retryOnce(
    act: Act,
    jobId: string,
    {
      input,
      inputHash,
      requestId,
    }: {
      input?: Record<string, unknown> | undefined;
      inputHash?: string | undefined;
      requestId?: string | undefined;
    },
  ): Promise<{ job: JobEntity; changed: boolean }> {
    const { dataSource, submission } = this.deps;
    const { userId, input: stored } = await this.requireJob(jobId);
    const changes = input && { changes: changedFields(stored, input), inputHash };
    const details = ({ id }: JobEntity) => ({ userId, jobId: id, ...changes });
    const addEntry = (database: Database, entry: Details) =>
      record(database, act, 'job.retry', jobId, entry, act.idempotencyKey);
    let changed = false;
    const retry = submission.retry(userId, jobId, {
      idempotencyKey: await this.retryKey(jobId),
      requestId,
      input,
      also: async (transaction, again) => {
        changed = true;
        await addEntry(transaction, details(again));
      },
    });
    const job = await retry.catch((error: unknown) => {
      throw hasCode(error, 'IDEMPOTENCY_MISMATCH') ? retriedWithAnotherInput() : error;
    });
    if (!changed) await addEntry(dataSource, { ...details(job), changed });
    return { job, changed };
  }

  /**
   * The audit log has the act itself, also if it fails half-way, besides each job.
   * @returns how many jobs were changed, and how many were not, because they could not be or another act changed them
   * @throws AppError VALIDATION_FAILED if the number of jobs is not the expected one
   */
  async actOnJobs(
    act: Act & { requestId?: string },
    { action, filter, count }: Pick<BulkAct, 'action' | 'filter' | 'count'>,
  ): Promise<{ changed: number; refused: number }> {
    const { dataSource, onError } = this.deps;
    const logged = await toLoggedFilter(dataSource, filter);
    const addEntry = (outcome: Details) =>
      record(dataSource, act, `job.${action}`, 'bulk', { ...logged, count, ...outcome });
    const done = { changed: 0, refused: 0 };
    try {
      const chosen = await this.requireJobs(action, filter, count);
      const cancelled = action === 'cancel' ? await this.cancelWaiting(act, chosen) : new Set<string>();
      done.changed = cancelled.size;
      for (const id of chosen.filter((job) => !cancelled.has(job)))
        done[(await this.actOnJob(act, action, id)) ? 'changed' : 'refused'] += 1;
    } catch (error) {
      const outcome = error instanceof AppError ? { refused: error.code } : { ...done, failed: true };
      await addEntry(outcome).catch(onError);
      throw error;
    }
    await addEntry(done);
    return done;
  }

  /** @throws AppError VALIDATION_FAILED */
  private async requireJobs(action: BulkAct['action'], filter: JobFilter, count: number): Promise<string[]> {
    const found = await this.jobsFor(action, filter);
    if (found.length !== count)
      throw new AppError(
        'VALIDATION_FAILED',
        `These are ${found.length} jobs now, not ${count}. Look again.`,
      );
    if (count > MAX_BULK_JOBS)
      throw new AppError('VALIDATION_FAILED', `Choose at most ${MAX_BULK_JOBS} jobs at once.`);
    return found;
  }

  /** Cancels those of the jobs that wait, all or none. @returns their ids */
  private async cancelWaiting({ operator, reason }: Act, ids: string[]): Promise<Set<string>> {
    const cancelled = await this.deps.lifecycle.cancelAllWaiting(
      { ids },
      {
        afterCancelling: (transaction, jobs) =>
          addAuditEntries(
            transaction,
            jobs.map(({ id, userId }) => ({
              ...{ operator, reason, action: 'job.cancel', target: id, details: { userId } },
            })),
          ),
      },
    );
    return new Set(cancelled.map(({ id }) => id));
  }

  /** @returns false if the job was not changed */
  private async actOnJob(
    act: Act & { requestId?: string },
    action: BulkAct['action'],
    id: string,
  ): Promise<boolean> {
    try {
      if (action === 'cancel') return await this.cancelJob(act, id);
      return (await this.retryJob(act, id, { requestId: act.requestId })).changed;
    } catch (error) {
      if (error instanceof AppError) return false;
      throw error;
    }
  }

  /**
   * Ids of the jobs of a filter that can be cancelled or retried, at most one more than a bulk act changes. Jobs that were
   * retried before are left out.
   */
  jobsFor(action: BulkAct['action'], filter: JobFilter): Promise<string[]> {
    const which =
      action === 'cancel'
        ? { statuses: ['queued', 'running'] }
        : { statuses: ['failed', 'cancelled'], isRetried: false };
    return findJobs(this.deps.dataSource, { ...filter, ...which }, MAX_BULK_JOBS + 1);
  }

  /** @returns what is private to the job's user. @throws AppError NOT_FOUND */
  async revealJob(act: Act, jobId: string): Promise<JobContents> {
    return this.recordJobRefusal(act, 'job.reveal', jobId, async () => {
      const { userId, ...contents } = await readJobContents(this.deps.dataSource, jobId);
      await record(this.deps.dataSource, act, 'job.reveal', jobId, { userId });
      return contents;
    });
  }

  /** @returns the owner and key of an uploaded file of a job. @throws AppError NOT_FOUND */
  async revealJobFile(act: Act, jobId: string, field: string): Promise<{ userId: string; key: string }> {
    return this.recordJobRefusal(act, 'job.reveal', jobId, async () => {
      const { userId, files } = await this.requireJob(jobId);
      const key = Object.hasOwn(files, field) && files[field];
      if (!key) throw new AppError('NOT_FOUND', 'The job has no such file.');
      await record(this.deps.dataSource, act, 'job.reveal', jobId, { userId, file: field });
      return { userId, key };
    });
  }

  private recordJobRefusal<T>(
    act: Act,
    action: AuditedAction,
    jobId: string,
    work: () => Promise<T>,
  ): Promise<T> {
    return this.recordRefusal(act, action, jobId, work, () => this.findJob(jobId));
  }

  /** The same until the last retry of the job by an operator has ended. */
  private async retryKey(jobId: string): Promise<string> {
    const key = `retry-of-${jobId}-`;
    const ended = await this.deps.dataSource.getRepository(JobEntity).countBy({
      retryOf: jobId,
      idempotencyKey: Like(`${key}%`),
      status: In(['succeeded', 'failed', 'cancelled']),
    });
    return `${key}${ended + 1}`;
  }

  private async requireJob(id: string): Promise<JobEntity> {
    const job = await this.findJob(id);
    if (!job) throw jobNotFound(id);
    return job;
  }

  private findJob(id: string): Promise<JobEntity | null> {
    return this.deps.dataSource.getRepository(JobEntity).findOneBy({ id });
  }
}

const hasCode = (error: unknown, code: AppError['code']): boolean =>
  error instanceof AppError && error.code === code;

const retriedWithAnotherInput = () =>
  new AppError(
    'JOB_NOT_RETRYABLE',
    'An operator has retried this job with another input. Retry it again when that job has ended.',
  );

/** Names of the fields whose values differ, also of removed ones. */
function changedFields(stored: unknown, input: Record<string, unknown>): string[] {
  const before = (stored ?? {}) as Record<string, unknown>;
  const names = [...new Set([...Object.keys(before), ...Object.keys(input)])];
  return names.filter((name) => !isDeepStrictEqual(before[name], input[name]));
}

/** The same for the same fields in any order. */
const hashOf = (input: Record<string, unknown>): string =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(input).sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest('hex')
    .slice(0, 16);
