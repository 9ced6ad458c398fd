import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { BatchTool } from '#libs/contract/batches.js';
import { UserEntity } from './users.js';

/** Many pictures for one tool. Each becomes a job once it is sent. */
@Entity('batches')
@Check('batches_credits_check', 'credits >= 0')
@Check('batches_check', 'credits = 0 OR charge_month IS NOT NULL')
@Index('batches_newest', ['userId', 'createdAt', 'id'])
@Index('batches_idempotency', ['userId', 'idempotencyKey'], {
  unique: true,
  where: 'idempotency_key IS NOT NULL',
})
export class BatchEntity {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('text')
  @ForeignKey(() => UserEntity, { onDelete: 'CASCADE' })
  userId!: string;

  @Column('text')
  tool!: BatchTool;

  /** What the tool's input schema gave, the same for all pictures. */
  @Column('jsonb')
  input!: Record<string, unknown>;

  /** Names the ZIP of the results; cannot be guessed. */
  @Column('text', { unique: true })
  zipKey!: string;

  /** Charged for each picture when the batch was made. */
  @Column('integer', { default: 0 })
  credits!: number;

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

  /** Its latest job, or the one that it will have once it is sent. Its charge names that job from the beginning. */
  @Column('uuid', { unique: true })
  jobId!: string;

  /** Whether its job was made. */
  @Column('boolean', { default: false })
  sent!: boolean;

  @Column('boolean', { default: false })
  leftOut!: boolean;
}
