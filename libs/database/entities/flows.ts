import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { FlowName } from '#libs/contract/flows.js';
import { UserEntity } from './users.js';

/** Jobs of several tools as one run. */
@Entity('flows')
@Index('flows_newest', ['userId', 'createdAt', 'id'])
@Index('flows_open', ['userId'], { where: 'ended_at IS NULL' })
@Index('flows_idempotency', ['userId', 'idempotencyKey'], {
  unique: true,
  where: 'idempotency_key IS NOT NULL',
})
export class FlowEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  @ForeignKey(() => UserEntity, { onDelete: 'CASCADE' })
  userId!: string;

  @Column('text')
  flow!: FlowName;

  /** A short text for lists. */
  @Column('text')
  title!: string;

  /** What the flow's input schema gave; empty once it has ended. */
  @Column('jsonb')
  input!: Record<string, unknown>;

  /** The keys of its stored files by their fields; empty once it has ended. */
  @Column('jsonb', { default: {} })
  files!: Record<string, string>;

  /** In which its steps were charged. */
  @Column('date', { nullable: true })
  chargeMonth!: string | null;

  @Column('text', { nullable: true })
  idempotencyKey!: string | null;

  @Column('text')
  requestHash!: string;

  /** Grows with changes that no job has. */
  @Column('integer', { default: 0 })
  revision!: number;

  /** In milliseconds, for cursors. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'clock_timestamp()' })
  createdAt!: Date;

  /** Once no step starts any more. */
  @Column('timestamptz', { nullable: true })
  endedAt!: Date | null;

  /** Whether its user ended it. */
  @Column('boolean', { default: false })
  cancelled!: boolean;
}

@Entity('flow_steps')
@Check('flow_steps_n_check', 'n > 0')
@Check('flow_steps_credits_check', 'credits >= 0')
export class FlowStepEntity {
  @PrimaryColumn('uuid')
  @ForeignKey(() => FlowEntity, { onDelete: 'CASCADE' })
  flowId!: string;

  @PrimaryColumn('integer')
  n!: number;

  @Column('text')
  tool!: string;

  /** The step from whose result it starts; null where it starts with the flow. */
  @Column('integer', { nullable: true })
  needs!: number | null;

  /** Its latest job, or the one that it will have once it starts. Its charge names that job from the beginning. */
  @Column('uuid', { unique: true })
  jobId!: string;

  /** Charged when the flow was made. */
  @Column('integer', { default: 0 })
  credits!: number;

  /** Whether its job was made. */
  @Column('boolean', { default: false })
  started!: boolean;

  @Column('boolean', { default: false })
  leftOut!: boolean;

  /** Why it does not start yet, or was left out. */
  @Column('text', { nullable: true })
  note!: string | null;
}
