import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { UserEntity } from './users.js';

/** What Clerk says about a user. */
@Entity('clerk_users')
@Index('clerk_users_unread', ['runAfter'], { where: 'profile_at IS NULL' })
export class ClerkUserEntity {
  @PrimaryColumn('text')
  @ForeignKey(() => UserEntity, { onDelete: 'CASCADE' })
  userId!: string;

  /** When Clerk made the newest profile and metadata taken over; null: not read yet. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  profileAt!: Date | null;

  /** The plan by the newest token. It counts while no billing event is newer. */
  @Column('boolean', { default: false })
  claimedPremium!: boolean;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  claimedAt!: Date | null;

  /** The plan in the private metadata. */
  @Column('boolean', { default: false })
  grantedPremium!: boolean;

  /** The role in the public metadata. */
  @Column('boolean', { default: false })
  grantedAdmin!: boolean;

  /** `free_usage` as Clerk has it. */
  @Column('integer', { nullable: true })
  reportedUsage!: number | null;

  /** When Clerk may be asked again about this user. */
  @Column('timestamptz', { default: () => 'now()' })
  runAfter!: Date;

  /** Calls about this user that failed in a row. */
  @Column('integer', { default: 0 })
  failures!: number;
}

@Entity('clerk_subscription_items')
@Index('clerk_subscription_items_user', ['userId'])
export class ClerkSubscriptionItemEntity {
  @PrimaryColumn('text')
  id!: string;

  @Column('text')
  @ForeignKey(() => UserEntity, { onDelete: 'CASCADE' })
  userId!: string;

  @Column('text')
  plan!: string;

  @Column('text')
  status!: string;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  periodEnd!: Date | null;

  @Column({ type: 'timestamptz', precision: 3 })
  changedAt!: Date;
}

/** A delivery that was processed, by its svix-id. */
@Entity('clerk_events')
@Index('clerk_events_age', ['receivedAt'])
export class ClerkEventEntity {
  @PrimaryColumn('text')
  id!: string;

  @Column('timestamptz', { default: () => 'now()' })
  receivedAt!: Date;
}

/** A deleted user: a late event or token must not create the row again. */
@Entity('clerk_removals')
export class ClerkRemovalEntity {
  @PrimaryColumn('text')
  idHash!: string;

  /** Null once Clerk has deleted its user too. */
  @Column('text', { nullable: true })
  userId!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  removedAt!: Date;

  @Column('timestamptz', { default: () => 'now()' })
  runAfter!: Date;

  @Column('integer', { default: 0 })
  failures!: number;
}
