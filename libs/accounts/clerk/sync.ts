import type { DataSource } from 'typeorm';
import { row, rows } from '#libs/database/sql.js';
import { ClerkRefusal, type ClerkApi } from './api.js';
import type { ClerkProfile } from './profile.js';
import type { ClerkUsers } from './users.js';

/** Users, or removals, of one pass, and how many of them at once. */
const BATCH = 20;
const AT_ONCE = 5;
/** Seconds: a pass that was cut off is made up for after the first; a user is told of at most once in the second. */
const CLAIM_SECONDS = 60;
const PAUSE_SECONDS = 5;
const BACKOFF_AT_MOST = 3_600;
/** Milliseconds between two looks at everybody’s usage, which reads far more rows than a look at who is new. */
const LOOK_AT_ALL_EVERY = 5_000;

interface Due {
  id: string;
  usage: number;
  isRead: boolean;
  isTold: boolean;
}

/**
 * Keeps Clerk and our tables agreed, beside all requests: reads the profile of those whom we know by a token alone,
 * writes the month's usage into `free_usage`, and deletes the users of users who removed their account. What is to be
 * done is seen from the rows, so nothing is lost with a process, and many changes become one call. What fails is tried
 * again, later each time.
 */
export class ClerkSync {
  #pausedUntil = 0;
  #lookAtAllAfter = -Infinity;

  /**
   * @param onChange hears of users whose plan or profile changed
   * @param now milliseconds since 1970
   */
  constructor(
    private readonly dataSource: DataSource,
    private readonly users: ClerkUsers,
    private readonly api: ClerkApi,
    private readonly onChange: (userId: string) => Promise<void>,
    private readonly onError: (error: Error) => void,
    private readonly now: () => number = Date.now,
  ) {}

  /** Safe in any number of processes at once. */
  async pass(): Promise<void> {
    if (this.now() < this.#pausedUntil) return;
    await inGroups(await this.#claimRemovals(), (id) => this.#delete(id));
    await inGroups(await this.#claimUsers(), (user) => this.#agree(user));
    for (const id of await this.users.endOverdue()) await this.onChange(id);
  }

  async #claimRemovals(): Promise<string[]> {
    if (this.now() < this.#pausedUntil) return [];
    const claimed = await rows<{ id: string }>(
      this.dataSource,
      `UPDATE clerk_removals SET run_after = now() + interval '${CLAIM_SECONDS} seconds'
       WHERE id_hash IN (
         SELECT id_hash FROM clerk_removals WHERE user_id IS NOT NULL AND run_after <= now()
         ORDER BY run_after LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
       RETURNING user_id AS id`,
    );
    return claimed.map(({ id }) => id);
  }

  async #delete(userId: string): Promise<void> {
    const failure = await this.#try(() => this.api.deleteUser(userId));
    if (failure === 'none' || failure === 'gone') {
      await rows(this.dataSource, `UPDATE clerk_removals SET user_id = NULL WHERE user_id = $1`, [userId]);
    } else await this.#postpone('clerk_removals', 'user_id', userId, failure);
  }

  async #claimUsers(): Promise<Due[]> {
    if (this.now() < this.#pausedUntil) return [];
    const isForAll = this.now() >= this.#lookAtAllAfter;
    const claimed = await rows<Due>(
      this.dataSource,
      `WITH due AS (
         SELECT c.user_id, coalesce(b.granted - b.balance, 0) AS usage
         FROM clerk_users c
         LEFT JOIN credit_balances b ON b.user_id = c.user_id AND b.month = date_trunc('month', now() AT TIME ZONE 'UTC')::date
         WHERE c.run_after <= now()
           AND (c.profile_at IS NULL ${isForAll ? 'OR c.reported_usage IS DISTINCT FROM coalesce(b.granted - b.balance, 0)' : ''})
         ORDER BY c.run_after LIMIT ${BATCH} FOR UPDATE OF c SKIP LOCKED)
       UPDATE clerk_users c SET run_after = now() + interval '${CLAIM_SECONDS} seconds' FROM due
       WHERE c.user_id = due.user_id
       RETURNING c.user_id AS id, due.usage, c.profile_at IS NOT NULL AS "isRead",
         c.reported_usage IS NOT DISTINCT FROM due.usage AS "isTold"`,
    );
    // A full batch says that there are more, as when a month begins.
    if (isForAll && claimed.length < BATCH) this.#lookAtAllAfter = this.now() + LOOK_AT_ALL_EVERY;
    return claimed;
  }

  async #agree({ id, usage, isRead, isTold }: Due): Promise<void> {
    let toldUsage = isTold;
    const failure = await this.#try(async () => {
      if (!isRead) {
        const profile = await this.api.readUser(id);
        await this.#take(profile);
        toldUsage = profile.freeUsage === usage;
      }
      if (toldUsage) return;
      await this.#take(await this.api.tellUsage(id, usage));
      // Clerk took it: what an older version of the user says of it no longer counts.
      await rows(this.dataSource, `UPDATE clerk_users SET reported_usage = $2 WHERE user_id = $1`, [
        id,
        usage,
      ]);
    });
    if (failure === 'none') {
      await rows(
        this.dataSource,
        `UPDATE clerk_users SET failures = 0, run_after = now() + interval '${PAUSE_SECONDS} seconds' WHERE user_id = $1`,
        [id],
      );
    } else await this.#postpone('clerk_users', 'user_id', id, failure);
  }

  async #take(profile: ClerkProfile): Promise<void> {
    const changed = await this.dataSource.transaction((transaction) =>
      this.users.takeProfile(transaction, profile),
    );
    if (changed) await this.onChange(profile.userId);
  }

  async #try(call: () => Promise<void>): Promise<'none' | 'gone' | 'busy' | 'failed'> {
    try {
      await call();
      return 'none';
    } catch (error) {
      if (!(error instanceof ClerkRefusal)) throw error;
      if (error.status === 404) return 'gone';
      this.onError(error);
      if (error.status !== 429) return 'failed';
      this.#pausedUntil = this.now() + (error.retryAfterSeconds ?? PAUSE_SECONDS) * 1000;
      return 'busy';
    }
  }

  /** Being asked to wait is no failure of this user's. Whom Clerk does not know it is asked about ever more rarely. */
  async #postpone(
    table: 'clerk_users' | 'clerk_removals',
    column: string,
    id: string,
    why: 'gone' | 'busy' | 'failed',
  ): Promise<void> {
    const wait = Math.max(1, Math.ceil((this.#pausedUntil - this.now()) / 1000));
    await row(
      this.dataSource,
      why === 'busy'
        ? `UPDATE ${table} SET run_after = now() + interval '1 second' * $2::float8 WHERE ${column} = $1`
        : `UPDATE ${table} SET failures = failures + 1, run_after = now() + interval '1 second' * (0.75 + random() / 2)
             * least($2::float8, 2.0 ^ least(failures + 1, 20)) WHERE ${column} = $1`,
      [id, why === 'busy' ? wait : BACKOFF_AT_MOST],
    );
  }
}

async function inGroups<Item>(items: Item[], work: (item: Item) => Promise<void>): Promise<void> {
  for (let start = 0; start < items.length; start += AT_ONCE) {
    const outcomes = await Promise.allSettled(items.slice(start, start + AT_ONCE).map(work));
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
  }
}
