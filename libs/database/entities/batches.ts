import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { BatchTool } from '#libs/contract/batches.js';
import { OwnedEntity } from './owned-row.js';

/** A batch: several pictures for one tool. Each picture gets a job when it is uploaded. */
@Entity('batches')
@Check('batches_credits_check', 'credits >= 0')
@Check('batches_check', 'credits = 0 OR charge_month IS NOT NULL')
@Index('batches_newest', ['userId', 'createdAt', 'id'])
@Index('batches_idempotency', ['userId', 'idempotencyKey'], {
  unique: true,
  where: 'idempotency_key IS NOT NULL',
})
export class BatchEntity extends OwnedEntity {
  @Column('text')
  tool!: BatchTool;

  /** Parsed input of the tool, shared by all pictures. */
  @Column('jsonb')
  input!: Record<string, unknown>;

  /** Secret part of the ZIP download link. */
  @Column('text', { unique: true })
  zipKey!: string;

  /** Price per picture, charged when the batch was created. */
  @Column('integer', { default: 0 })
  credits!: number;

  /** Price per picture at the creation, also if it was not charged. Null for batches of earlier versions. */
  @Column('integer', { nullable: true })
  price!: number | null;

  @Column('date', { nullable: true })
  chargeMonth!: string | null;

  @Column('text', { nullable: true })
  idempotencyKey!: string | null;

  @Column('text')
  requestHash!: string;

  /** Increases when the batch itself changes, not when its jobs change. */
  @Column('integer', { default: 0 })
  revision!: number;

  /** Millisecond precision, since cursors contain JavaScript dates. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'clock_timestamp()' })
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  cancelledAt!: Date | null;
}

@Entity('batch_items')
@Check('batch_items_n_check', 'n > 0')
export class BatchItemEntity {
  @PrimaryColumn('uuid')
  @ForeignKey(() => BatchEntity, { onDelete: 'CASCADE' })
  batchId!: string;

  @PrimaryColumn('integer')
  n!: number;

  /** Id of the picture chosen by the client. */
  @Column('text')
  clientId!: string;

  @Column('text')
  name!: string;

  @Column('integer')
  bytes!: number;

  /** Id of the newest job, or the id reserved for the first job. The charge uses the reserved id from the start. */
  @Column('uuid', { unique: true })
  jobId!: string;

  /** True once the job exists. */
  @Column('boolean', { default: false })
  sent!: boolean;

  @Column('boolean', { default: false })
  leftOut!: boolean;
}
