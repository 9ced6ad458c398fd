import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { CallOperation, ProviderCallStatus, ProviderRole } from '#libs/contract/engine.js';
import type { Plan } from '#libs/contract/account.js';
import { ApiKeyEntity } from './api-keys.js';
import { UserEntity } from './users.js';

/**
 * A call of an AI provider. It outlives its job; the deletion of its user takes the user's id from it. Partitioned by month of
 * `startedAt`.
 */
@Entity('provider_calls')
@Check('provider_calls_provider', `provider IN ('main', 'fallback')`)
@Check('provider_calls_plan', `plan IN ('free', 'premium')`)
@Check(
  'provider_calls_status',
  `status IN ('running', 'ok', 'passing_error', 'final_error', 'stopped', 'lost')`,
)
@Index('provider_calls_time', ['startedAt'])
@Index('provider_calls_tool', ['tool', 'startedAt'])
@Index('provider_calls_job', ['jobId'])
@Index('provider_calls_user', ['userId', 'startedAt'])
@Index('provider_calls_key', ['apiKeyId'], { where: 'api_key_id IS NOT NULL' })
@Index('provider_calls_running', ['startedAt'], { where: `status = 'running'` })
export class ProviderCallEntity {
  @PrimaryColumn('uuid')
  id!: string;

  /** No foreign key, since jobs are deleted before their calls. Null for the check of a picture at the button. */
  @Column('uuid', { nullable: true })
  jobId!: string | null;

  @Column('integer', { nullable: true })
  attempt!: number | null;

  @Column('text', { nullable: true })
  @ForeignKey(() => UserEntity, { onDelete: 'SET NULL' })
  userId!: string | null;

  @Column('text', { nullable: true })
  @ForeignKey(() => ApiKeyEntity, { onDelete: 'SET NULL' })
  apiKeyId!: string | null;

  @Column('text')
  plan!: Plan;

  /** `publishing` for the check of a picture. */
  @Column('text')
  tool!: string;

  @Column('text')
  model!: string;

  @Column('text')
  provider!: ProviderRole;

  @Column('text')
  kind!: CallOperation;

  @Column('text')
  status!: ProviderCallStatus;

  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  startedAt!: Date;

  /** Null while the call runs, and if its worker died. */
  @Column('real', { nullable: true })
  seconds!: number | null;

  @Column('integer', { default: 0 })
  inputTokens!: number;

  /** A part of `inputTokens`. */
  @Column('integer', { default: 0 })
  cachedTokens!: number;

  @Column('integer', { default: 0 })
  outputTokens!: number;

  @Column('integer', { default: 0 })
  images!: number;

  /** True if the provider did not count all tokens. */
  @Column('boolean', { default: false })
  isEstimated!: boolean;

  /** Millionths of `currency`. Null without a price list. */
  @Column('bigint', { nullable: true, transformer: { from: toNumber, to: (cost: number | null) => cost } })
  cost!: number | null;

  @Column('text', { nullable: true })
  currency!: string | null;

  /** HTTP status, or what happened, such as `timeout`. */
  @Column('text', { nullable: true })
  errorCode!: string | null;
}

/** Cost of all calls of a month, by plan. Written with the calls, so that a budget is checked without adding them up. */
@Entity('provider_spending')
export class ProviderSpendingEntity {
  /** First day of the month in UTC, as `YYYY-MM-01`. */
  @PrimaryColumn('date')
  month!: string;

  @PrimaryColumn('text')
  plan!: Plan;

  /** Millionths of the currency. */
  @Column('bigint', { transformer: { from: Number, to: (cost: number) => cost } })
  cost!: number;
}

/** Estimated cost of an attempt of a job that runs, until its calls are written. */
@Entity('provider_reservations')
@Index('provider_reservations_user', ['userId'])
export class ProviderReservationEntity {
  @PrimaryColumn('uuid')
  id!: string;

  /** Null if a program of the previous version reserved. */
  @Column('uuid', { nullable: true })
  jobId!: string | null;

  @Column('integer', { nullable: true })
  attempt!: number | null;

  @Column('text')
  @ForeignKey(() => UserEntity, { onDelete: 'CASCADE' })
  userId!: string;

  @Column('text')
  plan!: Plan;

  @Column('bigint', { transformer: { from: Number, to: (cost: number) => cost } })
  cost!: number;

  /** After this time its worker must have died. */
  @Column('timestamptz')
  expiresAt!: Date;
}

function toNumber(cost: string | null): number | null {
  return cost === null ? null : Number(cost);
}
