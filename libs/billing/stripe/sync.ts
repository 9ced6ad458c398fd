import type Stripe from 'stripe';
import { z } from 'zod';
import { execute, queryRows, type Database } from '#libs/database/sql.js';
import { isMissing } from './client.js';
import type { StripeSubscriptions } from './subscriptions.js';

/** Maximum users, and maximum deletions, of one pass. */
const BATCH = 20;
/** Seconds for which a pass claims its rows. If the process crashes, the rows are due again afterwards. */
const CLAIM_SECONDS = 60;
const MAX_BACKOFF_SECONDS = 3_600;

/**
 * Calls Stripe in the background: deletes the customers of deleted accounts, which ends their subscriptions, and reads
 * subscriptions whose period or grace has ended. The tables say which work is due. Failed calls are retried with backoff.
 */
export class StripeSync {
  /** @param onChange called for users whose subscription or plan may have changed */
  constructor(
    private readonly database: Database,
    private readonly stripe: Pick<Stripe, 'customers'>,
    private readonly subscriptions: Pick<StripeSubscriptions, 'sync'>,
    private readonly onChange: (userId: string) => Promise<void>,
    private readonly onError: (error: Error) => void,
  ) {}

  /** Does the work that is due. Several processes may call this concurrently. */
  async pass(): Promise<void> {
    for (const { id } of await this.claim('stripe_removals', 'customer_id', 'run_after'))
      await this.attempt(
        () => this.deleteCustomer(id),
        (error) =>
          this.postpone('stripe_removals', 'customer_id', 'run_after', id, `, error = $4`, [error.message]),
      );
    for (const { id } of await this.claim('stripe_customers', 'user_id', 'check_at'))
      await this.attempt(
        () => this.check(id),
        () => this.postpone('stripe_customers', 'user_id', 'check_at', id),
      );
  }

  private async deleteCustomer(customerId: string): Promise<void> {
    await this.stripe.customers.del(customerId).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
    await execute(this.database, `DELETE FROM stripe_removals WHERE customer_id = $1`, [customerId]);
  }

  private async check(userId: string): Promise<void> {
    if ((await this.subscriptions.sync(userId)) === 'stored') await this.onChange(userId);
  }

  private async attempt(
    work: () => Promise<void>,
    onFailure: (error: Error) => Promise<void>,
  ): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.onError(error as Error);
      await onFailure(error as Error);
    }
  }

  private claim(table: 'stripe_removals' | 'stripe_customers', key: string, due: string) {
    return queryRows(
      this.database,
      z.object({ id: z.string() }),
      `UPDATE ${table} SET ${due} = now() + interval '${CLAIM_SECONDS} seconds'
       WHERE ${key} IN (
         SELECT ${key} FROM ${table} WHERE ${due} <= now() ORDER BY ${due} LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
       RETURNING ${key} AS id`,
    );
  }

  /** Schedules a retry with exponential backoff. */
  private async postpone(
    table: 'stripe_removals' | 'stripe_customers',
    key: string,
    due: string,
    id: string,
    more = '',
    values: unknown[] = [],
  ): Promise<void> {
    await execute(
      this.database,
      `UPDATE ${table} SET failures = failures + 1, ${due} = now() + interval '1 second' * (0.75 + random() / 2)
         * least($2::float8, $3::float8 ^ least(failures + 1, 20))${more} WHERE ${key} = $1`,
      [id, MAX_BACKOFF_SECONDS, 2, ...values],
    );
  }
}
