import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { EngineName } from '#libs/contract/engine.js';
import type { JobStatus, Lane, Priority, QueueName } from '#libs/contract/jobs.js';
import type { ErrorCode } from '#libs/contract/errors.js';
import type { Measure } from '#libs/contract/progress.js';
import { BatchEntity } from './batches.js';
import { OwnedEntity } from './owned-row.js';
import { UserEntity } from './users.js';

@Entity('jobs')
@Check('jobs_status_check', `status IN ('queued', 'running', 'succeeded', 'failed', 'cancelled')`)
@Check('jobs_priority_check', `priority IN ('premium', 'standard')`)
@Check('jobs_percent_check', 'percent BETWEEN 0 AND 100')
@Check('jobs_credits_check', 'credits >= 0')
@Check('jobs_lane_check', 'lane BETWEEN 0 AND 3')
@Check('jobs_check', `(status = 'running') = (lease_until IS NOT NULL)`)
@Check('jobs_check1', `(status IN ('succeeded', 'failed', 'cancelled')) = (finished_at IS NOT NULL)`)
@Check('jobs_check2', `(status = 'succeeded') = (result IS NOT NULL)`)
@Check('jobs_check3', 'credits = 0 OR charge_month IS NOT NULL')
@Index('jobs_idempotency', ['userId', 'idempotencyKey'], {
  unique: true,
  where: 'idempotency_key IS NOT NULL',
})
@Index('jobs_unfinished', ['userId'], { where: `status IN ('queued', 'running')` })
@Index('jobs_group', ['groupId'], { where: 'group_id IS NOT NULL' })
@Index('jobs_retry_of', ['retryOf'], { where: 'retry_of IS NOT NULL' })
@Index('jobs_source', ['sourceId'], { where: 'source_id IS NOT NULL' })
@Index('jobs_batch', ['batchId'], { where: 'batch_id IS NOT NULL' })
@Index('jobs_inputs', ['userId'], { where: 'input IS NOT NULL' })
@Index('jobs_leased', ['leaseUntil'], { where: `status = 'running'` })
@Index('jobs_with_files', ['id'], {
  where: `files <> '{}' AND input IS NOT NULL AND status <> 'succeeded'`,
})
// TypeORM cannot express the descending columns of these two, nor the INCLUDE of the third and the kind of the fourth.
@Index('jobs_newest', { synchronize: false })
@Index('jobs_finished', { synchronize: false })
@Index('jobs_queue_order', { synchronize: false })
@Index('jobs_age', { synchronize: false })
export class JobEntity extends OwnedEntity {
  @Column('text')
  tool!: string;

  @Column('text')
  queue!: QueueName;

  @Column('text')
  title!: string;

  /** Null once the job has succeeded or retention has deleted the input. */
  @Column('jsonb', { nullable: true })
  input!: unknown;

  @Column('text', { default: 'queued' })
  status!: JobStatus;

  @Column('text')
  priority!: Priority;

  @Column('text', { default: 'queued' })
  stage!: string;

  @Column('text', { default: 'Waiting for its turn' })
  stageMessage!: string;

  /** Highest percentage that an attempt reached. */
  @Column('real', { default: 0 })
  percent!: number;

  /** Measured amount of work; null while progress is estimated. */
  @Column('jsonb', { nullable: true })
  measure!: Measure | null;

  /** Expected duration in seconds, lower and upper bound, set at the first start; null without earlier jobs to estimate from. */
  @Column('real', { nullable: true })
  expectedFrom!: number | null;

  @Column('real', { nullable: true })
  expectedTo!: number | null;

  /** Null until the job starts. */
  @Column('text', { nullable: true })
  engine!: EngineName | null;

  /** Size class: jobs of a tool in the same class take about as long. */
  @Column('integer', { default: 0 })
  size!: number;

  /** Premium jobs only: number of waiting jobs of other users that this job overtook. */
  @Column('integer', { default: 0 })
  wentAheadOf!: number;

  /** Index of the running attempt's newest preview, or null. */
  @Column('integer', { nullable: true })
  previewIndex!: number | null;

  /** The text streamed so far; empty once the job has succeeded. */
  @Column('text', { default: '' })
  partial!: string;

  /** Empty once retention has deleted the result. */
  @Column('jsonb', { nullable: true })
  result!: Record<string, unknown> | null;

  /** Time at which the job's creation was deleted. Retention then deletes the texts of this job and of the jobs that it retried. */
  @Column('timestamptz', { nullable: true })
  resultDeletedAt!: Date | null;

  @Column('text', { nullable: true })
  errorCode!: ErrorCode | null;

  @Column('text', { nullable: true })
  errorMessage!: string | null;

  /** Number of starts. Every write of a worker names its attempt. */
  @Column('integer', { default: 0 })
  attempts!: number;

  /** Attempts that ended with a retryable error. */
  @Column('integer', { default: 0 })
  failures!: number;

  /** Attempts whose worker died. */
  @Column('integer', { default: 0 })
  lostAttempts!: number;

  @Column('timestamptz', { nullable: true })
  runAfter!: Date | null;

  @Column('timestamptz', { nullable: true })
  leaseUntil!: Date | null;

  /** Credits charged for this job and not refunded. */
  @Column('integer', { default: 0 })
  credits!: number;

  @Column('date', { nullable: true })
  chargeMonth!: string | null;

  /** Grows with each change that is visible to users. */
  @Column('bigint', { default: 0, transformer: { from: Number, to: (revision: number) => revision } })
  revision!: number;

  @Column('text', { nullable: true })
  idempotencyKey!: string | null;

  @Column('text', { nullable: true })
  requestHash!: string | null;

  @Column('uuid', { nullable: true })
  retryOf!: string | null;

  /** Shared by all jobs of a request that started several. */
  @Column('uuid', { nullable: true })
  groupId!: string | null;

  @Column('text', { nullable: true })
  requestId!: string | null;

  @Column('timestamptz', { nullable: true })
  enqueuedAt!: Date | null;

  /** Precise to milliseconds, like a JavaScript date, so that a cursor finds its row again. */
  @Column({ type: 'timestamptz', precision: 3, default: () => 'clock_timestamp()' })
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  startedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  finishedAt!: Date | null;

  /** Object keys of the job's files, by field. */
  @Column('jsonb', { default: {} })
  files!: Record<string, string>;

  /** Position in the queue: see libs/scheduling/fair-queueing.ts. */
  @Column('smallint', { default: 2 })
  lane!: Lane;

  @Column('integer', { default: 0 })
  virtualStart!: number;

  /** Creation whose text the job rewrites. The job's texts are deleted with it. */
  @Column('uuid', { nullable: true })
  sourceId!: string | null;

  /** W3C `traceparent` of the request; null without tracing. */
  @Column('text', { nullable: true })
  traceParent!: string | null;

  @Column('uuid', { nullable: true })
  @ForeignKey(() => BatchEntity, { onDelete: 'SET NULL' })
  batchId!: string | null;

  /** Flow of which the job is a step. The flow may have been deleted. */
  @Column('uuid', { nullable: true })
  flowId!: string | null;
}

/** Newest preview of a running job. A row is obsolete once its attempt has ended. */
@Entity('job_previews')
export class JobPreviewEntity {
  @PrimaryColumn('uuid')
  @ForeignKey(() => JobEntity, { onDelete: 'CASCADE' })
  jobId!: string;

  @Column('integer')
  attempt!: number;

  @Column('integer')
  index!: number;

  /** WebP. */
  @Column('bytea')
  image!: Buffer;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}

/** A tool's answer to a question, so that the same question gets the same answer. */
@Entity('answer_cache')
export class CachedAnswerEntity {
  @PrimaryColumn('text')
  @ForeignKey(() => UserEntity, { onDelete: 'CASCADE' })
  userId!: string;

  @PrimaryColumn('text')
  tool!: string;

  /** Identifies everything that the answer depends on. */
  @PrimaryColumn('text')
  key!: string;

  @Column('jsonb')
  answer!: unknown;

  /** Jobs that used the answer. It is deleted with the creation of any of them. */
  @Column('uuid', { array: true, default: [] })
  jobIds!: string[];

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}

/** Number of jobs of a queue that a running worker process runs at once. */
@Entity('worker_slots')
export class WorkerSlotsEntity {
  @PrimaryColumn('text')
  workerId!: string;

  @PrimaryColumn('text')
  queue!: QueueName;

  @Column('integer')
  slots!: number;

  @Column('timestamptz', { default: () => 'now()' })
  seenAt!: Date;
}

/** Decayed count of a user's jobs that exceeded a worker's time or memory limit. */
@Entity('user_slowdowns')
export class UserSlowdownEntity {
  @PrimaryColumn('text')
  @ForeignKey(() => UserEntity, { onDelete: 'CASCADE' })
  userId!: string;

  @Column('double precision')
  failures!: number;

  /** Time for which `failures` was computed. */
  @Column('timestamptz')
  updatedAt!: Date;
}

/** A paused queue: workers start none of its jobs. */
@Entity('paused_queues')
export class PausedQueueEntity {
  @PrimaryColumn('text')
  queue!: QueueName;

  /** Written by the operator; may be empty. */
  @Column('text', { default: '' })
  reason!: string;

  @Column('timestamptz', { default: () => 'now()' })
  pausedAt!: Date;
}
