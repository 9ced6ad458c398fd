import { z } from 'zod';
import { systemClock, type Clock } from '#libs/config/clock.js';
import { queueNames, type QueueName } from '#libs/contract/queues.js';
import type { JobEntity } from '#libs/database/entities/jobs.js';
import { queryRow, queryRows, type Database } from '#libs/database/sql.js';
import type { Waiting } from '#libs/contract/jobs.js';
import { lanes } from '#libs/queue/priorities.js';
import { QUEUE_ORDER } from './fair-queueing.js';
import type { QueuePosition } from './job-response.js';
import { readThroughputs, secondsUntilTurn, type Throughput } from './throughput.js';

export interface UserQueuePosition extends QueuePosition {
  id: string;
  userId: string;
}

const CACHE_THROUGHPUTS_MS = 2_000;

/**
 * Positions in the queues, read from the job table: BullMQ cannot say them. The order is the one in which workers take
 * jobs. The waiting time is estimated from how long each tool's recent jobs took, as if no other job came.
 */
export class QueuePositions {
  /** One job is asked for twice, for the event and for the response. */
  private readonly cache = new WeakMap<JobEntity, Promise<QueuePosition | null>>();
  private throughputs: { readAt: number; read: Promise<Map<QueueName, Throughput>> } | undefined;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock = systemClock,
  ) {}

  /** The position of a waiting job; null for any other. */
  of(job: JobEntity): Promise<QueuePosition | null> {
    const position = this.cache.get(job) ?? this.read(job);
    this.cache.set(job, position);
    return position;
  }

  /** The positions of all waiting jobs of these users, but of those in a batch, which shows none. */
  async ofUsers(userIds: string[]): Promise<UserQueuePosition[]> {
    if (userIds.length === 0) return [];
    const throughputs = await this.recentThroughputs();
    const found = await readWorkAheadOfUsers(this.database, throughputs, userIds);
    return found.map(({ id, userId, queue, ...ahead }) => ({
      id,
      userId,
      ...positionAfter(ahead, throughputs.get(queue), userId),
    }));
  }

  private async read(job: JobEntity): Promise<QueuePosition | null> {
    if (job.status !== 'queued') return null;
    const throughputs = await this.recentThroughputs();
    const ahead = await readWorkAhead(this.database, throughputs, job);
    const none = { ahead: 0, premiumAhead: 0, ownAhead: 0, seconds: 0, own: 0, others: 0 };
    const isRetry = (job.runAfter?.getTime() ?? 0) > this.clock.now();
    return positionAfter({ ...(ahead ?? none), isRetry }, throughputs.get(job.queue), job.userId);
  }

  private recentThroughputs(): Promise<Map<QueueName, Throughput>> {
    const known = this.throughputs;
    if (known && this.clock.elapsed() - known.readAt < CACHE_THROUGHPUTS_MS) return known.read;
    const read = readThroughputs(this.database);
    this.throughputs = { readAt: this.clock.elapsed(), read };
    read.catch(() => (this.throughputs = undefined));
    return read;
  }
}

/** What waits beside a job: how many jobs start before it (all, premium ones of others, its user's own), and the seconds of work (see WaitingWork). */
const workAheadSchema = z.object({
  ahead: z.number(),
  premiumAhead: z.number(),
  ownAhead: z.number(),
  seconds: z.number(),
  own: z.number(),
  others: z.number(),
});
type WorkAhead = z.infer<typeof workAheadSchema>;

/** The seconds that a waiting job will take, by the averages in $1. */
const SECONDS_OF = `coalesce($1::jsonb -> queue ->> tool, $1::jsonb -> queue ->> '')::float`;

const readWorkAhead = (
  database: Database,
  throughputs: Map<QueueName, Throughput>,
  { queue, lane, virtualStart, createdAt, id, userId }: JobEntity,
): Promise<WorkAhead | undefined> =>
  queryRow(
    database,
    workAheadSchema,
    `SELECT count(*) FILTER (WHERE is_ahead)::integer AS ahead,
       count(*) FILTER (WHERE is_ahead AND is_premium AND user_id <> $7)::integer AS "premiumAhead",
       count(*) FILTER (WHERE is_ahead AND user_id = $7)::integer AS "ownAhead",
       coalesce(sum(seconds) FILTER (WHERE is_ahead), 0) AS seconds,
       coalesce(sum(seconds) FILTER (WHERE is_ahead AND user_id = $7), 0) AS own,
       coalesce(sum(seconds) FILTER (WHERE user_id <> $7), 0) AS others
     FROM (
       SELECT user_id, ${SECONDS_OF} AS seconds, lane = ${lanes.premium} AS is_premium, (${QUEUE_ORDER}) < ($3, $4, $5, $6) AS is_ahead
       FROM jobs WHERE status = 'queued' AND queue = $2 AND lane <= $3
     ) waiting`,
    [secondsByQueue(throughputs), queue, lane, virtualStart, createdAt, id, userId],
  );

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

const secondsByQueue = (throughputs: Map<QueueName, Throughput>) =>
  JSON.stringify(
    Object.fromEntries(
      [...throughputs].map(([queue, { seconds, averageSeconds }]) => [
        queue,
        { '': averageSeconds ?? 0, ...seconds },
      ]),
    ),
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
