import { createHash } from 'node:crypto';
import { AppError } from '#libs/contract/errors.js';
import { z } from 'zod';
import { ClerkRemovalEntity } from '#libs/database/entities/clerk.js';
import { roleSchema } from '#libs/contract/account.js';
import { execute, queryRow, queryRows, type Database, type Transaction } from '#libs/database/sql.js';
import type { Identity } from '../identity.js';
import type { ClerkProfile } from './profile.js';

export interface SubscriptionItem {
  id: string;
  plan: string;
  status: string;
  /** End of the paid period, in milliseconds since 1970; null if it has no end. */
  periodEnd: number | null;
}

/** True if the user's open pages must be updated. */
export type Changed = boolean;

/**
 * Stores Clerk's users in our tables. Each stored value has the time of its change at Clerk, so late and repeated updates
 * have no effect. The effective plan is in `users.plan`: premium if a subscription or the private metadata grants it.
 */
export class ClerkUsers {
  constructor(
    private readonly dataSource: Database,
    private readonly premiumPlan: string,
  ) {}

  /**
   * Creates missing rows of a token's user, and applies the token's plan unless the stored plan is newer.
   * @throws AppError `UNAUTHENTICATED` if the account was deleted (its token may still be valid)
   */
  async ensureUser(identity: Identity): Promise<Changed> {
    const { userId, plans, issuedAt } = identity;
    return this.dataSource.transaction(async (transaction) => {
      if (!(await this.lockRows(transaction, userId, identity))) {
        throw new AppError('UNAUTHENTICATED', 'This account no longer exists. Sign in with another one.');
      }
      if (plans === null) return false;
      await execute(
        transaction,
        `UPDATE clerk_users SET claimed_premium = $2, claimed_at = to_timestamp($3)
         WHERE user_id = $1 AND (claimed_at IS NULL OR claimed_at < to_timestamp($3))`,
        [userId, plans.includes(this.premiumPlan), issuedAt],
      );
      return this.updatePlan(transaction, userId);
    });
  }

  /** Applies a profile with its metadata, unless the stored profile is newer. Has no effect for a deleted user. */
  async applyProfile(transaction: Transaction, profile: ClerkProfile): Promise<Changed> {
    const { userId, name, email, imageUrl, premium, admin, freeUsage, at } = profile;
    if (!(await this.lockRows(transaction, userId, { name, email, imageUrl }))) return false;
    const applied = await queryRow(
      transaction,
      z.object({ role: roleSchema }),
      `WITH before AS (SELECT granted_admin, role FROM clerk_users JOIN users ON id = user_id WHERE user_id = $1)
       UPDATE clerk_users SET profile_at = to_timestamp($2 / 1000.0), granted_premium = $3, granted_admin = $4,
         reported_usage = $5
       WHERE user_id = $1 AND (profile_at IS NULL OR profile_at <= to_timestamp($2 / 1000.0))
       RETURNING (SELECT CASE WHEN granted_admin = $4 THEN role WHEN $4 THEN 'admin' ELSE 'person' END FROM before) AS role`,
      [userId, at, premium, admin, freeUsage],
    );
    if (!applied) return false;
    const changed = await execute(
      transaction,
      `UPDATE users SET name = $2, email = $3, image_url = $4, role = $5, updated_at = now()
       WHERE id = $1 AND (name, email, image_url, role) IS DISTINCT FROM ($2, $3, $4, $5) RETURNING id`,
      [userId, name, email, imageUrl, applied.role],
    );
    return (await this.updatePlan(transaction, userId)) || changed > 0;
  }

  /**
   * Applies the subscription items of an event, except items whose stored version is newer.
   * @param at time of the event, in milliseconds since 1970
   */
  async applyItems(
    transaction: Transaction,
    userId: string,
    items: SubscriptionItem[],
    at: number,
  ): Promise<Changed> {
    if (!(await this.lockRows(transaction, userId))) return false;
    for (const { id, plan, status, periodEnd } of items) {
      await execute(
        transaction,
        `INSERT INTO clerk_subscription_items (id, user_id, plan, status, period_end, changed_at)
         VALUES ($1, $2, $3, $4, to_timestamp($5 / 1000.0), to_timestamp($6 / 1000.0))
         ON CONFLICT (id) DO UPDATE SET plan = excluded.plan, status = excluded.status,
           period_end = excluded.period_end, changed_at = excluded.changed_at
         WHERE clerk_subscription_items.changed_at <= excluded.changed_at
           AND clerk_subscription_items.user_id = excluded.user_id`,
        [id, userId, plan, status, periodEnd, at],
      );
    }
    return this.updatePlan(transaction, userId);
  }

  /**
   * Ends cancelled items whose period ended more than an hour ago, in case Clerk's event about the end was lost.
   * @returns the users whose plan changed
   */
  async endOverdue(): Promise<string[]> {
    const overdue = await queryRows(
      this.dataSource,
      z.object({ id: z.string() }),
      `SELECT DISTINCT user_id AS id FROM clerk_subscription_items
       WHERE status = 'canceled' AND period_end < now() - interval '1 hour' LIMIT 500`,
    );
    const changed: string[] = [];
    for (const { id } of overdue) {
      const isChanged = await this.dataSource.transaction(async (transaction) => {
        if (!(await this.lockRows(transaction, id))) return false;
        await execute(
          transaction,
          `UPDATE clerk_subscription_items SET status = 'ended', changed_at = greatest(changed_at, period_end)
           WHERE user_id = $1 AND status = 'canceled' AND period_end < now() - interval '1 hour'`,
          [id],
        );
        return this.updatePlan(transaction, id);
      });
      if (isChanged) changed.push(id);
    }
    return changed;
  }

  /**
   * Records a user's deletion. `transaction` must also delete the user.
   * @param deleteAtClerk true to delete Clerk's user too; false if it is already deleted
   */
  async recordDeletion(transaction: Transaction, userId: string, deleteAtClerk: boolean): Promise<void> {
    await lock(transaction, userId);
    await execute(
      transaction,
      `INSERT INTO clerk_removals (id_hash, user_id) VALUES ($1, $2)
       ON CONFLICT (id_hash) DO UPDATE SET user_id = CASE WHEN $2::text IS NULL THEN NULL ELSE clerk_removals.user_id END`,
      [hashOf(userId), deleteAtClerk ? userId : null],
    );
  }

  /** Locks the user and creates missing rows. @returns false if the user was deleted */
  private async lockRows(
    transaction: Transaction,
    userId: string,
    { name = '', email = null, imageUrl = null }: Partial<Pick<Identity, 'name' | 'email' | 'imageUrl'>> = {},
  ): Promise<boolean> {
    await lock(transaction, userId);
    if (await transaction.existsBy(ClerkRemovalEntity, { idHash: hashOf(userId) })) return false;
    await execute(
      transaction,
      `INSERT INTO users (id, name, email, image_url) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
      [userId, name, email, imageUrl],
    );
    await execute(transaction, `INSERT INTO clerk_users (user_id) VALUES ($1) ON CONFLICT DO NOTHING`, [
      userId,
    ]);
    return true;
  }

  private async updatePlan(transaction: Transaction, userId: string): Promise<Changed> {
    const changed = await execute(
      transaction,
      `WITH billed AS (
         SELECT coalesce(max(changed_at), '-infinity') AS at, coalesce(bool_or(${GIVES_PLAN}), false) AS premium
         FROM clerk_subscription_items WHERE user_id = $1
       ), result AS (
         SELECT granted_premium OR CASE WHEN claimed_at > billed.at THEN claimed_premium ELSE billed.premium END AS premium
         FROM clerk_users, billed WHERE user_id = $1
       )
       UPDATE users SET updated_at = now(), plan = CASE WHEN result.premium THEN 'premium' ELSE 'free' END
       FROM result WHERE id = $1 AND (plan = 'premium') <> result.premium RETURNING id`,
      [userId, this.premiumPlan],
    );
    return changed > 0;
  }
}

/**
 * SQL condition: the subscription item grants the plan $2 now. A cancelled item grants it until the end of its period, an
 * item whose payment is past due until Clerk ends it.
 */
const GIVES_PLAN = `plan = $2 AND (
  status IN ('active', 'past_due') OR (status = 'canceled' AND (period_end IS NULL OR period_end > now())))`;

/** Serializes transactions of one user. An advisory lock, because the user may have no row yet. */
const lock = (transaction: Transaction, userId: string) =>
  execute(transaction, `SELECT pg_advisory_xact_lock(hashtextextended($1, 11))`, [userId]);

/** Only this hash of a deleted user's id is kept, to recognize late events and tokens of the user. */
const hashOf = (userId: string) => createHash('sha256').update(userId).digest('hex');
