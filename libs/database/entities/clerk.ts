import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { OwnedRow } from './owned-row.js';
import { UserEntity } from './users.js';

/** What Clerk reported about a user. */
@Entity('clerk_users')
@Index('clerk_users_unread', ['runAfter'], { where: 'profile_at IS NULL' })
export class ClerkUserEntity {
  @PrimaryColumn('text')
  @ForeignKey(() => UserEntity, { onDelete: 'CASCADE' })
  userId!: string;

  /** Clerk's timestamp of the newest profile and metadata. Null before the first read. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  profileAt!: Date | null;

  /** True if the newest token names the premium plan. Applies unless a billing event is newer. */
  @Column('boolean', { default: false })
  claimedPremium!: boolean;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  claimedAt!: Date | null;

  /** True if the private metadata grants premium. */
  @Column('boolean', { default: false })
  grantedPremium!: boolean;

  /** True if the public metadata grants the admin role. */
  @Column('boolean', { default: false })
  grantedAdmin!: boolean;

  /** Value of `free_usage` in Clerk's metadata. */
  @Column('integer', { nullable: true })
  reportedUsage!: number | null;

  /** Earliest time of the next call to Clerk about this user. */
  @Column('timestamptz', { default: () => 'now()' })
  runAfter!: Date;

  /** Number of consecutive failed calls to Clerk about this user. */
  @Column('integer', { default: 0 })
  failures!: number;
}

@Entity('clerk_subscription_items')
@Index('clerk_subscription_items_user', ['userId'])
export class ClerkSubscriptionItemEntity extends OwnedRow {
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  plan!: string;

  @Column('text')
  status!: string;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  periodEnd!: Date | null;

  @Column({ type: 'timestamptz', precision: 3 })
  changedAt!: Date;
}

/** A processed webhook delivery. Its id is the header `svix-id`. */
@Entity('clerk_events')
@Index('clerk_events_age', ['receivedAt'])
export class ClerkEventEntity {
  @PrimaryColumn('text')
  id!: string;

  @Column('timestamptz', { default: () => 'now()' })
  receivedAt!: Date;
}

/** A deleted user. Prevents late events or tokens from creating the user again. */
@Entity('clerk_removals')
export class ClerkRemovalEntity {
  @PrimaryColumn('text')
  idHash!: string;

  /** Null once the user is deleted at Clerk too. */
  @Column('text', { nullable: true })
  userId!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  removedAt!: Date;

  @Column('timestamptz', { default: () => 'now()' })
  runAfter!: Date;

  @Column('integer', { default: 0 })
  failures!: number;
}
