import { randomUUID } from 'node:crypto';
import type Stripe from 'stripe';
import { z } from 'zod';
import { lockUserIfPresent } from '#libs/accounts/lock-user.js';
import type { StripeConfig } from '#libs/config/stripe.js';
import { execute, queryRow, queryRows, type Database, type Transaction } from '#libs/database/sql.js';
import { isMissing } from './client.js';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;
/** Time that Stripe has for the event about the end of a period, before a worker reads the subscription. */
const EVENT_DELAY_MS = HOUR;

/** Subscriptions with these statuses have ended, or never began. */
const ENDED: readonly Stripe.Subscription.Status[] = ['canceled', 'incomplete', 'incomplete_expired'];

/** `outdated`: a later request has already stored its result. `unknown`: the user was deleted. */
export type SyncOutcome = 'stored' | 'outdated' | 'unknown';

/** The plan that a user's subscriptions grant now. */
interface Entitlement {
  isPremium: boolean;
  graceUntil: Date | null;
  checkAt: Date | null;
  /** Subscription and status that decided. */
  note: string | null;
}

/**
 * Stores Stripe's subscriptions of users, and sets the plan that they grant. Each call reads the current state from Stripe,
 * so events may arrive late, repeatedly and in any order.
 */
export class StripeSubscriptions {
  constructor(
    private readonly database: Database,
    private readonly stripe: Stripe,
    private readonly config: Pick<StripeConfig, 'priceId' | 'graceDays'>,
    private readonly now: () => number = Date.now,
  ) {}

  /** The users who are this customer, or have opened a checkout as this customer. */
  async usersOf(customerId: string): Promise<string[]> {
    const users = await queryRows(
      this.database,
      z.object({ id: z.string() }),
      `SELECT "referenceId" AS id FROM auth_subscriptions WHERE "stripeCustomerId" = $1
       UNION SELECT "id" FROM auth_users WHERE "stripeCustomerId" = $1`,
      [customerId],
    );
    return users.map(({ id }) => id);
  }

  /**
   * Creates a customer at Stripe for a user who has none. Of calls at once, one stores its customer, and a worker deletes the
   * others, as it does if the user was deleted meanwhile.
   * @returns the user's customer, or null if the user was deleted
   * @throws StripeError
   */
  async ensureCustomer(userId: string): Promise<string | null> {
    const user = await queryRow(
      this.database,
      z.object({ name: z.string(), email: z.string(), customerId: z.string().nullable() }),
      `SELECT "name", "email", "stripeCustomerId" AS "customerId" FROM auth_users WHERE "id" = $1`,
      [userId],
    );
    if (!user || user.customerId !== null) return user?.customerId ?? null;
    const { name, email } = user;
    const { id } = await this.stripe.customers.create({
      name,
      email,
      metadata: { userId, customerType: 'user' },
    });
    const stored = await queryRow(
      this.database,
      z.object({ customerId: z.string() }),
      `WITH stored AS (
         UPDATE auth_users SET "stripeCustomerId" = coalesce("stripeCustomerId", $2) WHERE "id" = $1
         RETURNING "stripeCustomerId" AS "customerId"
       ), unused AS (
         INSERT INTO stripe_removals (customer_id) SELECT $2 WHERE NOT EXISTS (SELECT FROM stored WHERE "customerId" = $2)
       )
       SELECT "customerId" FROM stored`,
      [userId, id],
    );
    return stored?.customerId ?? null;
  }

  /** Reads the user's subscriptions from Stripe, and stores them and the plan in one transaction. @throws StripeError */
  async sync(userId: string): Promise<SyncOutcome> {
    const user = await queryRow(
      this.database,
      z.object({ customerId: z.string().nullable(), readAt: z.string() }),
      `SELECT "stripeCustomerId" AS "customerId", clock_timestamp()::text AS "readAt" FROM auth_users WHERE "id" = $1`,
      [userId],
    );
    if (!user) return 'unknown';
    const { customerId, readAt } = user;
    if (customerId === null) return 'stored';
    const subscriptions = await this.read(userId, customerId);
    return this.database.transaction((transaction) =>
      this.store(transaction, { userId, customerId, readAt, subscriptions }),
    );
  }

  /** @returns null if the customer was deleted at Stripe */
  private async read(userId: string, customer: string): Promise<Stripe.Subscription[] | null> {
    try {
      const { data } = await this.stripe.subscriptions.list({ customer, status: 'all', limit: 100 });
      const isOver = data.every(({ status }) => ENDED.includes(status));
      if (isOver && (await this.stripe.customers.retrieve(customer)).deleted) return null;
      return data.filter(({ metadata, items }) =>
        metadata.referenceId === undefined
          ? items.data.some(({ price }) => price.id === this.config.priceId)
          : metadata.referenceId === userId,
      );
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  private async store(
    transaction: Transaction,
    state: {
      userId: string;
      customerId: string;
      readAt: string;
      subscriptions: Stripe.Subscription[] | null;
    },
  ): Promise<SyncOutcome> {
    const { userId, customerId, readAt, subscriptions } = state;
    if (!(await lockOrCreateUser(transaction, userId))) return 'unknown';
    const before = await queryRow(
      transaction,
      z.object({ isPremium: z.boolean() }),
      `INSERT INTO stripe_customers AS stored (user_id, read_at) VALUES ($1, $2)
       ON CONFLICT (user_id) DO UPDATE SET read_at = excluded.read_at, failures = 0
       WHERE stored.read_at IS NULL OR stored.read_at <= excluded.read_at
       RETURNING is_premium AS "isPremium"`,
      [userId, readAt],
    );
    if (!before) return 'outdated';
    if (subscriptions === null) await forgetCustomer(transaction, userId, customerId);
    for (const one of subscriptions ?? []) await storeSubscription(transaction, userId, customerId, one);
    const entitlement = this.entitlement(subscriptions ?? []);
    const { isPremium, graceUntil, checkAt, note } = entitlement;
    await execute(
      transaction,
      `UPDATE stripe_customers SET is_premium = $2, grace_until = $3, check_at = $4 WHERE user_id = $1`,
      [userId, isPremium, graceUntil, checkAt],
    );
    // A plan that an operator has set stays until a subscription begins or ends.
    if (isPremium !== before.isPremium)
      await execute(
        transaction,
        `WITH changed AS (
           UPDATE users SET plan = $2, updated_at = now() WHERE id = $1 AND plan <> $2 RETURNING id, plan)
         INSERT INTO plan_changes (user_id, plan, source, note) SELECT id, plan, 'stripe', $3 FROM changed`,
        [userId, isPremium ? 'premium' : 'free', note],
      );
    return 'stored';
  }

  private entitlement(subscriptions: Stripe.Subscription[]): Entitlement {
    const current = subscriptions.filter(({ status }) => !ENDED.includes(status));
    const states = current.map((subscription) => this.stateOf(subscription));
    const best = states.find(({ isPremium }) => isPremium) ?? states[0];
    const last = subscriptions[0];
    return best ?? { isPremium: false, graceUntil: null, checkAt: null, note: last ? noteOf(last) : null };
  }

  /** A failed payment ends the plan some days after the beginning of the period that it was for. */
  private stateOf(subscription: Stripe.Subscription): Entitlement {
    const { status } = subscription;
    const { start, end } = periodOf(subscription);
    const note = noteOf(subscription);
    if (status === 'active' || status === 'trialing') {
      const checkAt = new Date(Math.max(end.getTime(), this.now()) + EVENT_DELAY_MS);
      return { isPremium: true, graceUntil: null, checkAt, note };
    }
    const graceUntil = new Date(start.getTime() + this.config.graceDays * DAY);
    if (status === 'past_due' && graceUntil.getTime() > this.now())
      return { isPremium: true, graceUntil, checkAt: graceUntil, note };
    return { isPremium: false, graceUntil: null, checkAt: new Date(this.now() + DAY), note };
  }
}

const noteOf = ({ id, status }: Stripe.Subscription) => `${id} ${status}`;

const toDate = (seconds: number | null) => (seconds === null ? null : new Date(seconds * SECOND));

function periodOf({ items, start_date }: Stripe.Subscription): { start: Date; end: Date } {
  const [item] = items.data;
  return {
    start: new Date((item?.current_period_start ?? start_date) * SECOND),
    end: new Date((item?.current_period_end ?? start_date) * SECOND),
  };
}

/** Locks the user before the rows of the account, in the order of the deletion of a user. */
async function lockOrCreateUser(transaction: Transaction, userId: string): Promise<boolean> {
  if (await lockUserIfPresent(transaction, userId)) return true;
  // The user has signed in, but has not yet called the API.
  const created = await execute(
    transaction,
    `INSERT INTO users (id, name, email, image_url)
     SELECT "id", "name", "email", "image" FROM auth_users WHERE "id" = $1 FOR KEY SHARE
     ON CONFLICT (id) DO UPDATE SET email = excluded.email`,
    [userId],
  );
  return created > 0;
}

/** Stores a subscription in the row that its checkout created, or in a new row. */
async function storeSubscription(
  transaction: Transaction,
  userId: string,
  customerId: string,
  subscription: Stripe.Subscription,
): Promise<void> {
  const { start, end } = periodOf(subscription);
  const values = [
    subscription.id,
    userId,
    customerId,
    subscription.status,
    start,
    end,
    toDate(subscription.trial_start),
    toDate(subscription.trial_end),
    subscription.cancel_at_period_end,
    toDate(subscription.cancel_at),
    toDate(subscription.canceled_at),
    toDate(subscription.ended_at),
    subscription.items.data[0]?.price.recurring?.interval ?? null,
  ];
  const updated = await execute(
    transaction,
    `UPDATE auth_subscriptions SET "stripeSubscriptionId" = $1, "stripeCustomerId" = $3, "status" = $4, "periodStart" = $5,
       "periodEnd" = $6, "trialStart" = $7, "trialEnd" = $8, "cancelAtPeriodEnd" = $9, "cancelAt" = $10, "canceledAt" = $11,
       "endedAt" = $12, "billingInterval" = $13, "updatedAt" = now()
     WHERE "id" = (
       SELECT "id" FROM auth_subscriptions
       WHERE "referenceId" = $2 AND ("stripeSubscriptionId" = $1 OR ("id" = $14 AND "stripeSubscriptionId" IS NULL))
       ORDER BY "stripeSubscriptionId" NULLS LAST LIMIT 1)`,
    [...values, subscription.metadata.subscriptionId ?? null],
  );
  if (updated > 0) return;
  await execute(
    transaction,
    `INSERT INTO auth_subscriptions ("stripeSubscriptionId", "referenceId", "stripeCustomerId", "status", "periodStart",
       "periodEnd", "trialStart", "trialEnd", "cancelAtPeriodEnd", "cancelAt", "canceledAt", "endedAt", "billingInterval",
       "id", "plan")
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, 'premium')
     ON CONFLICT ("stripeSubscriptionId") DO NOTHING`,
    [...values, randomUUID()],
  );
}

/** The next checkout creates a new customer. */
async function forgetCustomer(transaction: Transaction, userId: string, customerId: string): Promise<void> {
  await execute(
    transaction,
    `UPDATE auth_users SET "stripeCustomerId" = NULL WHERE "id" = $1 AND "stripeCustomerId" = $2`,
    [userId, customerId],
  );
  await execute(
    transaction,
    `UPDATE auth_subscriptions SET "status" = 'canceled', "endedAt" = coalesce("endedAt", now()), "updatedAt" = now()
     WHERE "referenceId" = $1 AND "stripeCustomerId" = $2`,
    [userId, customerId],
  );
}
