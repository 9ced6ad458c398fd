import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { FlowName } from '#libs/contract/flows.js';
import { OwnedEntity } from './owned-row.js';

/** A run of several tools, one job for each step. */
@Entity('flows')
@Index('flows_newest', ['userId', 'createdAt', 'id'])
@Index('flows_open', ['userId'], { where: 'ended_at IS NULL' })
@Index('flows_idempotency', ['userId', 'idempotencyKey'], {
  unique: true,
  where: 'idempotency_key IS NOT NULL',
})
export class FlowEntity extends OwnedEntity {
  @Column('text')
  flow!: FlowName;

  /** A short text for lists. */
  @Column('text')
  title!: string;

  /** Parsed input of the flow; empty once the flow has ended. */
  @Column('jsonb')
  input!: Record<string, unknown>;

  /** Object keys of the flow's files, by field; empty once the flow has ended. */
  @Column('jsonb', { default: {} })
  files!: Record<string, string>;

  /** Month in which the steps were charged. */
  @Column('date', { nullable: true })
  chargeMonth!: string | null;

  @Column('text', { nullable: true })
  idempotencyKey!: string | null;

  @Column('text')
  requestHash!: string;

  /** Grows with changes of the flow itself, not of its jobs. */
  @Column('integer', { default: 0 })
  revision!: number;

  /** Precise to milliseconds, for cursors. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'clock_timestamp()' })
  createdAt!: Date;

  /** Set once no further step will start. */
  @Column('timestamptz', { nullable: true })
  endedAt!: Date | null;

  /** True if the user cancelled the flow. */
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

  /** Number of the step whose result this step needs; null for steps that start at once. */
  @Column('integer', { nullable: true })
  needs!: number | null;

  /** Newest job, or the reserved id of the first job. The charge names that id from the beginning. */
  @Column('uuid', { unique: true })
  jobId!: string;

  /** Charged when the flow was created. */
  @Column('integer', { default: 0 })
  credits!: number;

  /** True once the job exists. */
  @Column('boolean', { default: false })
  started!: boolean;

  @Column('boolean', { default: false })
  leftOut!: boolean;

  /** Reason why the step waits or was left out. */
  @Column('text', { nullable: true })
  note!: string | null;
}
