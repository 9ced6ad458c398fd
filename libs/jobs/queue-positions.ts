import { row, rows, type Database } from '#libs/database/sql.js';
import type { QueueName } from '#libs/contract/queues.js';
import type { JobRow, Place } from './job-row.js';
import { readThroughputs, secondsUntilStart, type Throughput } from './throughput.js';
import { ORDER } from './turns.js';

/** A waiting job with its place. */
export interface QueuePosition extends Place {
  id: string;
  userId: string;
  position: number;
}

const THROUGHPUT_FOR_MS = 2_000;

/**
 * Places in the queues, read from the job table: BullMQ cannot tell them. The order is the one that workers take jobs
 * in. A time is reckoned from how long each tool's jobs took of late, as if nobody else came.
 */
export class QueuePositions {
  /** One row is asked for twice, for the event and for the answer that it makes. */
  private readonly asked = new WeakMap<JobRow, Promise<Place | null>>();
  private throughputs: { readAt: number; read: Promise<Map<QueueName, Throughput>> } | undefined;

  constructor(private readonly database: Database) {}

  /** The place of a waiting job; null for any other. */
  of(job: JobRow): Promise<Place | null> {
    const place = this.asked.get(job) ?? this.read(job);
    this.asked.set(job, place);
    return place;
  }

  /** The places of all waiting jobs of these users. */
  async ofUsers(userIds: string[]): Promise<QueuePosition[]> {
    if (userIds.length === 0) return [];
    const throughputs = await this.recentThroughputs();
    const found = await rows<Before & { id: string; user_id: string; queue: QueueName }>(
      this.database,
      `SELECT id, user_id, queue, ahead, seconds FROM (
         SELECT id, user_id, queue, count(*) OVER before::integer AS ahead,
           coalesce(sum(${SECONDS_OF}) OVER before, 0) AS seconds
         FROM jobs WHERE status = 'queued'
         WINDOW before AS (PARTITION BY queue ORDER BY ${ORDER} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
       ) waiting WHERE user_id = ANY ($2)`,
      [secondsByQueue(throughputs), userIds],
    );
    return found.map(({ id, user_id, queue, ...before }) => ({
      id,
      userId: user_id,
      ...placeAfter(before, throughputs.get(queue)),
    }));
  }

  private async read(job: JobRow): Promise<Place | null> {
    if (job.status !== 'queued') return null;
    const throughputs = await this.recentThroughputs();
    const before = await row<Before>(
      this.database,
      `SELECT count(*)::integer AS ahead, coalesce(sum(${SECONDS_OF}), 0) AS seconds FROM jobs
       WHERE status = 'queued' AND queue = $2 AND (${ORDER}) < ($3, $4, $5, $6)`,
      [secondsByQueue(throughputs), job.queue, job.lane, job.virtual_start, job.created_at, job.id],
    );
    return placeAfter(before ?? { ahead: 0, seconds: 0 }, throughputs.get(job.queue));
  }

  private recentThroughputs(): Promise<Map<QueueName, Throughput>> {
    const known = this.throughputs;
    if (known && Date.now() - known.readAt < THROUGHPUT_FOR_MS) return known.read;
    const read = readThroughputs(this.database);
    this.throughputs = { readAt: Date.now(), read };
    read.catch(() => (this.throughputs = undefined));
    return read;
  }
}

/** What stands before a job: how many, and the seconds of work that they are. */
interface Before {
  ahead: number;
  seconds: number;
}

/** The seconds that a waiting job will take, from the averages in $1. */
const SECONDS_OF = `coalesce($1::jsonb -> queue ->> tool, $1::jsonb -> queue ->> '')::float`;

const secondsByQueue = (throughputs: Map<QueueName, Throughput>) =>
  JSON.stringify(
    Object.fromEntries(
      [...throughputs].map(([queue, { seconds, averageSeconds }]) => [
        queue,
        { '': averageSeconds ?? 0, ...seconds },
      ]),
    ),
  );

function placeAfter({ ahead, seconds }: Before, throughput: Throughput | undefined): Place {
  const wait = throughput ? secondsUntilStart(throughput, seconds) : null;
  return { position: ahead + 1, etaSeconds: wait === null ? null : Math.max(1, Math.ceil(wait)) };
}
