import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { In, type DataSource } from 'typeorm';
import { z } from 'zod';
import type { AccountDeletion } from '#libs/accounts/account-deletion.js';
import type { AccountEvents } from '#libs/accounts/account-events.js';
import { signOutEverywhere } from '#libs/accounts/sign-out.js';
import { lockUserIfPresent } from '#libs/accounts/lock-user.js';
import { suspend, unsuspend } from '#libs/accounts/suspension.js';
import { Users, type User } from '#libs/accounts/users.js';
import { ApiKeys } from '#libs/api-keys/api-keys.js';
import { grantCredits, takeCredits } from '#libs/billing/credits.js';
import { endUserLimits, setUserLimits } from '#libs/billing/user-limits.js';
import type { Prices } from '#libs/config/prices.js';
import type { Plan, Role, UserLimits } from '#libs/contract/account.js';
import { MAX_BULK_JOBS, type BulkAct, type DeletionReceipt, type JobFilter } from '#libs/contract/admin.js';
import { AppError } from '#libs/contract/errors.js';
import type { QueueName } from '#libs/contract/jobs.js';
import type { CreationEvents } from '#libs/creations/creation-events.js';
import {
  approvePicture,
  dismissReports,
  hidePicture,
  restorePicture,
  type Decided,
} from '#libs/creations/moderation.js';
import { takeDown } from '#libs/creations/takedown.js';
import { JobEntity } from '#libs/database/entities/jobs.js';
import type { UserEntity } from '#libs/database/entities/users.js';
import { queryRow, type Database, type Transaction } from '#libs/database/sql.js';
import type { SocketServer } from '#libs/events/socket-server.js';
import { idempotencyMismatch } from '#libs/jobs/idempotency.js';
import type { JobLifecycle } from '#libs/jobs/lifecycle.js';
import type { JobSubmission } from '#libs/jobs/submission.js';
import type { JobQueue } from '#libs/queue/job-queue.js';
import { QueuePauses } from '#libs/scheduling/queue-pauses.js';
import {
  addAuditEntry,
  findAct,
  isKeyTaken,
  type AuditedAction,
  type OperatorIdentity,
} from '#libs/audit/audit-log.js';
import { findJobs, jobNotFound } from './jobs.js';
import { countUserRows } from './user-data.js';
import { userNotFound } from './users.js';

/** Who acts, and why. */
export interface Act {
  operator: OperatorIdentity;
  reason?: string | undefined;
  /** Credits are given and jobs are retried once for each key and target. */
  idempotencyKey?: string | undefined;
}

type Details = Record<string, unknown>;

export interface OperatorActionsDeps {
  dataSource: DataSource;
  queue: JobQueue;
  lifecycle: JobLifecycle;
  submission: JobSubmission;
  accountEvents: AccountEvents;
  creationEvents: Pick<CreationEvents, 'creationsChanged'>;
  live: Pick<SocketServer, 'publish' | 'disconnectUser'>;
  /** With Clerk, plans, sessions and deletions are changed there. */
  accounts: 'local' | 'clerk';
  prices: Prices;
  openDeletion: () => Promise<AccountDeletion>;
  onError: (error: Error) => void;
}

/**
 * Everything that operators change, by the command line or the admin page. Each act is in the audit log, also one that was
 * refused with an AppError.
 */
export class OperatorActions {
  private readonly pauses: QueuePauses;

  constructor(private readonly deps: OperatorActionsDeps) {
    this.pauses = new QueuePauses(deps.dataSource, deps.queue, deps.onError);
  }

  /** Runs a change of rows and adds its entry to the audit log, in one transaction. */
  async change<T>(
    act: Act,
    action: AuditedAction,
    target: string,
    work: (transaction: Transaction) => Promise<T>,
    details: (changed: T) => Details = () => ({}),
  ): Promise<T> {
    return this.recordRefusal(act, action, target, () =>
      this.deps.dataSource.transaction(async (transaction) => {
        const changed = await work(transaction);
        await record(transaction, act, action, target, details(changed));
        return changed;
      }),
    );
  }

  async pauseQueue(act: Act, queue: QueueName): Promise<void> {
    await this.recordRefusal(act, 'queue.pause', queue, () =>
      this.pauses.pause(queue, act.reason ?? '', (transaction) =>
        record(transaction, act, 'queue.pause', queue),
      ),
    );
  }

  async resumeQueue(act: Act, queue: QueueName): Promise<void> {
    await this.recordRefusal(act, 'queue.resume', queue, () =>
      this.pauses.resume(queue, (transaction) => record(transaction, act, 'queue.resume', queue)),
    );
  }

  /** @returns the number of cancelled jobs; jobs that a worker has started since continue */
  async drainQueue(act: Act, which: { queue?: QueueName; userId?: string }): Promise<number> {
    const target = which.queue ?? which.userId ?? '';
    return this.recordRefusal(act, 'queue.drain', target, () =>
      this.deps.lifecycle.cancelAllWaiting(which, (transaction, cancelled) =>
        record(transaction, act, 'queue.drain', target, {
          cancelled,
          ...(which.userId && { userId: which.userId }),
        }),
      ),
    );
  }

  /** @returns false if the job was cancelled before. @throws AppError NOT_FOUND, JOB_NOT_CANCELLABLE */
  async cancelJob(act: Act, jobId: string): Promise<boolean> {
    const { dataSource, lifecycle } = this.deps;
    return this.recordRefusal(act, 'job.cancel', jobId, async () => {
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
   * Runs a failed or cancelled job again. Two operators at once make one new job, unless they change the input differently.
   * @param input fields that replace those of the stored input
   * @returns the new job, and false as `changed` if another act made it
   * @throws AppError NOT_FOUND, JOB_NOT_RETRYABLE, VALIDATION_FAILED, IDEMPOTENCY_MISMATCH, and those of a submission
   */
  async retryJob(
    act: Act,
    jobId: string,
    { input, requestId }: { input?: Record<string, unknown> | undefined; requestId?: string } = {},
  ): Promise<{ job: JobEntity; changed: boolean }> {
    const { dataSource } = this.deps;
    return this.recordRefusal(act, 'job.retry', jobId, async () => {
      const changes = input && { changes: Object.keys(input), inputHash: hashOf(input) };
      const findEarlier = async () => {
        const earlier = await findRepeated(dataSource, act, jobId, { inputHash: changes?.inputHash });
        return earlier && { job: await this.requireJob(String(earlier['jobId'])), changed: false };
      };
      try {
        return (await findEarlier()) ?? (await this.retryOnce(act, jobId, { input, changes, requestId }));
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
      changes,
      requestId,
    }: {
      input?: Record<string, unknown> | undefined;
      changes?: Details | undefined;
      requestId?: string | undefined;
    },
  ): Promise<{ job: JobEntity; changed: boolean }> {
    const { dataSource, submission } = this.deps;
    const { userId } = await this.requireJob(jobId);
    const details = ({ id }: JobEntity) => ({ userId, jobId: id, ...changes });
    const addEntry = (database: Database, entry: Details) =>
      record(database, act, 'job.retry', jobId, entry, act.idempotencyKey);
    let changed = false;
    const job = await submission.retry(userId, jobId, {
      idempotencyKey: await this.retryKey(jobId, input),
      requestId,
      changes: input,
      also: async (transaction, again) => {
        changed = true;
        await addEntry(transaction, details(again));
      },
    });
    if (!changed) await addEntry(dataSource, { ...details(job), changed });
    return { job, changed };
  }

  /**
   * @returns how many jobs were changed, and how many were not, because they could not be or another act changed them
   * @throws AppError VALIDATION_FAILED if the number of jobs is not the expected one
   */
  async actOnJobs(
    act: Act & { requestId?: string },
    { action, filter, count }: Pick<BulkAct, 'action' | 'filter' | 'count'>,
  ): Promise<{ changed: number; refused: number }> {
    const ids = await this.recordRefusal(act, `job.${action}`, 'bulk', async () => {
      const found = await this.jobsFor(action, filter);
      if (found.length !== count)
        throw new AppError(
          'VALIDATION_FAILED',
          `These are ${found.length} jobs now, not ${count}. Look again.`,
        );
      if (count > MAX_BULK_JOBS)
        throw new AppError('VALIDATION_FAILED', `Choose at most ${MAX_BULK_JOBS} jobs at once.`);
      return found;
    });
    let changed = 0;
    for (const id of ids) {
      try {
        const isChanged =
          action === 'cancel'
            ? await this.cancelJob(act, id)
            : (await this.retryJob(act, id, { requestId: act.requestId })).changed;
        if (isChanged) changed += 1;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
      }
    }
    return { changed, refused: ids.length - changed };
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

  /** @returns title, input and result of a job, which are private to its user. @throws AppError NOT_FOUND */
  async revealJob(
    act: Act,
    jobId: string,
  ): Promise<Pick<JobEntity, 'title' | 'input' | 'result' | 'partial'>> {
    return this.recordRefusal(act, 'job.reveal', jobId, async () => {
      const { userId, title, input, result, partial } = await this.requireJob(jobId);
      await record(this.deps.dataSource, act, 'job.reveal', jobId, { userId });
      return { title, input, result, partial };
    });
  }

  /** @throws AppError NOT_FOUND; VALIDATION_FAILED for the own account */
  async suspendUser(act: Act, userId: string): Promise<{ endedSessions: number; cancelledJobs: number }> {
    const { dataSource, live, lifecycle } = this.deps;
    await this.changeUser(act, 'user.suspend', userId, async (transaction, user) => {
      requireOther(act, user, 'You cannot suspend yourself.');
      await suspend(transaction, userId, act.reason ?? null);
    });
    // After the commit, so that a sign-in that began before it is ended too.
    const sessions = await signOutEverywhere(dataSource, userId);
    this.publishEnded(userId, sessions);
    live.publish('user:suspended', userId);
    live.disconnectUser(userId);
    return {
      endedSessions: sessions.length,
      cancelledJobs: await lifecycle.cancelAllWaiting({ userId }),
    };
  }

  async unsuspendUser(act: Act, userId: string): Promise<void> {
    await this.changeUser(act, 'user.unsuspend', userId, (transaction) => unsuspend(transaction, userId));
  }

  /** @returns the number of ended sessions */
  async signOutUser(act: Act, userId: string): Promise<number> {
    const sessions = await this.changeUser(
      act,
      'user.sign-out',
      userId,
      (transaction) => {
        this.requireLocal('With Clerk sessions are not stored here: end them on the user’s page at Clerk.');
        return signOutEverywhere(transaction, userId);
      },
      (ended) => ({ sessions: ended.length }),
    );
    this.publishEnded(userId, sessions);
    this.deps.live.disconnectUser(userId);
    return sessions.length;
  }

  async setPlan(act: Act, userId: string, plan: Plan): Promise<User> {
    const user = await this.changeUser(
      act,
      'user.plan',
      userId,
      (transaction) => {
        this.requireLocal(
          'With Clerk the plan is not set here: the user subscribes, or you set {"plan": "premium"} in the private metadata of the user at Clerk.',
        );
        return new Users(transaction, 'local').setPlan(userId, plan);
      },
      () => ({ plan }),
    );
    await this.deps.accountEvents.accountChanged(userId);
    return user;
  }

  /** @throws AppError NOT_FOUND; VALIDATION_FAILED if operators take their own role away */
  async setRole(act: Act, userId: string, role: Role): Promise<User> {
    return this.changeUser(
      act,
      'user.role',
      userId,
      (transaction, user) => {
        if (role !== 'admin') requireOther(act, user, 'You cannot take your own role away.');
        return new Users(transaction, 'local').setRole(userId, role);
      },
      () => ({ role }),
    );
  }

  /** @param amount credits to add; negative to take away. @throws AppError NOT_FOUND, IDEMPOTENCY_MISMATCH */
  async giveCredits(act: Act, userId: string, amount: number): Promise<void> {
    const note = act.reason ?? 'by an operator';
    const noted = { ...act, reason: note };
    const details = amount > 0 ? { grant: amount } : { take: -amount };
    await this.recordRefusal(noted, 'user.credits', userId, () =>
      this.deps.dataSource.transaction(async (transaction) => {
        if (!(await lockUserIfPresent(transaction, userId))) throw userNotFound(userId);
        if (await findRepeated(transaction, act, userId, details)) return;
        const [now, monthly] = [new Date(), this.deps.prices.grants.free];
        if (amount > 0) await grantCredits(transaction, userId, amount, note, now, monthly);
        else await takeCredits(transaction, userId, -amount, note, now, monthly);
        await record(transaction, noted, 'user.credits', userId, details, act.idempotencyKey);
      }),
    );
    await this.deps.accountEvents.accountChanged(userId);
  }

  /** @param limits null to end them. @throws AppError NOT_FOUND; VALIDATION_FAILED for a time that is not within a year */
  async setLimits(act: Act, userId: string, limits: UserLimits | null): Promise<void> {
    await this.changeUser(
      act,
      'user.limits',
      userId,
      async (transaction) => {
        if (limits) await setUserLimits(transaction, userId, limits);
        else await endUserLimits(transaction, userId);
      },
      () => ({ limits }),
    );
    await this.deps.accountEvents.accountChanged(userId);
  }

  async revokeKey(act: Act, userId: string, key: string): Promise<void> {
    await this.change(
      act,
      'key.revoke',
      key,
      (transaction) => new ApiKeys(transaction, this.deps.onError).revoke(userId, key),
      () => ({ userId }),
    );
  }

  /** Rows by table and files that {@link deleteUser} would delete. */
  countDeletion(userId: string): Promise<CountedDeletion> {
    return countDeletion(this.deps.dataSource, userId);
  }

  /**
   * @param confirm the user's email or id, repeated
   * @throws AppError NOT_FOUND; FORBIDDEN with Clerk; VALIDATION_FAILED for the own account, or if `confirm` is another
   */
  async deleteUser(act: Act, userId: string, confirm: string): Promise<DeletionReceipt> {
    return this.recordRefusal(act, 'user.delete', userId, async () => {
      this.requireLocal(
        'With Clerk the user is deleted there: its webhook then deletes everything here. Deleted here alone, the user comes back with the next sign-in.',
      );
      const deletion = await this.deps.openDeletion();
      const found: { counted?: CountedDeletion; receipt?: DeletionReceipt } = {};
      await deletion.delete(userId, {
        locked: async (transaction, user) => {
          if (!user) throw userNotFound(userId);
          requireOther(act, user, 'Delete your own account in the account dialog.');
          requireConfirmed(user, confirm);
          found.counted = await countDeletion(transaction, userId);
        },
        last: async (transaction) => {
          found.receipt = signed({
            id: userId,
            deletedAt: new Date().toISOString(),
            operator: act.operator.name,
            ...found.counted!,
            left: await countUserRows(transaction, userId),
          });
          // The whole receipt: its answer may be lost, and the hash covers all of it.
          await record(transaction, act, 'user.delete', userId, { ...found.receipt });
        },
      });
      return found.receipt!;
    });
  }

  /** @returns the creation's user, and whether others could see it */
  async takeDown(act: Act, creationId: string): Promise<{ userId: string; wasPublic: boolean }> {
    const taken = await this.change(
      act,
      'creation.takedown',
      creationId,
      (transaction) => takeDown(transaction, creationId, act.reason ?? null),
      (found) => found,
    );
    this.deps.creationEvents.creationsChanged(taken.userId, [creationId]);
    return taken;
  }

  /** Decides about a picture: its publication, its open reports and an appeal. */
  async decide(act: Act, decision: keyof typeof decisions, creationId: string): Promise<Decided> {
    const decided = await this.recordRefusal(act, `creation.${decision}`, creationId, () =>
      this.deps.dataSource.transaction((transaction) =>
        decisions[decision](transaction, { ...act, id: creationId }),
      ),
    );
    this.deps.creationEvents.creationsChanged(decided.userId, [creationId]);
    return decided;
  }

  /** @returns the number of closed reports */
  async dismissReports(act: Act, creationId: string): Promise<number> {
    const { dismissed } = await this.recordRefusal(act, 'creation.dismiss-reports', creationId, () =>
      this.deps.dataSource.transaction((transaction) =>
        dismissReports(transaction, { ...act, id: creationId }),
      ),
    );
    return dismissed;
  }

  /** Like {@link change}, with the user's row locked. @throws AppError NOT_FOUND */
  private changeUser<T>(
    act: Act,
    action: AuditedAction,
    userId: string,
    work: (transaction: Transaction, user: UserEntity) => Promise<T>,
    details?: (changed: T) => Details,
  ): Promise<T> {
    const changeLocked = async (transaction: Transaction) => {
      const user = await lockUserIfPresent(transaction, userId);
      if (!user) throw userNotFound(userId);
      return work(transaction, user);
    };
    return this.change(act, action, userId, changeLocked, details);
  }

  /** Open pages ask for a new token, get none, and sign out. */
  private publishEnded(userId: string, sessions: string[]): void {
    for (const id of sessions) this.deps.accountEvents.sessionEnded({ id, userId }, true);
  }

  /** The same for the same input, until the last retry of the job has ended. */
  private async retryKey(jobId: string, input: Record<string, unknown> = {}): Promise<string> {
    const ended = await this.deps.dataSource
      .getRepository(JobEntity)
      .countBy({ retryOf: jobId, status: In(['succeeded', 'failed', 'cancelled']) });
    return `retry-of-${jobId}-${ended + 1}-${hashOf(input)}`;
  }

  private async requireJob(id: string): Promise<JobEntity> {
    const job = await this.deps.dataSource.getRepository(JobEntity).findOneBy({ id });
    if (!job) throw jobNotFound(id);
    return job;
  }

  private requireLocal(message: string): void {
    if (this.deps.accounts === 'clerk') throw new AppError('FORBIDDEN', message);
  }

  private async recordRefusal<T>(
    act: Act,
    action: AuditedAction,
    target: string,
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof AppError)
        await record(this.deps.dataSource, act, action, target, { refused: error.code });
      throw error;
    }
  }
}

const record = (
  database: Database,
  { operator, reason }: Act,
  action: AuditedAction,
  target: string,
  details: Details = {},
  idempotencyKey?: string,
): Promise<void> =>
  addAuditEntry(database, { operator, action, target, reason: reason ?? null, details, idempotencyKey });

/**
 * Details of the act that an earlier request with the same key did. Null if there was none.
 * @throws AppError IDEMPOTENCY_MISMATCH if its details are others
 */
async function findRepeated(
  database: Database,
  { idempotencyKey }: Act,
  target: string,
  expected: Details,
): Promise<Details | null> {
  if (idempotencyKey === undefined) return null;
  const details = await findAct(database, target, idempotencyKey);
  if (details && Object.keys(expected).some((name) => !isDeepStrictEqual(details[name], expected[name])))
    throw idempotencyMismatch();
  return details;
}

const decisions = { approve: approvePicture, hide: hidePicture, restore: restorePicture };

/**
 * A command knows operators only by the name they gave, which may be their email or id.
 * @throws AppError VALIDATION_FAILED if the target is the operator's own account
 */
function requireOther({ operator: { userId, name } }: Act, { id, email }: UserEntity, message: string): void {
  if (id === userId || id === name || email?.toLowerCase() === name.toLowerCase())
    throw new AppError('VALIDATION_FAILED', message);
}

/** @throws AppError VALIDATION_FAILED */
function requireConfirmed({ id, email }: UserEntity, confirm: string): void {
  if (confirm === id || confirm.toLowerCase() === email?.toLowerCase()) return;
  throw new AppError('VALIDATION_FAILED', 'Repeat the email of the user whom you delete.', {
    details: [{ field: 'confirm', message: 'Repeat the email of the user.' }],
  });
}

type CountedDeletion = Pick<DeletionReceipt, 'rows' | 'unlinked' | 'files'>;

async function countDeletion(database: Database, userId: string): Promise<CountedDeletion> {
  const { provider_calls: calls, ...rows } = await countUserRows(database, userId);
  const files = await queryRow(database, filesSchema, FILES, [userId]);
  return { rows, unlinked: calls === undefined ? {} : { provider_calls: calls }, files: files! };
}

const filesSchema = z.object({ count: z.number(), bytes: z.coerce.number() });
const FILES = `SELECT count(*)::integer AS count, coalesce(sum(bytes), 0) AS bytes FROM objects WHERE user_id = $1`;

const signed = (receipt: Omit<DeletionReceipt, 'sha256'>): DeletionReceipt => ({
  ...receipt,
  sha256: sha256(JSON.stringify(receipt)),
});

/** The same for the same fields in any order. */
const hashOf = (input: Record<string, unknown>): string =>
  sha256(JSON.stringify(Object.entries(input).sort(([a], [b]) => (a < b ? -1 : 1)))).slice(0, 16);

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
