import { systemClock, type Clock } from '#libs/config/clock.js';
import { defaultPrices, type Prices } from '#libs/config/prices.js';
import { AppError } from '#libs/contract/errors.js';
import { sourceOf } from '#libs/contract/images.js';
import { withoutPastedControls } from '#libs/contract/text.js';
import { requireStorable, validationError } from '#libs/contract/validation.js';
import { JobEntity } from '#libs/database/entities/jobs.js';
import { UserEntity } from '#libs/database/entities/users.js';
import type { Database, Transaction } from '#libs/database/sql.js';
import type { AccountEvents } from '#libs/accounts/account-events.js';
import { lockUser } from '#libs/accounts/lock-user.js';
import { requirePlan } from '#libs/billing/plan.js';
import { requireRoomAhead, StoredBytesCache, type ReclaimStorage } from '#libs/billing/storage-quota.js';
import type { ProviderBudgets } from '#libs/costs/provider-budgets.js';
import { creditsCharged, jobsSubmitted } from '#libs/observability/metrics.js';
import { inChildSpan } from '#libs/observability/tracing.js';
import { addToLogContext } from '#libs/observability/log-context.js';
import type { JobQueue } from '#libs/queue/job-queue.js';
import { toQueueEntry } from '#libs/scheduling/queue-entry.js';
import type { QueuePositions, QueueState } from '#libs/scheduling/queue-positions.js';
import { contractOf, isToolName, tools, type ToolName } from '#libs/tools/catalogue.js';
import { idempotencyMismatch, readGroup } from './idempotency.js';
import type { JobEvents } from './job-events.js';
import type { FindPlace } from './job-place.js';
import { toJobsRequest, type Submission, type SubmissionTerms } from './jobs-request.js';
import { refusalError } from './refusal-error.js';
import {
  submitJobs,
  submitTogetherWithOthers,
  type JobsRequest,
  type SubmitAnswer,
  type SubmittedJobs,
} from './submit-jobs.js';
import { attachFiles, findSource, inputDeleted, lockFiles, requireSource } from './submitted-files.js';

/** The jobs created by one request, in the request's order. */
export type Jobs = [JobEntity, ...JobEntity[]];

export interface SubmissionDeps {
  dataSource: Database;
  queue: JobQueue;
  jobEvents: Pick<JobEvents, 'jobChanged'>;
  accountEvents: Pick<AccountEvents, 'accountChanged' | 'publishAccount'>;
  limits: SubmissionTerms['limits'];
  /** Default: the prices of the tools' contracts. */
  prices?: Prices;
  positions: QueuePositions;
  reclaimStorage: ReclaimStorage;
  /** Optional, since the worker checks the budgets again. */
  budgets?: Pick<ProviderBudgets, 'requireRoom'>;
  /** Deletes files that are marked for deletion. Optional, since retention also deletes them. */
  deleteFiles?: (keys: string[]) => Promise<void>;
  onError: (error: Error) => void;
  clock?: Clock;
}

/** Checks and stores requests for jobs. Jobs are created nowhere else. */
export class JobSubmission {
  private readonly submitTogether: (request: JobsRequest) => Promise<SubmitAnswer>;
  private readonly storageCache: StoredBytesCache;
  private readonly clock: Clock;
  private readonly findPlaces: FindPlace[] = [];

  constructor(private readonly deps: SubmissionDeps) {
    this.clock = deps.clock ?? systemClock;
    this.submitTogether = submitTogetherWithOthers(deps.dataSource);
    this.storageCache = new StoredBytesCache(this.clock);
  }

  /** Registers a function that finds the place of a retried job. The first place found is used. */
  onRetry(findPlace: FindPlace): void {
    this.findPlaces.push(findPlace);
  }

  /**
   * Checks plan and credits, stores the job and its charge in one transaction, and adds the job to its queue after the
   * commit. If the queue is unavailable, the reconciler adds the job later.
   * @throws AppError ACCOUNT_SUSPENDED, PREMIUM_REQUIRED, INSUFFICIENT_CREDITS, RATE_LIMITED, STORAGE_FULL, QUEUE_FULL,
   *   IDEMPOTENCY_MISMATCH, BUDGET_EXHAUSTED, VALIDATION_FAILED; NOT_FOUND or UNREADABLE_IMAGE for the source creation
   */
  async submit<N extends ToolName>(submission: Submission<N>): Promise<JobEntity> {
    return (await this.submitAll(submission))[0];
  }

  /** Like {@link submit}, for requests that may create several jobs. Creates all jobs or none. */
  async submitAll<N extends ToolName>(submission: Submission<N>): Promise<Jobs> {
    requireStorable(submission.input);
    const outcome = await this.store(submission);
    addToLogContext({ jobId: outcome.jobs[0].id });
    if (!('submitted' in outcome)) return outcome.jobs;
    const { jobs, submitted, isPrepaid, unusedFiles } = outcome;
    const { deleteFiles, positions, onError } = this.deps;
    if (unusedFiles.length > 0) deleteFiles?.(unusedFiles).catch(onError);
    for (const { tool, priority, credits } of jobs) {
      jobsSubmitted.inc({ tool, priority });
      if (credits > 0 && !isPrepaid) creditsCharged.inc({ tool }, credits);
    }
    positions.remember(jobs[0], submitted.counted, submitted.own);
    this.storageCache.set(jobs[0].userId, submitted.usedBytes, submitted.countedCreations);
    await inChildSpan('queue add', { kind: 'producer' }, () => this.afterCommit(submitted));
    return jobs;
  }

  /**
   * Checks plan and storage before the request body is received, to reject early. {@link submit} checks again under the
   * user's lock.
   * @param fileBytes minimum total size of the request's files
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
    // A repeated request returns an existing job, so it needs no storage.
    if (!(await this.isRepeated(userId, idempotencyKey)))
      await requireRoomAhead(this.deps.dataSource, this.deps.limits.storageQuota, user, fileBytes);
  }

  /** Checks that a creation exists and can be a job's source image. @throws AppError NOT_FOUND, UNREADABLE_IMAGE */
  async requireSource(userId: string, creationId: string): Promise<void> {
    await requireSource(this.deps.dataSource, userId, creationId);
  }

  /**
   * Submits a failed or cancelled job again: a new job with the same stored input, which is charged again.
   * @param options `input` replaces the whole stored input, which is not read then
   * @throws AppError NOT_FOUND, JOB_NOT_RETRYABLE, and the errors of {@link submit}
   */
  async retry(
    userId: string,
    jobId: string,
    {
      input: given,
      ...options
    }: Pick<Submission, 'idempotencyKey' | 'requestId' | 'apiKeyId' | 'also'> & {
      input?: Record<string, unknown> | undefined;
    } = {},
  ): Promise<JobEntity> {
    const job = await this.deps.dataSource.getRepository(JobEntity).findOneBy({ id: jobId, userId });
    if (!job) throw new AppError('NOT_FOUND', 'There is no such job.');
    const { status, tool, files } = job;
    if (status !== 'failed' && status !== 'cancelled') {
      throw new AppError('JOB_NOT_RETRYABLE', 'Only a failed or cancelled job can be tried again.');
    }
    // The files of a job whose result the user deleted are gone too.
    if (!isToolName(tool) || job.resultDeletedAt !== null) throw inputDeleted();
    const input = contractOf(tool).input.safeParse(withoutPastedControls(given ?? job.input));
    if (!input.success) throw given ? validationError(input.error.issues) : inputDeleted();
    const place = this.findPlaces.map((find) => find(job)).find((found) => found !== undefined);
    return this.submit({ userId, tool, input: input.data, files, retryOf: jobId, place, ...options });
  }

  /**
   * Calls the database function that checks and stores a request. Simple requests share a call with concurrent ones; a
   * request with files, a source, a place or an earlier job uses its own transaction.
   */
  private async store<N extends ToolName>(submission: Submission<N>): Promise<Stored> {
    const { files = {}, place, also, retryOf, input, tool, userId } = submission;
    const { dataSource, positions } = this.deps;
    // Read the queue state before the transaction starts, since both need a connection of the pool.
    const state = await positions.stateOf(tools[tool].queue);
    await this.requireBudget(submission);
    const isAlone = Object.keys(files).length === 0 && !place && !also && retryOf === undefined;
    if (isAlone && sourceOf(input) === undefined) {
      const knownStored = this.storageCache.bytesOf(userId);
      const request = { ...toJobsRequest(submission, state, { files: [] }, this.terms()), knownStored };
      const answer = await this.submitTogether(request);
      if (!needsReclaim(answer)) return this.toStored(dataSource, request, answer);
    }
    return dataSource.transaction((transaction) => this.storeIn(transaction, submission, state));
  }

  /**
   * A repeated request returns its job, and the first job of a place was accepted with its batch or flow, so both are not
   * refused.
   */
  private async requireBudget(submission: Submission): Promise<void> {
    const { userId, tool, idempotencyKey, place, retryOf } = submission;
    const { budgets } = this.deps;
    if (!budgets || (place && retryOf === undefined)) return;
    try {
      await budgets.requireRoom(userId, tool);
    } catch (error) {
      if (!(await this.isRepeated(userId, idempotencyKey))) throw error;
    }
  }

  private async isRepeated(userId: string, idempotencyKey: string | undefined): Promise<boolean> {
    return (
      idempotencyKey !== undefined &&
      (await this.deps.dataSource.getRepository(JobEntity).existsBy({ userId, idempotencyKey }))
    );
  }

  /**
   * Stores a request with files, a place or a source. Locks the user first, then these, so that none changes before the
   * commit.
   */
  private async storeIn<N extends ToolName>(
    transaction: Transaction,
    submission: Submission<N>,
    state: QueueState,
  ): Promise<Stored> {
    const { userId, tool, input, files = {}, retryOf, place } = submission;
    await lockUser(transaction, userId);
    const locked = await lockFiles(transaction, userId, files, retryOf);
    const taken = await place?.take(transaction, userId);
    if (taken?.kind === 'taken') return { jobs: [taken.job] };
    const prepaid = taken?.kind === 'first' ? taken.prepaid : undefined;
    const repeats = taken?.kind === 'repeat' ? taken.repeats : retryOf;
    const source = await findSource(transaction, userId, { id: sourceOf(input), queue: tools[tool].queue });

    const found = { files: locked, picture: source?.picture, prepaid };
    const request = toJobsRequest({ ...submission, retryOf: repeats }, state, found, this.terms());
    let unusedFiles: string[] = [];
    let answer = await submitJobs(transaction, request);
    if (needsReclaim(answer)) {
      unusedFiles = await this.deps.reclaimStorage(transaction, userId);
      answer = await submitJobs(transaction, request);
    }
    const stored = await this.toStored(transaction, request, answer);
    if (!('submitted' in stored)) return stored;
    // Throw only after the call: a repeated request must return its jobs even if their source has been deleted since.
    if (source?.problem) throw retryOf === undefined ? source.problem : inputDeleted();
    for (const job of stored.jobs) {
      const { id } = job;
      await place?.attach(transaction, job, repeats);
      await attachFiles(transaction, id, locked);
      if (source?.textId !== undefined)
        await transaction.update(JobEntity, { id }, { sourceId: source.textId });
    }
    await submission.also?.(transaction, stored.jobs[0]);
    return { ...stored, isPrepaid: prepaid !== undefined, unusedFiles };
  }

  /** @throws AppError if the request was refused, or IDEMPOTENCY_MISMATCH */
  private async toStored(database: Database, request: JobsRequest, answer: SubmitAnswer): Promise<Stored> {
    if ('refused' in answer) throw await refusalError(database, request, answer);
    if ('jobs' in answer) return { jobs: answer.jobs, submitted: answer, isPrepaid: false, unusedFiles: [] };
    if (!answer.isSame) throw idempotencyMismatch();
    const job = await database.getRepository(JobEntity).findOneByOrFail({ id: answer.existing });
    return { jobs: await readGroup(database, job) };
  }

  private terms(): SubmissionTerms {
    const { limits, prices = defaultPrices } = this.deps;
    return { limits, prices, now: new Date(this.clock.now()) };
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
    // The stored account misses the bytes of new files, or its byte count may be outdated. Read the account again in
    // these cases.
    if (Object.keys(files).length > 0 || countedCreations === null) void accountEvents.accountChanged(userId);
    else if (credits > 0) accountEvents.publishAccount(userId, account);
  }
}

/** Stored jobs. A repeated request has only `jobs`, which already existed. */
type Stored =
  { jobs: Jobs; submitted: SubmittedJobs; isPrepaid: boolean; unusedFiles: string[] } | { jobs: Jobs };

/** True if the request fits into the storage quota once the user's deleted creations are purged. */
const needsReclaim = (answer: SubmitAnswer): boolean =>
  'refused' in answer && answer.refused === 'purge-first';
