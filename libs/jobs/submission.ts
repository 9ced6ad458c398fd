import type { Database, Transaction } from '#libs/database/sql.js';
import { randomUUID } from 'node:crypto';
import { systemClock, type Clock } from '#libs/config/clock.js';
import { sizeClassOf, type ToolContract } from '#libs/contract/define-tool.js';
import { AppError } from '#libs/contract/errors.js';
import { EARLIER_IMAGE, sourceOf } from '#libs/contract/images.js';
import { requireStorable } from '#libs/contract/validation.js';
import { JobEntity } from '#libs/database/entities/jobs.js';
import { UserEntity } from '#libs/database/entities/users.js';
import type { AccountEvents } from '#libs/accounts/account-events.js';
import { accountDeleted, lockUser } from '#libs/accounts/lock-user.js';
import { premiumRequired, requirePlan } from '#libs/billing/plan.js';
import { creditsCharged, jobsSubmitted } from '#libs/observability/metrics.js';
import { activeTrace, inChildSpan } from '#libs/observability/tracing.js';
import { addToLogContext } from '#libs/observability/log-context.js';
import type { JobQueue } from '#libs/queue/job-queue.js';
import { isToolName, tools, type ToolName } from '#libs/tools/catalogue.js';
import { insufficientCredits, monthOf } from '#libs/billing/credits.js';
import { findByIdempotencyKey, hashRequest, idempotencyMismatch, readGroup } from './idempotency.js';
import type { JobEvents } from './job-events.js';
import type { FindPlace, JobPlace, PrepaidJob } from './job-place.js';
import { toQueueEntry } from '#libs/scheduling/queue-entry.js';
import {
  batchItemsAtMost,
  queueFull,
  tooManyBatchItems,
  tooManyUnfinished,
  type SubmissionLimits,
} from '#libs/scheduling/queue-limits.js';
import type { QueuePositions, QueueState } from '#libs/scheduling/queue-positions.js';
import {
  IMAGE_RESULT_BYTES,
  type ReclaimStorage,
  StoredBytesCache,
  requireRoomAhead,
  storageFull,
  TEXT_RESULT_BYTES,
  type StorageQuota,
} from '#libs/billing/storage-quota.js';
import {
  submitJobs,
  submitTogetherWithOthers,
  type JobsRequest,
  type Refusal,
  type SubmitAnswer,
  type SubmittedJobs,
} from './submit-jobs.js';
import {
  attachFiles,
  inputGone,
  lockFiles,
  requireSource,
  requireSourceText,
  type LockedFile,
} from './submitted-files.js';

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
  /** The part of a larger run that it is made for. */
  place?: JobPlace;
  /** The request this came with, for the logs of the worker. */
  requestId?: string;
}

/** The jobs that a request started, in their order. */
export type Jobs = [JobEntity, ...JobEntity[]];

export interface SubmissionDeps {
  dataSource: Database;
  queue: JobQueue;
  jobEvents: Pick<JobEvents, 'jobChanged'>;
  accountEvents: Pick<AccountEvents, 'accountChanged' | 'publishAccount'>;
  limits: SubmissionLimits & { storageQuota: StorageQuota };
  positions: QueuePositions;
  reclaimStorage: ReclaimStorage;
  /** Deletes files that were marked for deletion; without it, retention does. */
  deleteFiles?: (keys: string[]) => Promise<void>;
  onError: (error: Error) => void;
  clock?: Clock;
}

/** Accepts work: the only place where a job is created. */
export class JobSubmission {
  private readonly submitTogether: (request: JobsRequest) => Promise<SubmitAnswer>;
  private readonly knownStorage: StoredBytesCache;

  private readonly clock: Clock;
  private readonly findPlaces: FindPlace[] = [];

  constructor(private readonly deps: SubmissionDeps) {
    this.clock = deps.clock ?? systemClock;
    this.submitTogether = submitTogetherWithOthers(deps.dataSource);
    this.knownStorage = new StoredBytesCache(this.clock);
  }

  /** A retried job takes the place that the first of these finds for it. */
  onRetry(findPlace: FindPlace): void {
    this.findPlaces.push(findPlace);
  }

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
    const outcome = await this.store(submission);
    addToLogContext({ jobId: outcome.jobs[0].id });
    if (!('submitted' in outcome)) return outcome.jobs;
    const { jobs, submitted, isPaid, unusedFiles } = outcome;
    const { deleteFiles, positions, onError } = this.deps;
    if (unusedFiles.length > 0) deleteFiles?.(unusedFiles).catch(onError);
    for (const { tool, priority, credits } of jobs) {
      jobsSubmitted.inc({ tool, priority });
      if (credits > 0 && !isPaid) creditsCharged.inc({ tool }, credits);
    }
    positions.remember(jobs[0], submitted.counted, submitted.own);
    this.knownStorage.remember(jobs[0].userId, submitted.usedBytes, submitted.countedCreations);
    await inChildSpan('queue add', { kind: 'producer' }, () => this.afterCommit(submitted));
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
    const user = await this.deps.dataSource.getRepository(UserEntity).findOneBy({ id: userId });
    requirePlan(user, tools[tool]);
    if (fileBytes === 0) return;
    // A repeated request needs no room.
    const isRepeated =
      idempotencyKey !== undefined &&
      (await this.deps.dataSource.getRepository(JobEntity).existsBy({ userId, idempotencyKey }));
    if (!isRepeated)
      await requireRoomAhead(this.deps.dataSource, this.deps.limits.storageQuota, user, fileBytes);
  }

  /** Refuses a creation that cannot be the input of a job. @throws AppError NOT_FOUND, UNREADABLE_IMAGE */
  async requireSource(userId: string, creationId: string): Promise<void> {
    await requireSource(this.deps.dataSource, userId, creationId);
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
    const job = await this.deps.dataSource.getRepository(JobEntity).findOneBy({ id: jobId, userId });
    if (!job) throw new AppError('NOT_FOUND', 'There is no such job.');
    const { status, tool, input, files } = job;
    if (status !== 'failed' && status !== 'cancelled') {
      throw new AppError('JOB_NOT_RETRYABLE', 'Only a failed or cancelled job can be tried again.');
    }
    if (input === null || !isToolName(tool)) throw inputGone();
    const place = this.findPlaces.map((find) => find(job)).find((found) => found !== undefined);
    return this.submit({ userId, tool, input, files, retryOf: jobId, place, ...options });
  }

  /** In one call of the database, with others of the same moment, where nothing else belongs into its transaction. */
  private async store(submission: Submission): Promise<Stored> {
    const { files = {}, place, retryOf, input, tool } = submission;
    // Before a transaction, which holds a connection already.
    const state = await this.deps.positions.stateOf(tools[tool].queue);
    const isAlone = Object.keys(files).length === 0 && !place && retryOf === undefined;
    if (isAlone && sourceOf(input) === undefined) {
      const request = {
        ...this.toRequest(submission, state, { files: [] }),
        knownStored: this.knownStorage.of(submission.userId),
      };
      const answer = await this.submitTogether(request);
      if ('existing' in answer) return { jobs: await readExisting(this.deps.dataSource, answer) };
      if ('jobs' in answer) return { jobs: answer.jobs, submitted: answer, isPaid: false, unusedFiles: [] };
      if (answer.refused !== 'purge-first') throw await this.refusal(this.deps.dataSource, request, answer);
    }
    return this.deps.dataSource.transaction((transaction) =>
      this.storeWithFiles(transaction, submission, state),
    );
  }

  /** In a transaction that locks the user, then its files and its place. */
  private async storeWithFiles(
    transaction: Transaction,
    submission: Submission,
    state: QueueState,
  ): Promise<Stored> {
    const { userId, tool: name, input, files = {}, retryOf, place, idempotencyKey } = submission;
    const user = await lockUser(transaction, userId);
    const locked = await lockFiles(transaction, userId, files, retryOf);
    if (idempotencyKey !== undefined) {
      const earlier = await findByIdempotencyKey(transaction, JobEntity, {
        userId,
        idempotencyKey,
        requestHash: hashRequest(name, input, locked),
      });
      if (earlier) return { jobs: await readGroup(transaction, earlier) };
    }
    const taken = await place?.take(transaction, userId);
    if (taken?.kind === 'taken') return { jobs: [taken.job] };
    const paid = taken?.kind === 'first' ? taken.prepaid : undefined;
    const repeats = taken?.kind === 'repeat' ? taken.repeats : retryOf;
    requirePlan(user, tools[name]);
    const source = sourceOf(input);
    const sourceText = tools[name].queue === 'text' ? source : undefined;
    if (sourceText !== undefined) await requireSourceText(transaction, userId, sourceText, retryOf);
    const picture =
      source === undefined || sourceText !== undefined
        ? null
        : await requireSource(transaction, userId, source, retryOf);

    const request = this.toRequest({ ...submission, retryOf: repeats }, state, {
      files: locked,
      picture,
      paid,
    });
    let unusedFiles: string[] = [];
    let answer = await submitJobs(transaction, request);
    if ('refused' in answer && answer.refused === 'purge-first') {
      unusedFiles = await this.deps.reclaimStorage(transaction, userId);
      answer = await submitJobs(transaction, request);
    }
    if ('existing' in answer) return { jobs: await readExisting(transaction, answer) };
    if ('refused' in answer) throw await this.refusal(transaction, request, answer);
    for (const job of answer.jobs) {
      const { id } = job;
      await place?.attach(transaction, job, repeats);
      await attachFiles(transaction, id, locked);
      if (sourceText !== undefined) await transaction.update(JobEntity, { id }, { sourceId: sourceText });
    }
    return { jobs: answer.jobs, submitted: answer, isPaid: paid !== undefined, unusedFiles };
  }

  private toRequest(
    { userId, tool: name, input, files = {}, retryOf, place, idempotencyKey, requestId }: Submission,
    state: QueueState,
    found: { files: LockedFile[]; picture?: { bytes: number } | null; paid?: PrepaidJob },
  ): JobsRequest {
    const tool: ToolContract = tools[name];
    const { picture, paid } = found;
    const bytes = found.files.reduce((total, file) => total + file.bytes, picture?.bytes ?? 0);
    const names = { ...namesOf(found.files), ...(picture && { image: EARLIER_IMAGE }) };
    const inputs: unknown[] = tool.copies?.(input) ?? [input];
    const {
      waitingAtMost,
      storageQuota: storageAtMost,
      unfinishedPerUser: unfinishedAtMost,
    } = this.deps.limits;
    return {
      ...{
        userId,
        tool: name,
        queue: tool.queue,
        files,
        retryOf,
        batchId: place?.batch?.id,
        idempotencyKey,
        requestId,
      },
      needsPremium: tool.plan === 'premium',
      jobs: inputs.map((own) => ({
        id: paid?.jobId ?? randomUUID(),
        title: tool.jobTitle(own, names),
        input: own,
        size: sizeClassOf(tool, own, bytes),
      })),
      groupId: inputs.length > 1 ? randomUUID() : undefined,
      requestHash: hashRequest(name, input, found.files),
      // The worker continues the trace of this request.
      traceParent: activeTrace()?.traceParent,
      credits: tool.credits,
      month: monthOf(new Date(this.clock.now())),
      paid,
      ...{ unfinishedAtMost, storageAtMost },
      batchItemsAtMost: place?.batch?.isLimited ? batchItemsAtMost(this.deps.limits) : undefined,
      waitingAtMost: {
        free: waitingAtMost.standard[tool.queue],
        premium: waitingAtMost.premium[tool.queue],
      },
      newBytes: found.files.reduce((total, { newBytes }) => total + newBytes, 0),
      resultBytes: tool.queue === 'image' ? IMAGE_RESULT_BYTES : TEXT_RESULT_BYTES,
      ...state,
    };
  }

  private async refusal(
    database: Database,
    { tool, queue, month }: JobsRequest,
    refusal: Refusal,
  ): Promise<AppError> {
    switch (refusal.refused) {
      case 'account-gone':
        return accountDeleted();
      case 'premium-required':
        return premiumRequired(tools[tool]);
      case 'unfinished':
        return tooManyUnfinished(this.deps.limits);
      case 'batch-items':
        return tooManyBatchItems(this.deps.limits);
      case 'queue-full':
        return queueFull(database, queue, refusal.waitingAtMost);
      case 'storage-full':
      case 'purge-first':
        return storageFull(refusal);
      case 'credits':
        return insufficientCredits(month, refusal.needed);
    }
  }

  private async afterCommit({ jobs, account, countedCreations }: SubmittedJobs): Promise<void> {
    const { queue, jobEvents, accountEvents, onError } = this.deps;
    try {
      await queue.add(jobs.map(toQueueEntry));
    } catch (error) {
      onError(error as Error);
    }
    for (const job of jobs) void jobEvents.jobChanged(job);
    const [{ credits, files, userId }] = jobs;
    // Files are counted after the call that the account comes from; a known count may be of a moment ago.
    if (Object.keys(files).length > 0 || countedCreations === null) void accountEvents.accountChanged(userId);
    else if (credits > 0) accountEvents.publishAccount(userId, account);
  }
}

/** New jobs, or those that the request started when it came first. */
type Stored =
  { jobs: Jobs; submitted: SubmittedJobs; isPaid: boolean; unusedFiles: string[] } | { jobs: Jobs };

/** @throws AppError IDEMPOTENCY_MISMATCH */
async function readExisting(
  database: Database,
  { existing, isSame }: { existing: string; isSame: boolean },
): Promise<Jobs> {
  if (!isSame) throw idempotencyMismatch();
  const job = await database.getRepository(JobEntity).findOneByOrFail({ id: existing });
  return readGroup(database, job);
}

const namesOf = (files: LockedFile[]): Record<string, string> =>
  Object.fromEntries(files.map(({ field, name }) => [field, name]));
