import type { Database, Transaction } from '#libs/database/sql.js';
import { randomUUID } from 'node:crypto';
import { systemClock, type Clock } from '#libs/config/clock.js';
import { defaultPrices, type Prices } from '#libs/config/prices.js';
import { sizeClassOf } from '#libs/contract/define-tool.js';
import { AppError } from '#libs/contract/errors.js';
import { EARLIER_IMAGE, sourceOf } from '#libs/contract/images.js';
import { withoutPastedControls } from '#libs/contract/text.js';
import { requireStorable, validationError } from '#libs/contract/validation.js';
import { JobEntity } from '#libs/database/entities/jobs.js';
import { UserEntity } from '#libs/database/entities/users.js';
import type { AccountEvents } from '#libs/accounts/account-events.js';
import { accountDeleted, lockUser } from '#libs/accounts/lock-user.js';
import { accountSuspended } from '#libs/accounts/suspension.js';
import { premiumRequired, requirePlan } from '#libs/billing/plan.js';
import type { ProviderBudgets } from '#libs/costs/provider-budgets.js';
import { creditsCharged, jobsSubmitted } from '#libs/observability/metrics.js';
import { activeTrace, inChildSpan } from '#libs/observability/tracing.js';
import { addToLogContext } from '#libs/observability/log-context.js';
import type { JobQueue } from '#libs/queue/job-queue.js';
import { contractOf, isToolName, tools, type ToolInput, type ToolName } from '#libs/tools/catalogue.js';
import { apiKeyRefused } from '#libs/billing/api-key-caps.js';
import { insufficientCredits, monthOf } from '#libs/billing/credits.js';
import { hashRequest, idempotencyMismatch, readGroup } from './idempotency.js';
import type { JobEvents } from './job-events.js';
import type { FindPlace, JobPlace, PrepaidJob } from './job-place.js';
import { toQueueEntry } from '#libs/scheduling/queue-entry.js';
import {
  BATCH_SHARE,
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
  inputDeleted,
  lockFiles,
  findSource,
  requireSource,
  type LockedFile,
} from './submitted-files.js';

/** A request to run one tool. */
export interface Submission<N extends ToolName = ToolName> {
  userId: string;
  tool: N;
  /** Input as parsed by the tool's schema, without pasted control characters. */
  input: ToolInput<N>;
  /** Keys of the user's uploaded files, by input field. */
  files?: Record<string, string>;
  retryOf?: string;
  /** Key of the program that sent the request. */
  apiKeyId?: string;
  /** Within 24 hours, another request of the user with the same key returns the same job. */
  idempotencyKey?: string;
  /** The picture of a batch or step of a flow that the job is for. */
  place?: JobPlace;
  /** Id of the HTTP request, for the worker's logs. */
  requestId?: string;
  /** Runs in the transaction that stores the jobs. Not called for a repeated request. */
  also?: (transaction: Transaction, first: JobEntity) => Promise<void>;
}

/** The jobs created by one request, in the request's order. */
export type Jobs = [JobEntity, ...JobEntity[]];

export interface SubmissionDeps {
  dataSource: Database;
  queue: JobQueue;
  jobEvents: Pick<JobEvents, 'jobChanged'>;
  accountEvents: Pick<AccountEvents, 'accountChanged' | 'publishAccount'>;
  limits: SubmissionLimits & { storageQuota: StorageQuota };
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
    const isRepeated =
      idempotencyKey !== undefined &&
      (await this.deps.dataSource.getRepository(JobEntity).existsBy({ userId, idempotencyKey }));
    if (!isRepeated)
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
    const input = given ? parseInput(tool, given) : parseStoredInput(tool, job.input);
    const place = this.findPlaces.map((find) => find(job)).find((found) => found !== undefined);
    return this.submit({ userId, tool, input, files, retryOf: jobId, place, ...options });
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
      const request = { ...this.toRequest(submission, state, { files: [] }), knownStored };
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
    const { budgets, dataSource } = this.deps;
    if (!budgets || (place && retryOf === undefined)) return;
    try {
      await budgets.requireRoom(userId, tool);
    } catch (error) {
      const isRepeated =
        idempotencyKey !== undefined &&
        (await dataSource.getRepository(JobEntity).existsBy({ userId, idempotencyKey }));
      if (!isRepeated) throw error;
    }
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
    const request = this.toRequest({ ...submission, retryOf: repeats }, state, found);
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
    if ('refused' in answer) throw await this.refusal(database, request, answer);
    if ('jobs' in answer) return { jobs: answer.jobs, submitted: answer, isPrepaid: false, unusedFiles: [] };
    if (!answer.isSame) throw idempotencyMismatch();
    const job = await database.getRepository(JobEntity).findOneByOrFail({ id: answer.existing });
    return { jobs: await readGroup(database, job) };
  }

  private toRequest<N extends ToolName>(
    { userId, tool: name, input, files = {}, retryOf, place, ...given }: Submission<N>,
    state: QueueState,
    found: { files: LockedFile[]; picture?: { bytes: number }; prepaid?: PrepaidJob },
  ): JobsRequest {
    const tool = contractOf(name);
    const { picture, prepaid } = found;
    const { prices = defaultPrices } = this.deps;
    const bytes = found.files.reduce((total, file) => total + file.bytes, picture?.bytes ?? 0);
    const names = { ...namesOf(found.files), ...(picture && { image: EARLIER_IMAGE }) };
    const inputs = tool.copies?.(input) ?? [input];
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
        idempotencyKey: given.idempotencyKey,
        requestId: given.requestId,
        apiKeyId: given.apiKeyId,
      },
      needsPremium: tool.plan === 'premium',
      jobs: inputs.map((own) => ({
        id: prepaid?.jobId ?? randomUUID(),
        title: tool.jobTitle(own, names),
        input: own,
        size: sizeClassOf(tool, own, bytes),
      })),
      groupId: inputs.length > 1 ? randomUUID() : undefined,
      requestHash: given.idempotencyKey === undefined ? undefined : hashRequest(name, input, found.files),
      // The worker's trace continues the trace of this request.
      traceParent: activeTrace()?.traceParent,
      credits: prices.tools[name],
      monthlyCredits: prices.grants.free,
      month: monthOf(new Date(this.clock.now())),
      paid: prepaid,
      ...{ unfinishedAtMost, storageAtMost },
      batchItemsShare: place?.batch?.isLimited ? BATCH_SHARE : undefined,
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
      case 'suspended':
        return accountSuspended(refusal.reason);
      case 'premium-required':
        return premiumRequired(tools[tool]);
      case 'unfinished':
        return tooManyUnfinished(refusal.atMost);
      case 'batch-items':
        return tooManyBatchItems(refusal.atMost);
      case 'queue-full':
        return queueFull(database, queue, refusal.waitingAtMost);
      case 'storage-full':
      case 'purge-first':
        return storageFull(refusal);
      case 'api-key':
        return apiKeyRefused(refusal.reason, month);
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

/** @throws AppError VALIDATION_FAILED */
function parseInput(tool: ToolName, input: object): ToolInput<ToolName> {
  const parsed = contractOf(tool).input.safeParse(withoutPastedControls(input));
  if (!parsed.success) throw validationError(parsed.error.issues);
  return parsed.data;
}

/** @throws AppError JOB_NOT_RETRYABLE if it was deleted, or is not valid in this version */
function parseStoredInput(tool: ToolName, input: unknown): ToolInput<ToolName> {
  const parsed = contractOf(tool).input.safeParse(withoutPastedControls(input));
  if (!parsed.success) throw inputDeleted();
  return parsed.data;
}

const namesOf = (files: LockedFile[]): Record<string, string> =>
  Object.fromEntries(files.map(({ field, name }) => [field, name]));
