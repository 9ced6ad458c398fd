import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { ModerationCause, ModerationState, ReportReason } from '#libs/contract/moderation.js';
import { CreationEntity } from './creations.js';
import { UserEntity } from './users.js';

/** The last decision about the publication of a creation. A creation that was published without a check has none. */
@Entity('creation_moderations')
@Check('creation_moderations_state', `state IN ('approved', 'waiting', 'refused', 'hidden')`)
@Index('creation_moderations_waiting', ['changedAt'], { where: `state = 'waiting'` })
@Index('creation_moderations_appeals', ['appealedAt'], {
  where: 'appealed_at IS NOT NULL AND answered_at IS NULL',
})
@Index('creation_moderations_notices', ['changedAt'], { where: 'is_notice_due' })
export class CreationModerationEntity {
  @PrimaryColumn('uuid')
  @ForeignKey(() => CreationEntity, { onDelete: 'CASCADE' })
  creationId!: string;

  /** Only an approved creation is published. */
  @Column('text')
  state!: ModerationState | 'approved';

  @Column('text')
  cause!: ModerationCause;

  /** More about the cause, for the owner. */
  @Column('text', { nullable: true })
  reason!: string | null;

  /** Whether its owner wants it to be public, so that an approval publishes it. */
  @Column('boolean')
  isWanted!: boolean;

  /** Hash of the picture, caption and name that the decision is about. */
  @Column('text')
  contentHash!: string;

  /** What the owner answered to the decision. */
  @Column('text', { nullable: true })
  appeal!: string | null;

  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  appealedAt!: Date | null;

  /** When an operator decided after the appeal. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  answeredAt!: Date | null;

  /** True until the worker has sent the owner a mail about the decision. */
  @Column('boolean', { default: false })
  isNoticeDue!: boolean;

  /** When the mail is sent again. Null before the first attempt. */
  @Column('timestamptz', { nullable: true })
  noticeAfter!: Date | null;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  changedAt!: Date;
}

/** A report of a published picture. A user has one for each picture, which also hides the picture from this user. */
@Entity('creation_reports')
@Index('creation_reports_user', ['userId', 'createdAt'])
@Index('creation_reports_open', ['creationId'], { where: 'closed_at IS NULL' })
export class CreationReportEntity {
  @PrimaryColumn('uuid')
  @ForeignKey(() => CreationEntity, { onDelete: 'CASCADE' })
  creationId!: string;

  @PrimaryColumn('text')
  @ForeignKey(() => UserEntity, { onDelete: 'CASCADE' })
  userId!: string;

  @Column('text')
  reason!: ReportReason;

  @Column('text', { default: '' })
  words!: string;

  /** Whether it counts for hiding the picture. Reports of new and of unconfirmed accounts are only shown to operators. */
  @Column('boolean')
  counts!: boolean;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  /** When an operator decided about it. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true })
  closedAt!: Date | null;
}
