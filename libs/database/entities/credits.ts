import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, PrimaryGeneratedColumn } from 'typeorm';
import { OwnedRow } from './owned-row.js';
import { UserEntity } from './users.js';

/** A user's credits of one month. The balance equals the sum of the month's entries. */
@Entity('credit_balances')
@Check('credit_balances_month_check', 'extract(day FROM month) = 1')
@Check('credit_balances_granted_check', 'granted >= 0')
@Check('credit_balances_balance_check', 'balance >= 0')
@Check('credit_balances_check', 'balance <= granted')
export class CreditBalanceEntity {
  @PrimaryColumn('text')
  @ForeignKey(() => UserEntity, { onDelete: 'CASCADE' })
  userId!: string;

  /** First day of the month, as `YYYY-MM-01`. */
  @PrimaryColumn('date')
  month!: string;

  @Column('integer', { default: 0 })
  granted!: number;

  @Column('integer', { default: 0 })
  balance!: number;
}

@Entity('credit_entries')
@Check('credit_entries_kind', `kind IN ('grant', 'charge', 'refund', 'adjustment')`)
@Check(
  'credit_entries_sign',
  `CASE WHEN kind IN ('charge', 'adjustment') THEN amount < 0 ELSE amount > 0 END`,
)
@Check('credit_entries_job', `(kind IN ('grant', 'adjustment')) = (job_id IS NULL)`)
@Index('credit_entries_once', ['jobId', 'kind'], { unique: true, where: 'job_id IS NOT NULL' })
@Index('credit_entries_user', ['userId', 'month'])
@Index('credit_entries_api_key', ['apiKeyId', 'month'], { where: 'api_key_id IS NOT NULL' })
export class CreditEntryEntity extends OwnedRow {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column('date')
  month!: string;

  @Column('text')
  kind!: 'grant' | 'charge' | 'refund' | 'adjustment';

  @Column('integer')
  amount!: number;

  /** Job that was charged or refunded. The entry stays when the job is deleted. */
  @Column('uuid', { nullable: true })
  jobId!: string | null;

  /** Key of the program that started the job; a refund has the key of its charge. */
  @Column('text', { nullable: true })
  apiKeyId!: string | null;

  @Column('text', { nullable: true })
  note!: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}
