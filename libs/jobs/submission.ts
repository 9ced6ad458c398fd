import { createHash, randomUUID } from 'node:crypto';
import type { DataSource, EntityManager } from 'typeorm';
import type { Plan } from '#libs/contract/account.js';
import { AppError } from '#libs/contract/errors.js';
import { requireStorable } from '#libs/contract/validation.js';
import { row, rows, type Database } from '#libs/database/sql.js';
import type { JobQueue } from '#libs/queue/job-queue.js';
import { lanes } from '#libs/queue/priorities.js';
import type { Priority } from '#libs/contract/queues.js';
import { creditsCharged, jobsSubmitted } from '#libs/observability/metrics.js';
import { activeTrace, inChildSpan } from '#libs/observability/tracing.js';
import { describeWork } from '#libs/observability/work.js';
import { isToolName, tools, type ToolName } from '#libs/tools/catalogue.js';
import type { QueueName } from '#libs/contract/queues.js';
import type { ToolContract } from '#libs/contract/define-tool.js';
import type { JobEvents } from './job-events.js';
import { charge, monthOf, nextMonth } from './credits.js';
import type { JobRow } from './job-row.js';
import { readThroughputs, secondsUntilStart } from './throughput.js';
import { roundOf } from './turns.js';

export interface Submission {
  userId: string;
  tool: ToolName;
  /** What the tool's input schema gave. */
  input: unknown;
  /** The keys of the stored files by their fields; files of this user. */
  files?: Record<string, string>;
  /** The job that this one tries again. */
  retryOf?: string;
  /** The same key from the same user within 24 hours names the same job. */
  idempotencyKey?: string;
  /** The request this came with, for the logs of the worker. */
  requestId?: string;
}

export interface SubmissionLimits {
  /** Jobs one user may have queued and running at once. */
  unfinishedPerUser: number;
  /** Jobs that may wait in a queue before users of a plan are refused there. */
  waitingAtMost: Record<Priority, Record<QueueName, number>>;
}

const KEY_LIVES = `interval '24 hours'`;

/** Accepts work: the only place where a job comes into being. */
export class JobSubmission {
  constructor(
    private readonly dataSource: DataSource,
    private readonly queue: JobQueue,
    private readonly jobEvents: JobEvents,
    private readonly limits: SubmissionLimits,
    private readonly onError: (error: Error) => void,
    private readonly clock: () => Date = () => new Date(),
  ) {}

  /**
   * Checks plan and credits, stores the job and its charge in one transaction, and places the job on its queue after
   * the commit. A queue that is away delays the job and refuses nothing: the reconciler places it later.
   * @throws AppError PREMIUM_REQUIRED, INSUFFICIENT_CREDITS, RATE_LIMITED, QUEUE_FULL, IDEMPOTENCY_MISMATCH,
   *   VALIDATION_FAILED
   */
  async submit(submission: Submission): Promise<JobRow> {
    requireStorable(submission.input);
    const { job, isNew } = await this.dataSource.transaction((transaction) =>
      this.store(transaction, submission),
    );
    describeWork({ jobId: job.id });
    if (!isNew) return job;
    jobsSubmitted.inc({ tool: job.tool, priority: job.priority });
    if (job.credits > 0) creditsCharged.inc({ tool: job.tool }, job.credits);
    await inChildSpan('queue add', { kind: 'producer' }, () => this.afterCommit(job));
    return job;
  }

  /**
   * Refuses a tool that the user's plan does not have, before anything of the request is read. {@link submit}
   * checks again.
   * @throws AppError PREMIUM_REQUIRED, UNAUTHENTICATED
   */
  async checkPlan(userId: string, tool: ToolName): Promise<void> {
    if (tools[tool].plan === 'free') return;
    const user = await row<{ plan: Plan }>(this.dataSource, `SELECT plan FROM users WHERE id = $1`, [userId]);
    requirePlan(user, tools[tool]);
  }

  /**
   * A failed or cancelled job again, as a new job with the same stored input, charged as a new one.
   * @throws AppError NOT_FOUND, JOB_NOT_RETRYABLE, and what {@link submit} throws
   */
  async retry(
    userId: string,
    jobId: string,
    options: Pick<Submission, 'idempotencyKey' | 'requestId'> = {},
  ): Promise<JobRow> {
    const job = await row<JobRow>(this.dataSource, `SELECT * FROM jobs WHERE id = $1 AND user_id = $2`, [
      jobId,
      userId,
    ]);
    if (!job) throw new AppError('NOT_FOUND', 'There is no such job.');
    if (job.status !== 'failed' && job.status !== 'cancelled') {
      throw new AppError('JOB_NOT_RETRYABLE', 'Only a failed or cancelled job can be tried again.');
    }
    if (job.input === null || !isToolName(job.tool)) throw inputGone();
    return this.submit({
      userId,
      tool: job.tool,
      input: job.input,
      files: job.files,
      retryOf: jobId,
      ...options,
    });
  }

  private async store(
    transaction: EntityManager,
    submission: Submission,
  ): Promise<{ job: JobRow; isNew: boolean }> {
    const { userId, tool: name, input, files = {}, retryOf, idempotencyKey, requestId } = submission;
    const tool: ToolContract = tools[name];
    // Holding the user's row puts that user's submissions in a line, so that every check below is exact.
    const user = await row<{ plan: Plan }>(
      transaction,
      `SELECT plan FROM users WHERE id = $1 FOR NO KEY UPDATE`,
      [userId],
    );
    if (!user) throw accountGone();
    const given = await holdFiles(transaction, userId, files, retryOf);

    const requestHash = hashRequest(name, input, given);
    if (idempotencyKey !== undefined) {
      const earlier = await findByKey(transaction, userId, idempotencyKey);
      if (earlier && earlier.request_hash !== requestHash) {
        throw new AppError(
          'IDEMPOTENCY_MISMATCH',
          'This Idempotency-Key was used for another request. Use a new key.',
        );
      }
      if (earlier) return { job: earlier, isNew: false };
    }
    requirePlan(user, tool);
    const priority: Priority = user.plan === 'premium' ? 'premium' : 'standard';
    const turn = await this.takeTurn(transaction, { userId, queue: tool.queue, priority });

    const id = randomUUID();
    const credits = user.plan === 'premium' ? 0 : tool.credits;
    const month = monthOf(this.clock());
    if (credits > 0 && !(await charge(transaction, { userId, month, amount: credits, jobId: id }))) {
      throw insufficientCredits(nextMonth(month));
    }
    const [job] = await rows<JobRow>(
      transaction,
      `INSERT INTO jobs (id, user_id, tool, queue, title, input, files, priority, credits, charge_month,
         idempotency_key, request_hash, retry_of, request_id, trace_parent, lane, virtual_start, enqueued_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, now()) RETURNING *`,
      [
        id,
        userId,
        name,
        tool.queue,
        tool.jobTitle(input, namesOf(given)),
        JSON.stringify(input),
        JSON.stringify(files),
        priority,
        credits,
        credits > 0 ? month : null,
        idempotencyKey ?? null,
        requestHash,
        retryOf ?? null,
        requestId ?? null,
        // The worker goes on with the trace of this request, where there is one.
        activeTrace()?.traceParent ?? null,
        lanes[priority],
        turn,
      ],
    );
    return { job: job!, isNew: true };
  }

  /**
   * The turn of a new job, if there is room for one more.
   * @throws AppError RATE_LIMITED for this user alone, QUEUE_FULL for everybody on this plan
   */
  private async takeTurn(
    transaction: EntityManager,
    { userId, queue, priority }: { userId: string; queue: QueueName; priority: Priority },
  ): Promise<number> {
    const waitingAtMost = this.limits.waitingAtMost[priority][queue];
    const found = await row<{ unfinished: number; waiting: number; turn: number }>(
      transaction,
      `SELECT count(*)::integer AS unfinished,
         (SELECT count(*)::integer FROM (
            SELECT FROM jobs WHERE status = 'queued' AND queue = $2 LIMIT $4) counted) AS waiting,
         coalesce(greatest(max(virtual_start) FILTER (WHERE queue = $2 AND lane = $3), ${roundOf('$2', '$3')}), 0) + 1 AS turn
       FROM jobs WHERE user_id = $1 AND status IN ('queued', 'running')`,
      [userId, queue, lanes[priority], waitingAtMost],
    );
    if (!found || found.unfinished >= this.limits.unfinishedPerUser) {
      throw new AppError(
        'RATE_LIMITED',
        `You have ${this.limits.unfinishedPerUser} unfinished jobs. Wait for one to end, or cancel one.`,
        { retryAfterSeconds: 30 },
      );
    }
    if (found.waiting >= waitingAtMost) throw await queueFull(transaction, queue, waitingAtMost);
    return found.turn;
  }

  private async afterCommit(job: JobRow): Promise<void> {
    try {
      const { id, queue, tool, lane, virtual_start: turn } = job;
      await this.queue.add([{ jobId: id, queue, tool, lane, turn }]);
    } catch (error) {
      this.onError(error as Error);
    }
    void this.jobEvents.jobChanged(job);
    if (job.credits > 0) void this.jobEvents.accountChanged(job.user_id);
  }
}

/** Seconds that a refused user is asked to wait at most, and where nothing is known of the queue's pace. */
const LONGEST_WAIT = 600;
const WAIT_BLINDLY = 30;

/** Tells when the queue will have room again, as it moves now. */
async function queueFull(database: Database, queue: QueueName, limit: number): Promise<AppError> {
  const counted = await row<{ waiting: number }>(
    database,
    `SELECT count(*)::integer AS waiting FROM jobs WHERE status = 'queued' AND queue = $1`,
    [queue],
  );
  const tooMany = Math.max((counted?.waiting ?? 0) - limit, 0);
  const throughput = (await readThroughputs(database)).get(queue);
  const wait = throughput && secondsUntilStart(throughput, tooMany * (throughput.averageSeconds ?? 0));
  const seconds = Math.min(Math.max(Math.ceil(wait ?? WAIT_BLINDLY), 1), LONGEST_WAIT);
  return new AppError(
    'QUEUE_FULL',
    `Too much is waiting to be done just now. Nothing was charged; try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    { retryAfterSeconds: seconds },
  );
}

const accountGone = () => new AppError('UNAUTHENTICATED', 'This account no longer exists. Sign in again.');

function requirePlan(user: { plan: Plan } | undefined, tool: ToolContract): void {
  if (!user) throw accountGone();
  if (tool.plan === 'free' || user.plan === 'premium') return;
  throw new AppError('PREMIUM_REQUIRED', `${tool.title} is part of the premium plan.`);
}

/** A stored file of a submission. */
interface GivenFile {
  field: string;
  name: string;
  sha256: string;
}

/**
 * The files of a submission, held against removal until the transaction ends. A retry holds the job that it repeats
 * too, since that is what keeps its files.
 */
async function holdFiles(
  transaction: EntityManager,
  userId: string,
  files: Record<string, string>,
  retryOf: string | undefined,
): Promise<GivenFile[]> {
  const fields = Object.keys(files).sort();
  if (fields.length === 0) return [];
  if (retryOf !== undefined) {
    const kept = await row(transaction, `SELECT FROM jobs WHERE id = $1 AND input IS NOT NULL FOR SHARE`, [
      retryOf,
    ]);
    if (!kept) throw inputGone();
  }
  const found = await rows<{ key: string; name: string; sha256: string }>(
    transaction,
    `SELECT key, name, sha256 FROM objects WHERE key = ANY ($1) AND user_id = $2 AND removed_at IS NULL FOR SHARE`,
    [Object.values(files), userId],
  );
  return fields.map((field) => {
    const file = found.find(({ key }) => key === files[field]);
    if (!file) throw inputGone();
    return { field, name: file.name, sha256: file.sha256 };
  });
}

const inputGone = () =>
  new AppError('JOB_NOT_RETRYABLE', 'What this job was made from is no longer stored. Start it anew.');

const namesOf = (files: GivenFile[]): Record<string, string> =>
  Object.fromEntries(files.map(({ field, name }) => [field, name]));

/** The job of a key that is still alive. An older use of the key gives it up. */
async function findByKey(
  transaction: EntityManager,
  userId: string,
  key: string,
): Promise<JobRow | undefined> {
  const found = await row<JobRow & { key_is_over: boolean }>(
    transaction,
    `SELECT *, created_at < now() - ${KEY_LIVES} AS key_is_over FROM jobs
     WHERE user_id = $1 AND idempotency_key = $2`,
    [userId, key],
  );
  if (!found?.key_is_over) return found;
  await rows(transaction, `UPDATE jobs SET idempotency_key = NULL WHERE id = $1`, [found.id]);
  return undefined;
}

function insufficientCredits(renewsAt: Date): AppError {
  const day = renewsAt.toLocaleDateString('en-US', { month: 'long', day: 'numeric', timeZone: 'UTC' });
  return new AppError(
    'INSUFFICIENT_CREDITS',
    `You have used this month’s credits. They renew on ${day}; the premium plan has no limit.`,
    { details: { renewsAt: renewsAt.toISOString() } },
  );
}

/** Names a request by its content, that of its files included, whatever the order of its keys. */
function hashRequest(tool: string, input: unknown, files: GivenFile[]): string {
  const contents = files.map(({ field, sha256 }) => `${field} ${sha256}`);
  return createHash('sha256')
    .update([tool, stableJson(input), ...contents].join('\n'))
    .digest('hex');
}

function stableJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
