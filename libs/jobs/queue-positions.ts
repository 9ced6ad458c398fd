import { z } from 'zod';
import { systemClock, type Clock } from '#libs/config/clock.js';
import { queueNames, type QueueName } from '#libs/contract/queues.js';
import type { JobEntity } from '#libs/database/entities/jobs.js';
import { queryRow, queryRows, type Database } from '#libs/database/sql.js';
import { QUEUE_ORDER } from './fair-queueing.js';
import type { QueuePosition } from './job-response.js';
import { readThroughputs, secondsUntilStart, type Throughput } from './throughput.js';

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

  /** The positions of all waiting jobs of these users. */
  async ofUsers(userIds: string[]): Promise<UserQueuePosition[]> {
    if (userIds.length === 0) return [];
    const throughputs = await this.recentThroughputs();
    const found = await readWorkAheadOfUsers(this.database, throughputs, userIds);
    return found.map(({ id, userId, queue, ...ahead }) => ({
      id,
      userId,
      ...positionAfter(ahead, throughputs.get(queue)),
    }));
  }

  private async read(job: JobEntity): Promise<QueuePosition | null> {
    if (job.status !== 'queued') return null;
    const throughputs = await this.recentThroughputs();
    const ahead = await readWorkAhead(this.database, throughputs, job);
    return positionAfter(ahead ?? { ahead: 0, seconds: 0 }, throughputs.get(job.queue));
  }

  private recentThroughputs(): Promise<Map<QueueName, Throughput>> {
    const known = this.throughputs;
    if (known && this.clock.now() - known.readAt < CACHE_THROUGHPUTS_MS) return known.read;
    const read = readThroughputs(this.database);
    this.throughputs = { readAt: this.clock.now(), read };
    read.catch(() => (this.throughputs = undefined));
    return read;
  }
}

/** What starts before a job: how many jobs, and the seconds of work that they are. */
const workAheadSchema = z.object({ ahead: z.number(), seconds: z.number() });
type WorkAhead = z.infer<typeof workAheadSchema>;

/** The seconds that a waiting job will take, by the averages in $1. */
const SECONDS_OF = `coalesce($1::jsonb -> queue ->> tool, $1::jsonb -> queue ->> '')::float`;

const readWorkAhead = (
  database: Database,
  throughputs: Map<QueueName, Throughput>,
  { queue, lane, virtualStart, createdAt, id }: JobEntity,
): Promise<WorkAhead | undefined> =>
  queryRow(
    database,
    workAheadSchema,
    `SELECT count(*)::integer AS ahead, coalesce(sum(${SECONDS_OF}), 0) AS seconds FROM jobs
     WHERE status = 'queued' AND queue = $2 AND (${QUEUE_ORDER}) < ($3, $4, $5, $6)`,
    [secondsByQueue(throughputs), queue, lane, virtualStart, createdAt, id],
  );

const readWorkAheadOfUsers = (
  database: Database,
  throughputs: Map<QueueName, Throughput>,
  userIds: string[],
) =>
  queryRows(
    database,
    workAheadSchema.extend({ id: z.string(), userId: z.string(), queue: z.enum(queueNames) }),
    `SELECT id, user_id AS "userId", queue, ahead, seconds FROM (
       SELECT id, user_id, queue, count(*) OVER ahead::integer AS ahead,
         coalesce(sum(${SECONDS_OF}) OVER ahead, 0) AS seconds
       FROM jobs WHERE status = 'queued'
       WINDOW ahead AS (
         PARTITION BY queue ORDER BY ${QUEUE_ORDER} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
     ) waiting WHERE user_id = ANY ($2)`,
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

function positionAfter({ ahead, seconds }: WorkAhead, throughput: Throughput | undefined): QueuePosition {
  const wait = throughput ? secondsUntilStart(throughput, seconds) : null;
  return { position: ahead + 1, etaSeconds: wait === null ? null : Math.max(1, Math.ceil(wait)) };
}
