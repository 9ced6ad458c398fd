import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { FlowName } from '#libs/contract/flows.js';
import { OwnedEntity } from './owned-row.js';

/** A flow: several tools run one after another, with one job per step. */
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

  /** Short text shown in lists. */
  @Column('text')
  title!: string;

  /** Parsed input of the flow. Deleted when the flow ends. */
  @Column('jsonb')
  input!: Record<string, unknown>;

  /** Object keys of the flow's files, by input field. Deleted when the flow ends. */
  @Column('jsonb', { default: {} })
  files!: Record<string, string>;

  /** Month in which the steps were charged. */
  @Column('date', { nullable: true })
  chargeMonth!: string | null;

  @Column('text', { nullable: true })
  idempotencyKey!: string | null;

  @Column('text')
  requestHash!: string;

  /** Increases when the flow itself changes, not when its jobs change. */
  @Column('integer', { default: 0 })
  revision!: number;

  /** Millisecond precision, since cursors contain JavaScript dates. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'clock_timestamp()' })
  createdAt!: Date;

  /** Set when no more steps will start. */
  @Column('timestamptz', { nullable: true })
  endedAt!: Date | null;

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

  /** Number of the step whose result this step needs. Null if the step needs none. */
  @Column('integer', { nullable: true })
  needs!: number | null;

  /** Id of the newest job, or the id reserved for the first job. The charge uses the reserved id from the start. */
  @Column('uuid', { unique: true })
  jobId!: string;

  /** Price of the step, charged when the flow was created. */
  @Column('integer', { default: 0 })
  credits!: number;

  /** Price of the step at the creation, also if it was not charged. Null for flows of earlier versions. */
  @Column('integer', { nullable: true })
  price!: number | null;

  /** True once the job exists. */
  @Column('boolean', { default: false })
  started!: boolean;

  @Column('boolean', { default: false })
  leftOut!: boolean;

  /** Explains to the user why the step waits or was left out. */
  @Column('text', { nullable: true })
  note!: string | null;
}
