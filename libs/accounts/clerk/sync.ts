import { z } from 'zod';
import { execute, queryRows, type Database } from '#libs/database/sql.js';
import { ClerkApiError, type ClerkApi } from './api.js';
import type { ClerkProfile } from './profile.js';
import type { ClerkUsers } from './users.js';

/** Maximum users, and maximum deletions, of one pass, and the number of concurrent API calls. */
const BATCH = 20;
const CONCURRENCY = 5;
/** Seconds for which a pass claims its rows. If the process crashes, the rows are due again afterwards. */
const CLAIM_SECONDS = 60;
/** Minimum seconds between two updates of one user. */
const PAUSE_SECONDS = 5;
const MAX_BACKOFF_SECONDS = 3_600;
/** Milliseconds between scans for changed usage. They read all users, so they are less frequent than passes. */
const USAGE_SCAN_MS = 5_000;

const dueSchema = z.object({
  id: z.string(),
  usage: z.number(),
  isRead: z.boolean(),
  isReported: z.boolean(),
});
type Due = z.infer<typeof dueSchema>;

/**
 * Synchronizes Clerk and our tables in the background: reads profiles of users who are known only from a token, writes the
 * usage of this month to `free_usage`, and deletes the Clerk users of deleted accounts. The tables say which work is due, so
 * no work is lost in a crash, and several changes of a user need one call. Failed calls are retried with backoff.
 */
export class ClerkSync {
  private pausedUntil = 0;
  private scanUsageAfter = -Infinity;

  /** @param onChange called for users whose plan or profile changed */
  constructor(
    private readonly dataSource: Database,
    private readonly users: ClerkUsers,
    private readonly api: ClerkApi,
    private readonly onChange: (userId: string) => Promise<void>,
    private readonly onError: (error: Error) => void,
    private readonly now: () => number = Date.now,
  ) {}

  /** Does the work that is due. Several processes may call this concurrently. */
  async pass(): Promise<void> {
    if (this.now() < this.pausedUntil) return;
    await inGroups(await this.claimDeletions(), (id) => this.delete(id));
    await inGroups(await this.claimUsers(), (user) => this.syncUser(user));
    for (const id of await this.users.endOverdue()) await this.onChange(id);
  }

  private async claimDeletions(): Promise<string[]> {
    if (this.now() < this.pausedUntil) return [];
    const claimed = await queryRows(
      this.dataSource,
      z.object({ id: z.string() }),
      `UPDATE clerk_removals SET run_after = now() + interval '${CLAIM_SECONDS} seconds'
       WHERE id_hash IN (
         SELECT id_hash FROM clerk_removals WHERE user_id IS NOT NULL AND run_after <= now()
         ORDER BY run_after LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
       RETURNING user_id AS id`,
    );
    return claimed.map(({ id }) => id);
  }

  private async delete(userId: string): Promise<void> {
    const failure = await this.try(() => this.api.deleteUser(userId));
    if (failure === 'none' || failure === 'missing') {
      await execute(this.dataSource, `UPDATE clerk_removals SET user_id = NULL WHERE user_id = $1`, [userId]);
    } else await this.postpone('clerk_removals', 'user_id', userId, failure);
  }

  private async claimUsers(): Promise<Due[]> {
    if (this.now() < this.pausedUntil) return [];
    const scansUsage = this.now() >= this.scanUsageAfter;
    const claimed = await queryRows(
      this.dataSource,
      dueSchema,
      `WITH due AS (
         SELECT c.user_id, coalesce(b.granted - b.balance, 0) AS usage
         FROM clerk_users c
         LEFT JOIN credit_balances b ON b.user_id = c.user_id AND b.month = date_trunc('month', now() AT TIME ZONE 'UTC')::date
         WHERE c.run_after <= now()
           AND (c.profile_at IS NULL ${scansUsage ? 'OR c.reported_usage IS DISTINCT FROM coalesce(b.granted - b.balance, 0)' : ''})
         ORDER BY c.run_after LIMIT ${BATCH} FOR UPDATE OF c SKIP LOCKED)
       UPDATE clerk_users c SET run_after = now() + interval '${CLAIM_SECONDS} seconds' FROM due
       WHERE c.user_id = due.user_id
       RETURNING c.user_id AS id, due.usage, c.profile_at IS NOT NULL AS "isRead",
         c.reported_usage IS NOT DISTINCT FROM due.usage AS "isReported"`,
    );
    // If the batch is full, more users may be due, for example when a month begins, so the next pass scans again.
    if (scansUsage && claimed.length < BATCH) this.scanUsageAfter = this.now() + USAGE_SCAN_MS;
    return claimed;
  }

  private async syncUser({ id, usage, isRead, isReported }: Due): Promise<void> {
    let isUsageReported = isReported;
    const failure = await this.try(async () => {
      if (!isRead) {
        const profile = await this.api.readUser(id);
        await this.applyProfile(profile);
        isUsageReported = profile.freeUsage === usage;
      }
      if (isUsageReported) return;
      await this.applyProfile(await this.api.reportUsage(id, usage));
      // Stored again, because Clerk may have returned an older version, with another usage.
      await execute(this.dataSource, `UPDATE clerk_users SET reported_usage = $2 WHERE user_id = $1`, [
        id,
        usage,
      ]);
    });
    if (failure === 'none') {
      await execute(
        this.dataSource,
        `UPDATE clerk_users SET failures = 0, run_after = now() + interval '${PAUSE_SECONDS} seconds' WHERE user_id = $1`,
        [id],
      );
    } else await this.postpone('clerk_users', 'user_id', id, failure);
  }

  private async applyProfile(profile: ClerkProfile): Promise<void> {
    const changed = await this.dataSource.transaction((transaction) =>
      this.users.applyProfile(transaction, profile),
    );
    if (changed) await this.onChange(profile.userId);
  }

  private async try(call: () => Promise<void>): Promise<'none' | 'missing' | 'busy' | 'failed'> {
    try {
      await call();
      return 'none';
    } catch (error) {
      if (!(error instanceof ClerkApiError)) throw error;
      if (error.status === 404) return 'missing';
      this.onError(error);
      if (error.status !== 429) return 'failed';
      this.pausedUntil = this.now() + (error.retryAfterSeconds ?? PAUSE_SECONDS) * 1000;
      return 'busy';
    }
  }

  /** Schedules a retry: after a rate limit (`busy`) when the limit ends, otherwise with exponential backoff. */
  private async postpone(
    table: 'clerk_users' | 'clerk_removals',
    column: string,
    id: string,
    why: 'missing' | 'busy' | 'failed',
  ): Promise<void> {
    const wait = Math.max(1, Math.ceil((this.pausedUntil - this.now()) / 1000));
    await execute(
      this.dataSource,
      why === 'busy'
        ? `UPDATE ${table} SET run_after = now() + interval '1 second' * $2::float8 WHERE ${column} = $1`
        : `UPDATE ${table} SET failures = failures + 1, run_after = now() + interval '1 second' * (0.75 + random() / 2)
             * least($2::float8, 2.0 ^ least(failures + 1, 20)) WHERE ${column} = $1`,
      [id, why === 'busy' ? wait : MAX_BACKOFF_SECONDS],
    );
  }
}

async function inGroups<Item>(items: Item[], work: (item: Item) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += CONCURRENCY) {
    const outcomes = await Promise.allSettled(items.slice(start, start + CONCURRENCY).map(work));
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
  }
}
