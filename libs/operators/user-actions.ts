import { createHash } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { z } from 'zod';
import type { AccountDeletion } from '#libs/accounts/account-deletion.js';
import type { AccountEvents } from '#libs/accounts/account-events.js';
import { signOutEverywhere } from '#libs/accounts/sign-out.js';
import { lockUserIfPresent } from '#libs/accounts/lock-user.js';
import { suspend, unsuspend } from '#libs/accounts/suspension.js';
import { Users, type User } from '#libs/accounts/users.js';
import { ApiKeys } from '#libs/api-keys/api-keys.js';
import type { AuditedAction } from '#libs/audit/audit-log.js';
import { grantCredits, takeCredits } from '#libs/billing/credits.js';
import { endUserLimits, setUserLimits } from '#libs/billing/user-limits.js';
import type { Prices } from '#libs/config/prices.js';
import type { Plan, Role, UserLimits } from '#libs/contract/account.js';
import type { DeletionReceipt } from '#libs/contract/admin.js';
import { AppError } from '#libs/contract/errors.js';
import type { UserEntity } from '#libs/database/entities/users.js';
import { queryRow, type Database, type Transaction } from '#libs/database/sql.js';
import type { SocketServer } from '#libs/events/socket-server.js';
import type { JobLifecycle } from '#libs/jobs/lifecycle.js';
import {
  AuditedActions,
  cancelledDetails,
  findRepeated,
  record,
  unlessChanged,
  type Act,
  type Details,
} from './audited-actions.js';
import { countUserRows } from './user-data.js';
import { userNotFound } from './users.js';

export interface UserActionsDeps {
  dataSource: DataSource;
  lifecycle: JobLifecycle;
  accountEvents: AccountEvents;
  live: Pick<SocketServer, 'publish' | 'disconnectUser'>;
  /** With Clerk, plans, sessions and deletions are changed there. */
  accounts: 'local' | 'clerk';
  prices: Prices;
  openDeletion: () => Promise<AccountDeletion>;
  onError: (error: Error) => void;
}

/** What operators change of users and their keys. */
export class UserActions extends AuditedActions {
  constructor(private readonly deps: UserActionsDeps) {
    super(deps.dataSource);
  }

  /**
   * @returns `changed`: false if the user was suspended before; then the first reason stays
   * @throws AppError NOT_FOUND; VALIDATION_FAILED for the own account
   */
  async suspendUser(
    act: Act,
    userId: string,
  ): Promise<{ changed: boolean; endedSessions: number; cancelledJobs: number }> {
    const { dataSource, live, lifecycle } = this.deps;
    let changed = false;
    let sessions: string[] = [];
    const cancelled = await this.recordRefusal(act, 'user.suspend', userId, () =>
      lifecycle.cancelAllWaiting(
        { userId },
        {
          beforeCancelling: async (transaction) => {
            requireOther(act, await lockFound(transaction, userId), 'You cannot suspend yourself.');
            changed = await suspend(transaction, userId, act.reason ?? null);
            sessions = await signOutEverywhere(transaction, userId);
          },
          afterCancelling: (transaction, jobs) =>
            record(transaction, act, 'user.suspend', userId, {
              ...{ sessions: sessions.length, ...cancelledDetails(jobs), ...unlessChanged(changed) },
            }),
          committed: async () => {
            // Again after the commit, so that a sign-in that began before it is ended too.
            sessions.push(...(await signOutEverywhere(dataSource, userId)));
            this.publishEnded(userId, sessions);
            live.publish('user:suspended', userId);
            live.disconnectUser(userId);
          },
        },
      ),
    );
    return { changed, endedSessions: sessions.length, cancelledJobs: cancelled.length };
  }

  async unsuspendUser(act: Act, userId: string): Promise<void> {
    await this.changeUser(
      act,
      'user.unsuspend',
      userId,
      (transaction) => unsuspend(transaction, userId),
      unlessChanged,
    );
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
    const { user } = await this.changeUser(
      act,
      'user.plan',
      userId,
      async (transaction, before) => {
        this.requireLocal(
          'With Clerk the plan is not set here: the user subscribes, or you set {"plan": "premium"} in the private metadata of the user at Clerk.',
        );
        const user = await new Users(transaction, 'local').setPlan(userId, plan);
        return { user, changed: before.plan !== plan };
      },
      ({ changed }) => ({ plan, ...unlessChanged(changed) }),
    );
    await this.deps.accountEvents.accountChanged(userId);
    return user;
  }

  /** @throws AppError NOT_FOUND; VALIDATION_FAILED if operators take their own role away */
  async setRole(act: Act, userId: string, role: Role): Promise<User> {
    const { user } = await this.changeUser(
      act,
      'user.role',
      userId,
      async (transaction, before) => {
        if (role !== 'admin') requireOther(act, before, 'You cannot take your own role away.');
        const user = await new Users(transaction, 'local').setRole(userId, role);
        return { user, changed: before.role !== role };
      },
      ({ changed }) => ({ role, ...unlessChanged(changed) }),
    );
    return user;
  }

  /** @param amount credits to add; negative to take away. @throws AppError NOT_FOUND, IDEMPOTENCY_MISMATCH */
  async giveCredits(act: Act, userId: string, amount: number): Promise<void> {
    const note = act.reason ?? 'by an operator';
    const noted = { ...act, reason: note };
    const details = amount > 0 ? { grant: amount } : { take: -amount };
    await this.recordRefusal(noted, 'user.credits', userId, () =>
      this.deps.dataSource.transaction(async (transaction) => {
        await lockFound(transaction, userId);
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
      (transaction) =>
        limits ? setUserLimits(transaction, userId, limits) : endUserLimits(transaction, userId),
      (changed) => ({ limits, ...unlessChanged(changed) }),
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
      async () => ({ userId }),
    );
  }

  /** Revokes the keys of all users, also those that stand for connected apps. @returns the number of keys */
  async revokeAllKeys(act: Act): Promise<number> {
    return this.change(
      act,
      'key.revoke',
      'all',
      (transaction) => new ApiKeys(transaction, this.deps.onError).revokeAll(),
      (keys) => ({ keys }),
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
        filesDeleted: () =>
          record(this.deps.dataSource, act, 'user.files-deleted', userId, { ...found.receipt!.files }),
      });
      return found.receipt!;
    });
  }

  /** Like {@link change}, with the user's row locked. @throws AppError NOT_FOUND */
  private changeUser<T>(
    act: Act,
    action: AuditedAction,
    userId: string,
    work: (transaction: Transaction, user: UserEntity) => Promise<T>,
    details?: (changed: T) => Details,
  ): Promise<T> {
    const changeLocked = async (transaction: Transaction) =>
      work(transaction, await lockFound(transaction, userId));
    return this.change(act, action, userId, changeLocked, details);
  }

  /** Open pages ask for a new token, get none, and sign out. */
  private publishEnded(userId: string, sessions: string[]): void {
    for (const id of sessions) this.deps.accountEvents.sessionEnded({ id, userId }, true);
  }

  private requireLocal(message: string): void {
    if (this.deps.accounts === 'clerk') throw new AppError('FORBIDDEN', message);
  }
}

/** Locks the user's row. @throws AppError NOT_FOUND */
async function lockFound(transaction: Transaction, userId: string): Promise<UserEntity> {
  const user = await lockUserIfPresent(transaction, userId);
  if (!user) throw userNotFound(userId);
  return user;
}

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
  sha256: createHash('sha256').update(JSON.stringify(receipt)).digest('hex'),
});
