import { row, rows, type Database } from '#libs/database/sql.js';
import type { QueueName } from '#libs/tools/define-tool.js';
import type { JobRow, Place } from './job-row.js';
import { readPaces, secondsUntilStart, type Pace } from './pace.js';
import { ORDER } from './turns.js';

/** A waiting job with its place. */
export interface WaitingPlace extends Place {
  id: string;
  personId: string;
  position: number;
}

const PACE_FOR_MS = 2_000;

/**
 * Places in the queues, read from the job table: BullMQ cannot tell them. The order is the one that workers take jobs
 * in. A time is reckoned from how long each tool's jobs took of late, as if nobody else came.
 */
export class Places {
  /** One row is asked for twice, for the event and for the answer that it makes. */
  private readonly asked = new WeakMap<JobRow, Promise<Place | null>>();
  private paces: { readAt: number; read: Promise<Map<QueueName, Pace>> } | undefined;

  constructor(private readonly database: Database) {}

  /** The place of a waiting job; null for any other. */
  of(job: JobRow): Promise<Place | null> {
    const place = this.asked.get(job) ?? this.read(job);
    this.asked.set(job, place);
    return place;
  }

  /** The places of all waiting jobs of these people. */
  async ofPeople(personIds: string[]): Promise<WaitingPlace[]> {
    if (personIds.length === 0) return [];
    const paces = await this.recentPaces();
    const found = await rows<Before & { id: string; person_id: string; queue: QueueName }>(
      this.database,
      `SELECT id, person_id, queue, ahead, seconds FROM (
         SELECT id, person_id, queue, count(*) OVER before::integer AS ahead,
           coalesce(sum(${SECONDS_OF}) OVER before, 0) AS seconds
         FROM jobs WHERE status = 'queued'
         WINDOW before AS (PARTITION BY queue ORDER BY ${ORDER} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
       ) waiting WHERE person_id = ANY ($2)`,
      [secondsByQueue(paces), personIds],
    );
    return found.map(({ id, person_id, queue, ...before }) => ({
      id,
      personId: person_id,
      ...placeAfter(before, paces.get(queue)),
    }));
  }

  private async read(job: JobRow): Promise<Place | null> {
    if (job.status !== 'queued') return null;
    const paces = await this.recentPaces();
    const before = await row<Before>(
      this.database,
      `SELECT count(*)::integer AS ahead, coalesce(sum(${SECONDS_OF}), 0) AS seconds FROM jobs
       WHERE status = 'queued' AND queue = $2 AND (${ORDER}) < ($3, $4, $5, $6)`,
      [secondsByQueue(paces), job.queue, job.lane, job.turn, job.created_at, job.id],
    );
    return placeAfter(before ?? { ahead: 0, seconds: 0 }, paces.get(job.queue));
  }

  private recentPaces(): Promise<Map<QueueName, Pace>> {
    const known = this.paces;
    if (known && Date.now() - known.readAt < PACE_FOR_MS) return known.read;
    const read = readPaces(this.database);
    this.paces = { readAt: Date.now(), read };
    read.catch(() => (this.paces = undefined));
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

const secondsByQueue = (paces: Map<QueueName, Pace>) =>
  JSON.stringify(
    Object.fromEntries(
      [...paces].map(([queue, { seconds, averageSeconds }]) => [
        queue,
        { '': averageSeconds ?? 0, ...seconds },
      ]),
    ),
  );

function placeAfter({ ahead, seconds }: Before, pace: Pace | undefined): Place {
  const wait = pace ? secondsUntilStart(pace, seconds) : null;
  return { position: ahead + 1, etaSeconds: wait === null ? null : Math.max(1, Math.ceil(wait)) };
}
