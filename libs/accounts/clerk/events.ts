import { z } from 'zod';
import { execute, type Database, type Transaction } from '#libs/database/sql.js';
import { clerkUserSchema, toProfile } from './profile.js';
import type { ClerkUsers, SubscriptionItem } from './users.js';

export interface ClerkEvent {
  /** The `svix-id` header, the same for every delivery of an event. */
  id: string;
  type: string;
  data: unknown;
  /** Time of Clerk's first delivery, in milliseconds since 1970; null if the event has none. */
  timestamp: number | null;
}

/**
 * Result of processing an event. `changed`: the user whose open pages must be updated, or null. `repeated`: the event was
 * processed before. `ignored`: the event is invalid, or of a type that we do not use.
 */
export type Outcome = { kind: 'done'; changed: string | null } | { kind: 'repeated' } | { kind: 'ignored' };

const payerSchema = z.object({ user_id: z.string().min(1).nullish() });
const itemSchema = z.object({
  id: z.string().min(1),
  status: z.string().nullish(),
  plan: z.object({ slug: z.string() }).nullish(),
  period_end: z.number().nullish(),
  updated_at: z.number().nullish(),
  payer: payerSchema.nullish(),
});
const subscriptionSchema = z.object({
  payer: payerSchema.nullish(),
  items: z.array(itemSchema).nullish(),
  updated_at: z.number().nullish(),
});
type Item = z.infer<typeof itemSchema>;

/** The status that a `subscriptionItem.…` event sets, by the last part of its type. Other events have it in their data. */
const statusOf: Record<string, string> = {
  active: 'active',
  canceled: 'canceled',
  upcoming: 'upcoming',
  ended: 'ended',
  abandoned: 'abandoned',
  incomplete: 'incomplete',
  pastDue: 'past_due',
};

/**
 * Applies Clerk's events, exactly once and in any order. An event's id is stored in the same transaction as its changes, so
 * a failed event is not recorded and Clerk's next delivery applies it.
 */
export class ClerkEvents {
  /** @param deleteAccount deletes a user with all data. Must call `before` first in its transaction */
  constructor(
    private readonly dataSource: Database,
    private readonly users: ClerkUsers,
    private readonly deleteAccount: (
      userId: string,
      before: (transaction: Transaction) => Promise<void>,
    ) => Promise<void>,
  ) {}

  async process(event: ClerkEvent): Promise<Outcome> {
    const { type, data } = event;
    if (type === 'user.deleted') return this.applyDeletion(event);
    if (type === 'user.created' || type === 'user.updated') {
      const user = clerkUserSchema.safeParse(data);
      if (!user.success) return { kind: 'ignored' };
      const profile = toProfile(user.data, event.timestamp ?? user.data.updated_at ?? 0);
      return this.once(event.id, profile.userId, (transaction) =>
        this.users.applyProfile(transaction, profile),
      );
    }
    if (type.startsWith('subscriptionItem.')) {
      const item = itemSchema.safeParse(data);
      return item.success
        ? this.applyItems(event, item.data.payer, [item.data], item.data.updated_at)
        : { kind: 'ignored' };
    }
    if (type.startsWith('subscription.')) {
      const subscription = subscriptionSchema.safeParse(data);
      if (!subscription.success) return { kind: 'ignored' };
      const { payer, items, updated_at } = subscription.data;
      return this.applyItems(event, payer, items ?? [], updated_at);
    }
    return { kind: 'ignored' };
  }

  private async applyItems(
    event: ClerkEvent,
    payer: Item['payer'],
    items: Item[],
    updatedAt: number | null | undefined,
  ): Promise<Outcome> {
    const userId = payer?.user_id ?? items.find((item) => item.payer?.user_id)?.payer?.user_id;
    // Without a user, the subscription is an organization's, which does not change any user's plan.
    if (!userId) return { kind: 'ignored' };
    const [family, name = ''] = event.type.split('.');
    const statusFromName = family === 'subscriptionItem' ? statusOf[name] : undefined;
    const subscribed = items.flatMap(({ id, plan, status, period_end }): SubscriptionItem[] =>
      plan && (statusFromName ?? status)
        ? [{ id, plan: plan.slug, status: statusFromName ?? status ?? '', periodEnd: period_end ?? null }]
        : [],
    );
    const at = event.timestamp ?? updatedAt ?? 0;
    return this.once(event.id, userId, (transaction) =>
      this.users.applyItems(transaction, userId, subscribed, at),
    );
  }

  private async applyDeletion({ id, data }: ClerkEvent): Promise<Outcome> {
    const user = z.object({ id: z.string().min(1) }).safeParse(data);
    if (!user.success) return { kind: 'ignored' };
    let isNew = false;
    await this.deleteAccount(user.data.id, async (transaction) => {
      isNew = await recordEvent(transaction, id);
      await this.users.recordDeletion(transaction, user.data.id, false);
    });
    return isNew ? { kind: 'done', changed: null } : { kind: 'repeated' };
  }

  private async once(
    id: string,
    userId: string,
    work: (transaction: Transaction) => Promise<boolean>,
  ): Promise<Outcome> {
    return this.dataSource.transaction(async (transaction) => {
      if (!(await recordEvent(transaction, id))) return { kind: 'repeated' };
      return { kind: 'done', changed: (await work(transaction)) ? userId : null };
    });
  }
}

/**
 * Records an event as processed.
 * @returns false if it was processed before. A simultaneous delivery waits here until the other transaction ends.
 */
const recordEvent = async (transaction: Transaction, id: string) =>
  (await execute(transaction, `INSERT INTO clerk_events (id) VALUES ($1) ON CONFLICT DO NOTHING`, [id])) > 0;
