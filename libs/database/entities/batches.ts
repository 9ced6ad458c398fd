import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { BatchTool } from '#libs/contract/batches.js';
import { OwnedEntity } from './owned-row.js';

/** Several pictures for one tool. Each picture becomes a job when it is uploaded. */
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

  /** Parsed input of the tool, the same for all pictures. */
  @Column('jsonb')
  input!: Record<string, unknown>;

  /** Random part of the link to the ZIP of the results. */
  @Column('text', { unique: true })
  zipKey!: string;

  /** Price of each picture, charged when the batch was created. */
  @Column('integer', { default: 0 })
  credits!: number;

  @Column('date', { nullable: true })
  chargeMonth!: string | null;

  @Column('text', { nullable: true })
  idempotencyKey!: string | null;

  @Column('text')
  requestHash!: string;

  /** Grows with changes of the batch itself, not of its jobs. */
  @Column('integer', { default: 0 })
  revision!: number;

  /** Precise to milliseconds, for cursors. */
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

  /** The caller's own id. */
  @Column('text')
  clientId!: string;

  @Column('text')
  name!: string;

  @Column('integer')
  bytes!: number;

  /** Newest job, or the reserved id of the first job. The charge names that id from the beginning. */
  @Column('uuid', { unique: true })
  jobId!: string;

  /** True once the job exists. */
  @Column('boolean', { default: false })
  sent!: boolean;

  @Column('boolean', { default: false })
  leftOut!: boolean;
}
