import { createHash } from 'node:crypto';
import { In, type DataSource } from 'typeorm';
import { z } from 'zod';
import type { AccountDeletion } from '#libs/accounts/account-deletion.js';
import type { AccountEvents } from '#libs/accounts/account-events.js';
import { signOutEverywhere } from '#libs/accounts/sign-out.js';
import { suspend, unsuspend } from '#libs/accounts/suspension.js';
import { Users, type User } from '#libs/accounts/users.js';
import { ApiKeys } from '#libs/api-keys/api-keys.js';
import { grantCredits, takeCredits } from '#libs/billing/credits.js';
import type { Prices } from '#libs/config/prices.js';
import type { Plan } from '#libs/contract/account.js';
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
import { queryRow, type Database } from '#libs/database/sql.js';
import type { SocketServer } from '#libs/events/socket-server.js';
import type { JobLifecycle } from '#libs/jobs/lifecycle.js';
import type { JobSubmission } from '#libs/jobs/submission.js';
import type { JobQueue } from '#libs/queue/job-queue.js';
import { QueuePauses } from '#libs/scheduling/queue-pauses.js';
import { addAuditEntry, type AuditedAction } from '#libs/audit/audit-log.js';
import { findJobs, jobNotFound } from './jobs.js';
import { countUserRows } from './user-data.js';

/** Who acts, and why. */
export interface Act {
  operator: string;
  reason?: string | undefined;
}

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

/** Everything that operators change, by the command line or the admin page. Each act is in the audit log. */
export class OperatorActions {
  constructor(private readonly deps: OperatorActionsDeps) {}

  async pauseQueue(act: Act, queue: QueueName): Promise<void> {
    await this.deps.dataSource.transaction(async (transaction) => {
      await this.pauses(transaction).pause(queue, act.reason ?? '');
      await this.record(transaction, act, 'queue.pause', queue);
    });
  }

  async resumeQueue(act: Act, queue: QueueName): Promise<void> {
    await this.deps.dataSource.transaction(async (transaction) => {
      await this.pauses(transaction).resume(queue);
      await this.record(transaction, act, 'queue.resume', queue);
    });
  }

  /** @returns the number of cancelled jobs; jobs that a worker has started since continue */
  async drainQueue(act: Act, which: { queue?: QueueName; userId?: string }): Promise<number> {
    const cancelled = await this.deps.lifecycle.cancelAllWaiting(which);
    const details = { cancelled, ...(which.userId && { userId: which.userId }) };
    await this.record(this.deps.dataSource, act, 'queue.drain', which.queue ?? which.userId ?? '', details);
    return cancelled;
  }

  /** @throws AppError NOT_FOUND, JOB_NOT_CANCELLABLE */
  async cancelJob(act: Act, jobId: string): Promise<void> {
    const { dataSource, lifecycle } = this.deps;
    const { userId } = await this.requireJob(jobId);
    await this.recordOutcome(act, 'job.cancel', jobId, { userId }, async () => {
      let changed = false;
      await lifecycle.cancel(userId, jobId, async (transaction) => {
        changed = true;
        await this.record(transaction, act, 'job.cancel', jobId, { userId });
      });
      if (!changed) await this.record(dataSource, act, 'job.cancel', jobId, { userId, changed });
    });
  }

  /**
   * Runs a failed or cancelled job again. Two operators at once make one new job, unless they change the input.
   * @param input fields that replace those of the stored input
   * @returns the new job
   * @throws AppError NOT_FOUND, JOB_NOT_RETRYABLE, VALIDATION_FAILED, and those of a submission
   */
  async retryJob(
    act: Act,
    jobId: string,
    { input, requestId }: { input?: Record<string, unknown> | undefined; requestId?: string } = {},
  ): Promise<JobEntity> {
    const { userId } = await this.requireJob(jobId);
    return this.recordOutcome(act, 'job.retry', jobId, { userId }, async () => {
      const job = await this.deps.submission.retry(userId, jobId, {
        idempotencyKey: input ? undefined : await this.retryKey(jobId),
        requestId,
        changes: input,
      });
      const changed = job.requestId === requestId;
      const details = {
        userId,
        jobId: job.id,
        ...(!changed && { changed }),
        ...(input && { changes: Object.keys(input) }),
      };
      await this.record(this.deps.dataSource, act, 'job.retry', jobId, details);
      return job;
    });
  }

  /** @throws AppError VALIDATION_FAILED if the number of jobs is not the expected one */
  async actOnJobs(
    act: Act & { requestId?: string },
    { action, filter, count }: Pick<BulkAct, 'action' | 'filter' | 'count'>,
  ): Promise<{ changed: number; refused: number }> {
    const ids = await this.jobsFor(action, filter);
    if (ids.length !== count)
      throw new AppError('VALIDATION_FAILED', `These are ${ids.length} jobs now, not ${count}. Look again.`);
    if (count > MAX_BULK_JOBS)
      throw new AppError('VALIDATION_FAILED', `Choose at most ${MAX_BULK_JOBS} jobs at once.`);
    let changed = 0;
    for (const id of ids) {
      try {
        if (action === 'cancel') await this.cancelJob(act, id);
        else await this.retryJob(act, id, { requestId: act.requestId });
        changed += 1;
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
      }
    }
    return { changed, refused: ids.length - changed };
  }

  /** Ids of the jobs of a filter that can be cancelled or retried, at most one more than a bulk act changes. */
  jobsFor(action: BulkAct['action'], filter: JobFilter): Promise<string[]> {
    const statuses = action === 'cancel' ? ['queued', 'running'] : ['failed', 'cancelled'];
    return findJobs(this.deps.dataSource, { ...filter, statuses }, MAX_BULK_JOBS + 1);
  }

  /** @returns title, input and result of a job, which are private to its user. @throws AppError NOT_FOUND */
  async revealJob(
    act: Act,
    jobId: string,
  ): Promise<Pick<JobEntity, 'title' | 'input' | 'result' | 'partial'>> {
    const { userId, title, input, result, partial } = await this.requireJob(jobId);
    await this.record(this.deps.dataSource, act, 'job.reveal', jobId, { userId });
    return { title, input, result, partial };
  }

  async suspendUser(act: Act, userId: string): Promise<{ endedSessions: number; cancelledJobs: number }> {
    const { dataSource, live, lifecycle } = this.deps;
    await dataSource.transaction(async (transaction) => {
      await suspend(transaction, userId, act.reason ?? null);
      await this.record(transaction, act, 'user.suspend', userId);
    });
    const endedSessions = await this.endSessions(userId);
    live.publish('user:suspended', userId);
    live.disconnectUser(userId);
    return { endedSessions, cancelledJobs: await lifecycle.cancelAllWaiting({ userId }) };
  }

  async unsuspendUser(act: Act, userId: string): Promise<void> {
    await this.deps.dataSource.transaction(async (transaction) => {
      await unsuspend(transaction, userId);
      await this.record(transaction, act, 'user.unsuspend', userId);
    });
  }

  /** @returns the number of ended sessions */
  async signOutUser(act: Act, userId: string): Promise<number> {
    this.requireLocal('With Clerk sessions are not stored here: end them on the user’s page at Clerk.');
    const sessions = await this.endSessions(userId);
    this.deps.live.disconnectUser(userId);
    await this.record(this.deps.dataSource, act, 'user.sign-out', userId, { sessions });
    return sessions;
  }

  async setPlan(act: Act, userId: string, plan: Plan): Promise<User> {
    this.requireLocal(
      'With Clerk the plan is not set here: the user subscribes, or you set {"plan": "premium"} in the private metadata of the user at Clerk.',
    );
    const user = await this.deps.dataSource.transaction(async (transaction) => {
      const changed = await new Users(transaction, 'local').setPlan(userId, plan);
      await this.record(transaction, act, 'user.plan', userId, { plan });
      return changed;
    });
    await this.deps.accountEvents.accountChanged(userId);
    return user;
  }

  /** @param amount credits to add; negative to take away */
  async giveCredits(act: Act, userId: string, amount: number): Promise<void> {
    const note = act.reason ?? 'by an operator';
    await this.deps.dataSource.transaction(async (transaction) => {
      const [now, monthly] = [new Date(), this.deps.prices.grants.free];
      if (amount > 0) await grantCredits(transaction, userId, amount, note, now, monthly);
      else await takeCredits(transaction, userId, -amount, note, now, monthly);
      const details = amount > 0 ? { grant: amount } : { take: -amount };
      await this.record(transaction, { ...act, reason: note }, 'user.credits', userId, details);
    });
    await this.deps.accountEvents.accountChanged(userId);
  }

  async revokeKey(act: Act, userId: string, key: string): Promise<void> {
    await this.deps.dataSource.transaction(async (transaction) => {
      await new ApiKeys(transaction, this.deps.onError).revoke(userId, key);
      await this.record(transaction, act, 'key.revoke', key, { userId });
    });
  }

  /** Rows by table and files that {@link deleteUser} would delete. */
  async countDeletion(userId: string): Promise<Pick<DeletionReceipt, 'rows' | 'files'>> {
    const { dataSource } = this.deps;
    const files = await queryRow(dataSource, filesSchema, FILES, [userId]);
    return { rows: await countUserRows(dataSource, userId), files: files ?? { count: 0, bytes: 0 } };
  }

  async deleteUser(act: Act, userId: string): Promise<DeletionReceipt> {
    this.requireLocal(
      'With Clerk the user is deleted there: its webhook then deletes everything here. Deleted here alone, the user comes back with the next sign-in.',
    );
    const deletion = await this.deps.openDeletion();
    const details = await this.countDeletion(userId);
    await deletion.delete(userId, (transaction) =>
      this.record(transaction, act, 'user.delete', userId, details),
    );
    const left = await countUserRows(this.deps.dataSource, userId);
    const { operator } = act;
    const receipt = { id: userId, deletedAt: new Date().toISOString(), operator, ...details, left };
    return { ...receipt, sha256: createHash('sha256').update(JSON.stringify(receipt)).digest('hex') };
  }

  /** @returns the creation's user, and whether others could see it */
  async takeDown(act: Act, creationId: string): Promise<{ userId: string; wasPublic: boolean }> {
    const taken = await this.deps.dataSource.transaction(async (transaction) => {
      const found = await takeDown(transaction, creationId, act.reason ?? null);
      await this.record(transaction, act, 'creation.takedown', creationId, found);
      return found;
    });
    this.deps.creationEvents.creationsChanged(taken.userId, [creationId]);
    return taken;
  }

  /** Decides about a picture: its publication, its open reports and an appeal. */
  async decide(act: Act, decision: keyof typeof decisions, creationId: string): Promise<Decided> {
    const decided = await this.deps.dataSource.transaction((transaction) =>
      decisions[decision](transaction, { ...act, id: creationId }),
    );
    this.deps.creationEvents.creationsChanged(decided.userId, [creationId]);
    return decided;
  }

  /** @returns the number of closed reports */
  async dismissReports(act: Act, creationId: string): Promise<number> {
    const { dismissed } = await this.deps.dataSource.transaction((transaction) =>
      dismissReports(transaction, { ...act, id: creationId }),
    );
    return dismissed;
  }

  private pauses(database: Database): QueuePauses {
    return new QueuePauses(database, this.deps.queue, this.deps.onError);
  }

  private async endSessions(userId: string): Promise<number> {
    const sessions = await signOutEverywhere(this.deps.dataSource, userId);
    // Open pages ask for a new token, get none, and sign out.
    for (const id of sessions) this.deps.accountEvents.sessionEnded({ id, userId }, true);
    return sessions.length;
  }

  /** The same until the last retry of the job has ended. */
  private async retryKey(jobId: string): Promise<string> {
    const ended = await this.deps.dataSource
      .getRepository(JobEntity)
      .countBy({ retryOf: jobId, status: In(['succeeded', 'failed', 'cancelled']) });
    return `retry-of-${jobId}-${ended + 1}`;
  }

  private async requireJob(id: string): Promise<JobEntity> {
    const job = await this.deps.dataSource.getRepository(JobEntity).findOneBy({ id });
    if (!job) throw jobNotFound(id);
    return job;
  }

  private requireLocal(message: string): void {
    if (this.deps.accounts === 'clerk') throw new AppError('FORBIDDEN', message);
  }

  /** Records also an act that was refused. */
  private async recordOutcome<T>(
    act: Act,
    action: AuditedAction,
    target: string,
    details: Record<string, unknown>,
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof AppError)
        await this.record(this.deps.dataSource, act, action, target, { ...details, refused: error.code });
      throw error;
    }
  }

  private record(
    database: Database,
    { operator, reason }: Act,
    action: AuditedAction,
    target: string,
    details: Record<string, unknown> = {},
  ): Promise<void> {
    return addAuditEntry(database, { operator, action, target, reason: reason ?? null, details });
  }
}

const decisions = { approve: approvePicture, hide: hidePicture, restore: restorePicture };

const filesSchema = z.object({ count: z.number(), bytes: z.coerce.number() });
const FILES = `SELECT count(*)::integer AS count, coalesce(sum(bytes), 0) AS bytes FROM objects WHERE user_id = $1`;
