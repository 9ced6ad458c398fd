import { createHash, randomUUID } from 'node:crypto';
import type { DataSource, EntityManager } from 'typeorm';
import type { Plan } from '#libs/contract/account.js';
import { AppError } from '#libs/contract/errors.js';
import { row, rows } from '#libs/database/sql.js';
import type { JobQueue } from '#libs/queue/job-queue.js';
import { isToolName, tools, type ToolName } from '#libs/tools/catalogue.js';
import type { ToolContract } from '#libs/tools/define-tool.js';
import type { Announcements } from './announcements.js';
import { charge, monthOf, nextMonth } from './credits.js';
import type { JobRow } from './job-row.js';

export interface Submission {
  personId: string;
  tool: ToolName;
  /** What the tool's input schema gave. */
  input: unknown;
  /** The same key from the same person within 24 hours names the same job. */
  idempotencyKey?: string;
  /** The request this came with, for the logs of the worker. */
  requestId?: string;
}

export interface SubmissionLimits {
  /** Jobs one person may have queued and running at once. */
  unfinishedPerPerson: number;
}

const KEY_LIVES = `interval '24 hours'`;

/** Accepts work: the only place where a job comes into being. */
export class JobSubmission {
  constructor(
    private readonly dataSource: DataSource,
    private readonly queue: JobQueue,
    private readonly announcements: Announcements,
    private readonly limits: SubmissionLimits,
    private readonly onError: (error: Error) => void,
    private readonly clock: () => Date = () => new Date(),
  ) {}

  /**
   * Checks plan and credits, stores the job and its charge in one transaction, and places the job on its queue after
   * the commit. A queue that is away delays the job and refuses nothing: the reconciler places it later.
   * @throws AppError PREMIUM_REQUIRED, INSUFFICIENT_CREDITS, RATE_LIMITED, IDEMPOTENCY_MISMATCH
   */
  async submit(submission: Submission): Promise<JobRow> {
    const { job, isNew } = await this.dataSource.transaction((transaction) => this.store(transaction, submission));
    if (isNew) await this.afterCommit(job);
    return job;
  }

  /**
   * A failed or cancelled job again, as a new job with the same stored input, charged as a new one.
   * @throws AppError NOT_FOUND, JOB_NOT_RETRYABLE, and what {@link submit} throws
   */
  async retry(personId: string, jobId: string, options: Pick<Submission, 'idempotencyKey' | 'requestId'> = {}): Promise<JobRow> {
    const job = await row<JobRow>(this.dataSource, `SELECT * FROM jobs WHERE id = $1 AND person_id = $2`, [jobId, personId]);
    if (!job) throw new AppError('NOT_FOUND', 'There is no such job.');
    if (job.status !== 'failed' && job.status !== 'cancelled') {
      throw new AppError('JOB_NOT_RETRYABLE', 'Only a failed or cancelled job can be tried again.');
    }
    if (job.input === null || !isToolName(job.tool)) {
      throw new AppError('JOB_NOT_RETRYABLE', 'What this job was made from is no longer stored. Start it anew.');
    }
    return this.submit({ personId, tool: job.tool, input: job.input, ...options });
  }

  private async store(transaction: EntityManager, submission: Submission): Promise<{ job: JobRow; isNew: boolean }> {
    const { personId, tool: name, input, idempotencyKey, requestId } = submission;
    const tool: ToolContract = tools[name];
    // Holding the person's row puts that person's submissions in a line, so that every check below is exact.
    const person = await row<{ plan: Plan }>(transaction, `SELECT plan FROM people WHERE id = $1 FOR NO KEY UPDATE`, [personId]);
    if (!person) throw new AppError('UNAUTHENTICATED', 'This account no longer exists. Sign in again.');

    const requestHash = hashRequest(name, input);
    if (idempotencyKey !== undefined) {
      const earlier = await findByKey(transaction, personId, idempotencyKey);
      if (earlier && earlier.request_hash !== requestHash) {
        throw new AppError('IDEMPOTENCY_MISMATCH', 'This Idempotency-Key was used for another request. Use a new key.');
      }
      if (earlier) return { job: earlier, isNew: false };
    }
    if (tool.plan === 'premium' && person.plan !== 'premium') {
      throw new AppError('PREMIUM_REQUIRED', `${tool.title} is part of the premium plan.`);
    }
    await this.refuseTooMany(transaction, personId);

    const id = randomUUID();
    const credits = person.plan === 'premium' ? 0 : tool.credits;
    const month = monthOf(this.clock());
    if (credits > 0 && !(await charge(transaction, { personId, month, amount: credits, jobId: id }))) {
      throw insufficientCredits(nextMonth(month));
    }
    const [job] = await rows<JobRow>(
      transaction,
      `INSERT INTO jobs (id, person_id, tool, queue, title, input, priority, credits, charge_month,
         idempotency_key, request_hash, request_id, enqueued_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, now()) RETURNING *`,
      [
        id,
        personId,
        name,
        tool.queue,
        tool.jobTitle(input),
        JSON.stringify(input),
        person.plan === 'premium' ? 'premium' : 'standard',
        credits,
        credits > 0 ? month : null,
        idempotencyKey ?? null,
        requestHash,
        requestId ?? null,
      ],
    );
    return { job: job!, isNew: true };
  }

  private async refuseTooMany(transaction: EntityManager, personId: string): Promise<void> {
    const unfinished = await row<{ count: number }>(
      transaction,
      `SELECT count(*)::integer AS count FROM jobs WHERE person_id = $1 AND status IN ('queued', 'running')`,
      [personId],
    );
    if ((unfinished?.count ?? 0) < this.limits.unfinishedPerPerson) return;
    throw new AppError(
      'RATE_LIMITED',
      `You have ${this.limits.unfinishedPerPerson} unfinished jobs. Wait for one to end, or cancel one.`,
      { retryAfterSeconds: 30 },
    );
  }

  private async afterCommit(job: JobRow): Promise<void> {
    try {
      await this.queue.add([{ jobId: job.id, queue: job.queue, tool: job.tool, priority: job.priority }]);
    } catch (error) {
      this.onError(error as Error);
    }
    void this.announcements.jobChanged(job);
    if (job.credits > 0) void this.announcements.accountChanged(job.person_id);
  }
}

/** The job of a key that is still alive. An older use of the key gives it up. */
async function findByKey(transaction: EntityManager, personId: string, key: string): Promise<JobRow | undefined> {
  await rows(
    transaction,
    `UPDATE jobs SET idempotency_key = NULL
     WHERE person_id = $1 AND idempotency_key = $2 AND created_at < now() - ${KEY_LIVES}`,
    [personId, key],
  );
  return row<JobRow>(transaction, `SELECT * FROM jobs WHERE person_id = $1 AND idempotency_key = $2`, [personId, key]);
}

function insufficientCredits(renewsAt: Date): AppError {
  const day = renewsAt.toLocaleDateString('en-US', { month: 'long', day: 'numeric', timeZone: 'UTC' });
  return new AppError(
    'INSUFFICIENT_CREDITS',
    `You have used this month’s credits. They renew on ${day}; the premium plan has no limit.`,
    { details: { renewsAt: renewsAt.toISOString() } },
  );
}

/** Names a request by its content, whatever the order of its keys. */
function hashRequest(tool: string, input: unknown): string {
  return createHash('sha256').update(tool).update('\n').update(stableJson(input)).digest('hex');
}

function stableJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
