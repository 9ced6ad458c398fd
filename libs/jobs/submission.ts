import type { Database, Transaction } from '#libs/database/sql.js';
import { randomUUID } from 'node:crypto';
import { systemClock, type Clock } from '#libs/config/clock.js';
import { sizeClassOf, type ToolContract } from '#libs/contract/define-tool.js';
import { AppError } from '#libs/contract/errors.js';
import { EARLIER_IMAGE, sourceOf } from '#libs/contract/image-result.js';
import { requireStorable } from '#libs/contract/validation.js';
import type { Priority } from '#libs/contract/queues.js';
import { JobEntity } from '#libs/database/entities/jobs.js';
import { UserEntity } from '#libs/database/entities/users.js';
import { creditsCharged, jobsSubmitted } from '#libs/observability/metrics.js';
import { activeTrace, inChildSpan } from '#libs/observability/tracing.js';
import { addToLogContext } from '#libs/observability/log-context.js';
import type { JobQueue } from '#libs/queue/job-queue.js';
import { isToolName, tools, type ToolName } from '#libs/tools/catalogue.js';
import { replaceBatchJob, takeBatchItem } from './batch-items.js';
import { chargeCredits, insufficientCredits, monthOf } from './credits.js';
import { findByIdempotencyKey, hashRequest, readGroup } from './idempotency.js';
import type { JobEvents } from './job-events.js';
import { toQueueEntry } from './queue-entry.js';
import { takeQueuePlace, type SubmissionLimits } from './queue-limits.js';
import { requireRoomAhead, requireRoomForJob, type StorageQuota } from './storage-quota.js';
import { attachFiles, inputGone, lockFiles, requireSource, type LockedFile } from './submitted-files.js';

export interface Submission {
  userId: string;
  tool: ToolName;
  /** What the tool's input schema gave. */
  input: unknown;
  /** The keys of the stored files by their fields; files of this user. */
  files?: Record<string, string>;
  /** The job that this one repeats. */
  retryOf?: string;
  /** The same key from the same user within 24 hours names the same job. */
  idempotencyKey?: string;
  /** The picture of a batch that it is made for: charged with the batch, unless it is sent again. */
  batchItem?: { batchId: string; n: number };
  /** The request this came with, for the logs of the worker. */
  requestId?: string;
}

/** The jobs that a request started, in their order. */
export type Jobs = [JobEntity, ...JobEntity[]];

/** Accepts work: the only place where a job is created. */
export class JobSubmission {
  constructor(
    private readonly dataSource: Database,
    private readonly queue: JobQueue,
    private readonly jobEvents: JobEvents,
    private readonly limits: SubmissionLimits & { storageQuota: StorageQuota },
    private readonly onError: (error: Error) => void,
    private readonly clock: Clock = systemClock,
    /** Deletes files that were marked for deletion; else retention does. */
    private readonly deleteFiles: (keys: string[]) => Promise<void> = async () => undefined,
  ) {}

  /**
   * Checks plan and credits, stores the job and its charge in one transaction, and adds the job to its queue after the
   * commit. A queue that is away delays the job and refuses nothing: the reconciler adds it later.
   * @throws AppError PREMIUM_REQUIRED, INSUFFICIENT_CREDITS, RATE_LIMITED, STORAGE_FULL, QUEUE_FULL,
   *   IDEMPOTENCY_MISMATCH, VALIDATION_FAILED; of a creation as the input NOT_FOUND, UNREADABLE_IMAGE
   */
  async submit(submission: Submission): Promise<JobEntity> {
    return (await this.submitAll(submission))[0];
  }

  /** The same for a request that may start several jobs: all of them, or none. */
  async submitAll(submission: Submission): Promise<Jobs> {
    requireStorable(submission.input);
    const { jobs, isNew, isPaid, unusedFiles } = await this.dataSource.transaction((transaction) =>
      this.store(transaction, submission),
    );
    addToLogContext({ jobId: jobs[0].id });
    if (!isNew) return jobs;
    if (unusedFiles.length > 0) this.deleteFiles(unusedFiles).catch(this.onError);
    for (const { tool, priority, credits } of jobs) {
      jobsSubmitted.inc({ tool, priority });
      if (credits > 0 && !isPaid) creditsCharged.inc({ tool }, credits);
    }
    await inChildSpan('queue add', { kind: 'producer' }, () => this.afterCommit(jobs));
    return jobs;
  }

  /**
   * Refuses what the user's plan or storage has no room for, before anything of the request is read. {@link submit}
   * checks again.
   * @param fileBytes that the request's files have at least
   * @throws AppError PREMIUM_REQUIRED, STORAGE_FULL, UNAUTHENTICATED
   */
  async checkAhead(
    { userId, tool, idempotencyKey }: Pick<Submission, 'userId' | 'tool' | 'idempotencyKey'>,
    fileBytes: number,
  ): Promise<void> {
    if (tools[tool].plan === 'free' && fileBytes === 0) return;
    const user = await this.dataSource.getRepository(UserEntity).findOneBy({ id: userId });
    requirePlan(user, tools[tool]);
    if (fileBytes === 0) return;
    // A repeated request needs no room.
    const isRepeated =
      idempotencyKey !== undefined &&
      (await this.dataSource.getRepository(JobEntity).existsBy({ userId, idempotencyKey }));
    if (!isRepeated) await requireRoomAhead(this.dataSource, this.limits.storageQuota, user, fileBytes);
  }

  /** Refuses a creation that cannot be the input of a job. @throws AppError NOT_FOUND, UNREADABLE_IMAGE */
  async requireSource(userId: string, creationId: string): Promise<void> {
    await requireSource(this.dataSource, userId, creationId);
  }

  /**
   * A failed or cancelled job again, as a new job with the same stored input, charged as a new one.
   * @throws AppError NOT_FOUND, JOB_NOT_RETRYABLE, and what {@link submit} throws
   */
  async retry(
    userId: string,
    jobId: string,
    options: Pick<Submission, 'idempotencyKey' | 'requestId'> = {},
  ): Promise<JobEntity> {
    const job = await this.dataSource.getRepository(JobEntity).findOneBy({ id: jobId, userId });
    if (!job) throw new AppError('NOT_FOUND', 'There is no such job.');
    const { status, tool, input, files } = job;
    if (status !== 'failed' && status !== 'cancelled') {
      throw new AppError('JOB_NOT_RETRYABLE', 'Only a failed or cancelled job can be tried again.');
    }
    if (input === null || !isToolName(tool)) throw inputGone();
    return this.submit({ userId, tool, input, files, retryOf: jobId, ...options });
  }

  private async store(
    transaction: Transaction,
    submission: Submission,
  ): Promise<{ jobs: Jobs; isNew: boolean; isPaid: boolean; unusedFiles: string[] }> {
    const {
      userId,
      tool: name,
      input,
      files = {},
      retryOf,
      batchItem,
      idempotencyKey,
      requestId,
    } = submission;
    const tool: ToolContract = tools[name];
    const user = await lockUser(transaction, userId);
    const locked = await lockFiles(transaction, userId, files, retryOf);

    const requestHash = hashRequest(name, input, locked);
    if (idempotencyKey !== undefined) {
      const earlier = await findByIdempotencyKey(transaction, JobEntity, {
        userId,
        idempotencyKey,
        requestHash,
      });
      if (earlier) return known(await readGroup(transaction, earlier));
    }
    const taken = batchItem && (await takeBatchItem(transaction, userId, batchItem));
    if (taken?.kind === 'known') return known([taken.job]);
    const paid = taken?.kind === 'first' ? taken.item : undefined;
    const repeats = taken?.kind === 'again' ? taken.earlierJob : retryOf;
    requirePlan(user, tool);
    const source = sourceOf(input);
    const picture = source === undefined ? null : await requireSource(transaction, userId, source, retryOf);
    const bytes = locked.reduce((sum, file) => sum + file.bytes, picture?.bytes ?? 0);
    const names = { ...namesOf(locked), ...(picture && { image: EARLIER_IMAGE }) };

    const inputs: unknown[] = tool.copies?.(input) ?? [input];
    const group = inputs.length > 1 ? randomUUID() : null;
    const jobs: JobEntity[] = [];
    const unusedFiles: string[] = [];
    for (const [index, own] of inputs.entries()) {
      const isFirst = index === 0;
      const priority: Priority = user.plan === 'premium' ? 'premium' : 'standard';
      const place = await takeQueuePlace(transaction, this.limits, {
        userId,
        queue: tool.queue,
        priority,
        isBatchItem: batchItem !== undefined,
      });
      const unused = await requireRoomForJob(transaction, this.limits.storageQuota, user, {
        queue: tool.queue,
        newBytes: isFirst ? locked.reduce((sum, { newBytes }) => sum + newBytes, 0) : 0,
      });
      unusedFiles.push(...unused);

      const id = paid?.jobId ?? randomUUID();
      const { credits, chargeMonth } =
        paid ?? (await this.charge(transaction, user, tool, id, inputs.length));
      const batchId = batchItem?.batchId ?? (await readBatchOf(transaction, retryOf));
      await transaction.insert(JobEntity, {
        id,
        userId,
        tool: name,
        queue: tool.queue,
        title: tool.jobTitle(own, names),
        input: own as object,
        files,
        priority,
        size: sizeClassOf(tool, own, bytes),
        credits,
        chargeMonth,
        // The first job of a group stands for the request.
        idempotencyKey: isFirst ? idempotencyKey : undefined,
        requestHash: isFirst ? requestHash : undefined,
        retryOf: repeats,
        batchId,
        groupId: group,
        requestId,
        // The worker continues the trace of this request.
        traceParent: activeTrace()?.traceParent,
        ...place,
        enqueuedAt: () => 'now()',
      });
      if (repeats !== undefined && batchId !== null) await replaceBatchJob(transaction, batchId, repeats, id);
      await attachFiles(transaction, id, locked);
      jobs.push(await transaction.findOneByOrFail(JobEntity, { id }));
    }
    return { jobs: jobs as Jobs, isNew: true, isPaid: paid !== undefined, unusedFiles };
  }

  /** @throws AppError INSUFFICIENT_CREDITS */
  private async charge(
    transaction: Transaction,
    { id: userId, plan }: UserEntity,
    tool: ToolContract,
    jobId: string,
    jobs: number,
  ): Promise<Pick<JobEntity, 'credits' | 'chargeMonth'>> {
    const credits = plan === 'premium' ? 0 : tool.credits;
    if (credits === 0) return { credits, chargeMonth: null };
    const month = monthOf(new Date(this.clock.now()));
    if (!(await chargeCredits(transaction, { userId, month, amount: credits, jobId })))
      throw insufficientCredits(month, credits * jobs);
    return { credits, chargeMonth: month };
  }

  private async afterCommit(jobs: Jobs): Promise<void> {
    try {
      await this.queue.add(jobs.map(toQueueEntry));
    } catch (error) {
      this.onError(error as Error);
    }
    for (const job of jobs) void this.jobEvents.jobChanged(job);
    const [{ credits, files, userId }] = jobs;
    const hasFiles = Object.keys(files).length > 0;
    if (credits > 0 || hasFiles) void this.jobEvents.accountChanged(userId);
  }
}

const known = (jobs: Jobs) => ({ jobs, isNew: false, isPaid: false, unusedFiles: [] });

/** Locks the user's row, so that a user's submissions run one after the other and every check is exact. */
export async function lockUser(transaction: Transaction, userId: string): Promise<UserEntity> {
  const user = await transaction.findOne(UserEntity, {
    where: { id: userId },
    lock: { mode: 'for_no_key_update' },
  });
  if (!user) throw accountGone();
  return user;
}

const accountGone = () => new AppError('UNAUTHENTICATED', 'This account no longer exists. Sign in again.');

export function requirePlan(user: UserEntity | null, tool: ToolContract): asserts user is UserEntity {
  if (!user) throw accountGone();
  if (tool.plan === 'free' || user.plan === 'premium') return;
  throw new AppError('PREMIUM_REQUIRED', `${tool.title} is part of the premium plan.`);
}

const namesOf = (files: LockedFile[]): Record<string, string> =>
  Object.fromEntries(files.map(({ field, name }) => [field, name]));

/** The batch of the job that is repeated. */
async function readBatchOf(transaction: Transaction, jobId: string | undefined): Promise<string | null> {
  if (jobId === undefined) return null;
  const job = await transaction.findOne(JobEntity, { select: { batchId: true }, where: { id: jobId } });
  return job?.batchId ?? null;
}
