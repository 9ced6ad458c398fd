import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** A change by an operator. Rows are only added: a trigger refuses changes and deletions. */
@Entity('audit_log')
@Index('audit_log_target', ['target', 'id'])
@Index('audit_log_idempotency', ['target', 'idempotencyKey'], {
  unique: true,
  where: 'idempotency_key IS NOT NULL',
})
// synchronize: false, since TypeORM cannot express an index on a field of `details`.
@Index('audit_log_user', { synchronize: false })
export class AuditEntryEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'clock_timestamp()' })
  at!: Date;

  /** Name of the operator. */
  @Column('text')
  operator!: string;

  /** Such as `user.suspend`. */
  @Column('text')
  action!: string;

  /** Id of the user, job, queue, creation, key or app. No foreign key, since the entry outlives it. */
  @Column('text')
  target!: string;

  @Column('text', { nullable: true })
  reason!: string | null;

  @Column('jsonb', { default: {} })
  details!: Record<string, unknown>;

  /** Of the request, so that its repetition does not act again. */
  @Column('text', { nullable: true })
  idempotencyKey!: string | null;
}
