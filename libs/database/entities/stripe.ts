import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import type { Plan } from '#libs/contract/account.js';
import { boolean, id, integer, now, optional, table, text, time, userId } from './better-auth-table.js';
import { OwnedRow } from './owned-row.js';
import { UserEntity } from './users.js';

/** A Stripe subscription. Table of `@better-auth/stripe`, with the column names that it requires. */
export const AuthSubscriptionEntity = table(
  'auth_subscriptions',
  {
    id,
    plan: text,
    /** The user's id. */
    referenceId: userId,
    stripeCustomerId: optional(text),
    /** Null until the user completes the checkout. */
    stripeSubscriptionId: optional({ ...text, unique: true }),
    status: { ...text, default: 'incomplete' },
    periodStart: optional(time),
    periodEnd: optional(time),
    trialStart: optional(time),
    trialEnd: optional(time),
    cancelAtPeriodEnd: optional({ ...boolean, default: false }),
    cancelAt: optional(time),
    canceledAt: optional(time),
    endedAt: optional(time),
    seats: optional(integer),
    billingInterval: optional(text),
    stripeScheduleId: optional(text),
    createdAt: now,
    updatedAt: now,
  },
  ['referenceId', 'stripeCustomerId'],
);

/** What Stripe says about a user who has opened a checkout. */
@Entity('stripe_customers')
@Index('stripe_customers_due', ['checkAt'], { where: 'check_at IS NOT NULL' })
export class StripeCustomerEntity {
  @PrimaryColumn('text')
  @ForeignKey(() => UserEntity, { onDelete: 'CASCADE' })
  userId!: string;

  /** True if a subscription grants the premium plan. */
  @Column('boolean', { default: false })
  isPremium!: boolean;

  /** End of the premium plan if a failed payment is not made up for. */
  @Column('timestamptz', { nullable: true })
  graceUntil!: Date | null;

  /** Start of the request to Stripe that read the stored state. Results of earlier requests are dropped. */
  @Column('timestamptz', { nullable: true })
  readAt!: Date | null;

  /** Time at which a worker reads the subscriptions again, also if no event arrives. */
  @Column('timestamptz', { nullable: true })
  checkAt!: Date | null;

  /** Number of consecutive failed calls to Stripe about this user. */
  @Column('integer', { default: 0 })
  failures!: number;
}

/** A change of a user's plan. */
@Entity('plan_changes')
@Check('plan_changes_plan', `plan IN ('free', 'premium')`)
@Check('plan_changes_source', `source IN ('stripe', 'user', 'operator')`)
@Index('plan_changes_user', ['userId', 'id'])
export class PlanChangeEntity extends OwnedRow {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  /** The plan after the change. */
  @Column('text')
  plan!: Plan;

  @Column('text')
  source!: 'stripe' | 'user' | 'operator';

  /** Id and status of the Stripe subscription that decided. */
  @Column('text', { nullable: true })
  note!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}

/** A Stripe customer whose account was deleted here. A worker deletes it at Stripe, which ends its subscriptions. */
@Entity('stripe_removals')
export class StripeRemovalEntity {
  @PrimaryColumn('text')
  customerId!: string;

  @Column('timestamptz', { default: () => 'now()' })
  runAfter!: Date;

  @Column('integer', { default: 0 })
  failures!: number;

  /** Why the last attempt failed. */
  @Column('text', { nullable: true })
  error!: string | null;
}
