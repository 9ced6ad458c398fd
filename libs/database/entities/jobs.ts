import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import type { EngineName } from '#libs/contract/engine.js';
import type { JobStatus, Lane, Priority, QueueName } from '#libs/contract/jobs.js';
import type { ErrorCode } from '#libs/contract/errors.js';
import type { Measure } from '#libs/contract/progress.js';
import { BatchEntity } from './batches.js';
import { OwnedEntity } from './owned-row.js';
import { UserEntity } from './users.js';

/** Partitioned by month of `createdAt`, see libs/database/partitions.ts. */
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
@Index('jobs_idempotency', ['userId', 'idempotencyKey'], { where: 'idempotency_key IS NOT NULL' })
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
// synchronize: false, since TypeORM cannot express these indexes: descending columns in the first two, INCLUDE in the
// third, a BRIN index in the fourth.
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

  /** Null once the job has succeeded, or once retention has deleted the input. */
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

  /** Highest percentage that any attempt reached. */
  @Column('real', { default: 0 })
  percent!: number;

  /** Measured amount of work. Null while the progress is estimated. */
  @Column('jsonb', { nullable: true })
  measure!: Measure | null;

  /**
   * Lower and upper bound of the expected duration in seconds, set at the first start. Null if there is no data for an
   * estimate.
   */
  @Column('real', { nullable: true })
  expectedFrom!: number | null;

  @Column('real', { nullable: true })
  expectedTo!: number | null;

  @Column('text', { nullable: true })
  engine!: EngineName | null;

  /** Size class. Jobs of one tool with the same size class take about equally long. */
  @Column('integer', { default: 0 })
  size!: number;

  /** Number of waiting jobs of other users that this premium job overtook. */
  @Column('integer', { default: 0 })
  wentAheadOf!: number;

  /** Index of the running attempt's newest preview. Null if there is none. */
  @Column('integer', { nullable: true })
  previewIndex!: number | null;

  /** Text streamed so far. Empty once the job has succeeded. */
  @Column('text', { default: '' })
  partial!: string;

  /** Null before success. An empty object once retention has deleted the result. */
  @Column('jsonb', { nullable: true })
  result!: Record<string, unknown> | null;

  /**
   * Time when the job's creation was deleted. Retention later deletes the texts of this job and of the jobs that it
   * retried.
   */
  @Column('timestamptz', { nullable: true })
  resultDeletedAt!: Date | null;

  @Column('text', { nullable: true })
  errorCode!: ErrorCode | null;

  @Column('text', { nullable: true })
  errorMessage!: string | null;

  /** Number of attempts started so far. Writes of a worker are conditional on this number. */
  @Column('integer', { default: 0 })
  attempts!: number;

  /** Number of attempts that ended with a retryable error. */
  @Column('integer', { default: 0 })
  failures!: number;

  /** Number of attempts whose worker died. */
  @Column('integer', { default: 0 })
  lostAttempts!: number;

  /** Its attempts, the oldest first. Written by the trigger `log_attempt`. */
  @Column('jsonb', { default: [] })
  attemptLog!: unknown[];

  @Column('timestamptz', { nullable: true })
  runAfter!: Date | null;

  @Column('timestamptz', { nullable: true })
  leaseUntil!: Date | null;

  /** Credits charged for this job and not refunded. */
  @Column('integer', { default: 0 })
  credits!: number;

  /** Price at which the job was accepted, also if it was not charged. Null for jobs of earlier versions. */
  @Column('integer', { nullable: true })
  price!: number | null;

  @Column('date', { nullable: true })
  chargeMonth!: string | null;

  /** Increases with each change that users can see. */
  @Column('bigint', { default: 0, transformer: { from: Number, to: (revision: number) => revision } })
  revision!: number;

  @Column('text', { nullable: true })
  idempotencyKey!: string | null;

  @Column('text', { nullable: true })
  requestHash!: string | null;

  @Column('uuid', { nullable: true })
  retryOf!: string | null;

  /** Key of the program that submitted the job. No foreign key, since the job outlives the key. */
  @Column('text', { nullable: true })
  apiKeyId!: string | null;

  /** Same value for all jobs created by one request. Null if the request created only one job. */
  @Column('uuid', { nullable: true })
  groupId!: string | null;

  @Column('text', { nullable: true })
  requestId!: string | null;

  @Column('timestamptz', { nullable: true })
  enqueuedAt!: Date | null;

  /** Millisecond precision like a JavaScript date, so that a cursor matches its row exactly. */
  @PrimaryColumn({ type: 'timestamptz', precision: 3, default: () => 'clock_timestamp()' })
  createdAt!: Date;

  @Column('timestamptz', { nullable: true })
  startedAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  finishedAt!: Date | null;

  /** Object keys of the job's files, by input field. */
  @Column('jsonb', { default: {} })
  files!: Record<string, string>;

  /** `lane` and `virtualStart` order the queue, see libs/scheduling/fair-queueing.ts. */
  @Column('smallint', { default: 2 })
  lane!: Lane;

  @Column('integer', { default: 0 })
  virtualStart!: number;

  /** Id of the text creation that the job rewrites a part of. The job's texts are deleted with that creation. */
  @Column('uuid', { nullable: true })
  sourceId!: string | null;

  /** W3C `traceparent` of the request. Null if tracing is off. */
  @Column('text', { nullable: true })
  traceParent!: string | null;

  @Column('uuid', { nullable: true })
  @ForeignKey(() => BatchEntity, { onDelete: 'SET NULL' })
  batchId!: string | null;

  /** Id of the flow that the job is a step of. No foreign key, since the job outlives the flow. */
  @Column('uuid', { nullable: true })
  flowId!: string | null;
}

/** Newest preview of a running job. Obsolete once its attempt has ended. */
@Entity('job_previews')
export class JobPreviewEntity {
  /** The trigger `forget_deleted_jobs` deletes the row with the job. */
  @PrimaryColumn('uuid')
  jobId!: string;

  @Column('integer')
  attempt!: number;

  @Column('integer')
  index!: number;

  /** WebP image. */
  @Column('bytea')
  image!: Buffer;

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}

/** A tool's cached answer, so that the same question gets the same answer. */
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

  /** Ids of the jobs that used the answer. The answer is deleted with the creation of any of these jobs. */
  @Column('uuid', { array: true, default: [] })
  jobIds!: string[];

  @Column('timestamptz', { default: () => 'now()' })
  createdAt!: Date;
}

/** Number of jobs of a queue that a worker process can run at once. One row per worker and queue. */
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

/**
 * Number of a user's jobs that exceeded a worker's time or memory limit, and minutes of CPU time of long jobs, with
 * exponential decay.
 */
@Entity('user_slowdowns')
export class UserSlowdownEntity {
  @PrimaryColumn('text')
  @ForeignKey(() => UserEntity, { onDelete: 'CASCADE' })
  userId!: string;

  @Column('double precision')
  failures!: number;

  /** Time to which the decay of `failures` was last applied. */
  @Column('timestamptz')
  updatedAt!: Date;
}

/** A queue that an operator has paused. Workers start none of its jobs. */
@Entity('paused_queues')
export class PausedQueueEntity {
  @PrimaryColumn('text')
  queue!: QueueName;

  /** Reason entered by the operator. May be empty. */
  @Column('text', { default: '' })
  reason!: string;

  @Column('timestamptz', { default: () => 'now()' })
  pausedAt!: Date;
}
