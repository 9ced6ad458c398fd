import { z } from 'zod';
import { systemClock, type Clock } from '#libs/config/clock.js';
import { queueNames, type Lane, type QueueName, type Waiting } from '#libs/contract/jobs.js';
import type { JobEntity } from '#libs/database/entities/jobs.js';
import { queryRows, type Database } from '#libs/database/sql.js';
import { lanes } from '#libs/queue/priorities.js';
import { QUEUE_ORDER } from './fair-queueing.js';
import { readThroughputs, secondsUntilTurn, type Throughput } from './throughput.js';
import {
  COUNTED_AT_MOST,
  estimateWorkAhead,
  readWaitingCounts,
  readWorkAhead,
  secondsOfTools,
  workAheadSchema,
  type WaitingCount,
  type OwnWork,
  type WorkAhead,
  type CountedWork,
} from './work-ahead.js';

export interface QueuePosition {
  position: number;
  etaSeconds: number | null;
  waiting: Waiting;
}

export interface UserQueuePosition extends QueuePosition {
  id: string;
  userId: string;
}

const CACHE_MS = 2_000;
/** Number of waiting jobs in all queues up to which positions are exact. In longer queues they are estimated. */
const EXACT_POSITIONS_UP_TO = 1_000;
/** Milliseconds after which a cached read is not used, even by callers that accept old values. */
const MAX_AGE_MS = 3_000;

/** What a submission must know about a queue. */
export interface QueueState {
  /** Average seconds of a job by tool. The key '' is the average for all other tools. */
  seconds: Record<string, number>;
  /** Number of waiting jobs, if a recent count is cached. */
  knownWaiting?: number;
  /** Number of waiting jobs in lanes behind premium, if a recent count is cached. */
  knownBehindPremium?: number;
}

/**
 * Positions of waiting jobs, in the order in which workers take jobs. Read from the job table, since BullMQ does not
 * provide them. Waiting times are estimated from recent durations of each tool, assuming that no new jobs arrive.
 */
export class QueuePositions {
  /** Position by job object, since the event and the response need the position of the same new job. */
  private readonly cache = new WeakMap<JobEntity, Promise<QueuePosition | null>>();
  private readonly throughputs: RecentRead<Map<QueueName, Throughput>>;
  private readonly counts: RecentRead<WaitingCount[]>;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock = systemClock,
  ) {
    this.throughputs = new RecentRead(() => readThroughputs(database), clock);
    this.counts = new RecentRead(
      async () => readWaitingCounts(database, await this.throughputs.read()),
      clock,
    );
  }

  /** Position of a waiting job. Null if the job does not wait. */
  of(job: JobEntity): Promise<QueuePosition | null> {
    const position = this.cache.get(job) ?? this.read(job);
    this.cache.set(job, position);
    return position;
  }

  /** Positions of all waiting jobs of these users, except batch pictures, for which no position is shown. */
  async ofUsers(userIds: string[]): Promise<UserQueuePosition[]> {
    if (userIds.length === 0) return [];
    const throughputs = await this.throughputs.read();
    const counts = await this.counts.read();
    const isLong = sum(counts) > EXACT_POSITIONS_UP_TO;
    const found = isLong
      ? await estimateWorkAheadOfUsers(this.database, throughputs, counts, userIds)
      : await readWorkAheadOfUsers(this.database, throughputs, userIds);
    return found.map(({ id, userId, queue, ...ahead }) => ({
      id,
      userId,
      ...positionAfter(ahead, throughputs.get(queue), userId),
    }));
  }

  /** State of a queue for a submission. Values may be a few seconds old. */
  async stateOf(queue: QueueName): Promise<QueueState> {
    const throughputs = await this.throughputs.read();
    const waiting = this.counts.latest?.filter((count) => count.queue === queue);
    return {
      seconds: secondsOfTools(throughputs.get(queue)),
      ...(waiting && {
        knownWaiting: sum(waiting),
        knownBehindPremium: sum(waiting.filter(({ lane }) => lane > lanes.premium)),
      }),
    };
  }

  /** Caches the position of a new job. @param counted null if too many jobs are ahead to count them */
  remember(job: JobEntity, counted: CountedWork | null, own: OwnWork): void {
    const position = this.toPosition(job, counted, own);
    // Prevents an unhandled rejection. Readers of the cached promise still receive the error.
    position.catch(() => undefined);
    this.cache.set(job, position);
  }

  private async read(job: JobEntity): Promise<QueuePosition | null> {
    if (job.status !== 'queued') return null;
    const throughputs = await this.throughputs.read();
    const { counted, own } = await readWorkAhead(this.database, throughputs.get(job.queue), job);
    return this.toPosition(job, counted, own);
  }

  private async toPosition(
    job: JobEntity,
    counted: CountedWork | null,
    own: OwnWork,
  ): Promise<QueuePosition> {
    const throughputs = await this.throughputs.read();
    const ahead = counted?.isWhole ? counted : await this.estimate(job, counted, own);
    const isRetry = (job.runAfter?.getTime() ?? 0) > this.clock.now();
    return positionAfter({ ...ahead, isRetry }, throughputs.get(job.queue), job.userId);
  }

  private async estimate(job: JobEntity, counted: CountedWork | null, own: OwnWork): Promise<WorkAhead> {
    const estimated = estimateWorkAhead(await this.counts.read(), job, own);
    // More than COUNTED_AT_MOST jobs are ahead, so a lower estimate is based on an outdated count.
    if (!counted && estimated.ahead < COUNTED_AT_MOST)
      return estimateWorkAhead(await this.counts.readAgain(), job, own);
    return counted ? { ...counted, others: Math.max(estimated.others, counted.others) } : estimated;
  }
}

/** Caches the result of `load` for two seconds. */
class RecentRead<T> {
  private recent: { readAt: number; read: Promise<T>; value?: T } | undefined;

  constructor(
    private readonly load: () => Promise<T>,
    private readonly clock: Clock,
  ) {}

  /** Last loaded value. Undefined if it is older than three seconds or still loading. */
  get latest(): T | undefined {
    return this.recent && this.ageOf(this.recent) < MAX_AGE_MS ? this.recent.value : undefined;
  }

  read(): Promise<T> {
    return this.recent && this.ageOf(this.recent) < CACHE_MS ? this.recent.read : this.readAgain();
  }

  readAgain(): Promise<T> {
    const recent: typeof this.recent = { readAt: this.clock.elapsed(), read: this.load() };
    this.recent = recent;
    recent.read.then(
      (value) => (recent.value = value),
      () => (this.recent = undefined),
    );
    return recent.read;
  }

  private ageOf({ readAt }: { readAt: number }): number {
    return this.clock.elapsed() - readAt;
  }
}

const sum = (counts: WaitingCount[]) => counts.reduce((jobs, count) => jobs + count.jobs, 0);

/** SQL: expected seconds of a waiting job, from the averages by queue and tool in $1. */
const SECONDS_OF = `coalesce($1::jsonb -> queue ->> tool, $1::jsonb -> queue ->> '')::float`;

const readWorkAheadOfUsers = (
  database: Database,
  throughputs: Map<QueueName, Throughput>,
  userIds: string[],
) =>
  queryRows(
    database,
    workAheadSchema.extend({
      id: z.string(),
      userId: z.string(),
      queue: z.enum(queueNames),
      isRetry: z.boolean(),
    }),
    `SELECT id, user_id AS "userId", queue, ahead, seconds, own, lanes - own_lanes AS others,
       premium_ahead - own_premium_ahead AS "premiumAhead", own_ahead AS "ownAhead",
       coalesce(run_after > now(), false) AS "isRetry"
     FROM (
       SELECT id, user_id, queue, batch_id, run_after, count(*) OVER ahead::integer AS ahead,
         (count(*) FILTER (WHERE lane = ${lanes.premium}) OVER ahead)::integer AS premium_ahead,
         (count(*) FILTER (WHERE lane = ${lanes.premium}) OVER own)::integer AS own_premium_ahead,
         (count(*) OVER own)::integer AS own_ahead,
         coalesce(sum(${SECONDS_OF}) OVER ahead, 0) AS seconds,
         coalesce(sum(${SECONDS_OF}) OVER own, 0) AS own,
         sum(${SECONDS_OF}) OVER (PARTITION BY queue ORDER BY lane) AS lanes,
         sum(${SECONDS_OF}) OVER (PARTITION BY queue, user_id ORDER BY lane) AS own_lanes
       FROM jobs WHERE status = 'queued'
       WINDOW ahead AS (
         PARTITION BY queue ORDER BY ${QUEUE_ORDER} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING),
       own AS (
         PARTITION BY queue, user_id ORDER BY ${QUEUE_ORDER} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
     ) waiting WHERE user_id = ANY ($2) AND batch_id IS NULL`,
    [secondsByQueue(throughputs), userIds],
  );

/** Like {@link readWorkAheadOfUsers}, but for long queues: estimates from recent counts. */
async function estimateWorkAheadOfUsers(
  database: Database,
  throughputs: Map<QueueName, Throughput>,
  counts: readonly WaitingCount[],
  userIds: string[],
): Promise<(WorkAhead & { id: string; userId: string; queue: QueueName; isRetry: boolean })[]> {
  const waiting = await queryRows(
    database,
    z.object({
      id: z.string(),
      userId: z.string(),
      queue: z.enum(queueNames),
      tool: z.string(),
      lane: z.number().transform((lane) => lane as Lane),
      virtualStart: z.number(),
      createdAt: z.date(),
      isRetry: z.boolean(),
      inBatch: z.boolean(),
    }),
    `SELECT id, user_id AS "userId", queue, tool, lane, virtual_start AS "virtualStart", created_at AS "createdAt",
       coalesce(run_after > now(), false) AS "isRetry", batch_id IS NOT NULL AS "inBatch"
     FROM jobs WHERE status = 'queued' AND user_id = ANY ($1) ORDER BY ${QUEUE_ORDER}`,
    [userIds],
  );
  const ownWork = new Map<string, OwnWork>();
  const estimated = waiting.map((job) => {
    const key = `${job.queue} ${job.userId}`;
    const own = ownWork.get(key) ?? { ahead: 0, seconds: 0 };
    const seconds = secondsOfTools(throughputs.get(job.queue));
    ownWork.set(key, {
      ahead: own.ahead + 1,
      seconds: own.seconds + (seconds[job.tool] ?? seconds[''] ?? 0),
    });
    return { ...job, ...estimateWorkAhead(counts, job, own) };
  });
  return estimated.filter(({ inBatch }) => !inBatch);
}

const secondsByQueue = (throughputs: Map<QueueName, Throughput>) =>
  JSON.stringify(
    Object.fromEntries([...throughputs].map(([queue, throughput]) => [queue, secondsOfTools(throughput)])),
  );

function positionAfter(
  { ahead, premiumAhead: premium, ownAhead, seconds, own, others, isRetry }: WorkAhead & { isRetry: boolean },
  throughput: Throughput | undefined,
  userId: string,
): QueuePosition {
  const running = throughput?.remainingOf.get(userId) ?? 0;
  const wait = throughput && secondsUntilTurn(throughput, { ahead: seconds, own: own + running, others });
  const waiting: Waiting = {
    reason: reasonToWait(throughput, ahead, isRetry),
    ahead: { premium, own: ownAhead, others: ahead - premium - ownAhead },
  };
  return { position: ahead + 1, waiting, etaSeconds: wait == null ? null : Math.max(1, Math.ceil(wait)) };
}

function reasonToWait(
  throughput: Throughput | undefined,
  ahead: number,
  isRetry: boolean,
): Waiting['reason'] {
  if (throughput?.isPaused) return 'paused';
  if (!throughput?.slots) return 'no-worker';
  if (isRetry) return 'retry';
  return ahead > 0 ? 'ahead' : 'busy';
}
