import { row, rows, type Database } from '#libs/database/sql.js';
import { queueNames } from '#libs/queue/queues.js';
import type { QueueName } from '#libs/tools/define-tool.js';
import type { JobRow, Place } from './job-row.js';

/** How fast a queue moves: slots of living workers, and seconds a job of late took. */
interface Pace {
  slots: number;
  averageSeconds: number | null;
}

/** A waiting job with its place. */
export interface WaitingPlace extends Place {
  id: string;
  personId: string;
  position: number;
}

const PACE_FOR_MS = 2_000;

/**
 * Places in the queues, read from the job table: BullMQ cannot tell them. The order is the one that workers take
 * jobs in: premium first, then by age.
 */
export class Places {
  /** One row is asked for twice, for the event and for the answer that it makes. */
  private readonly asked = new WeakMap<JobRow, Promise<Place | null>>();
  private readonly paces = new Map<QueueName, { readAt: number; pace: Promise<Pace> }>();

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
    const found = await rows<{ id: string; person_id: string; queue: QueueName; position: number }>(
      this.database,
      `SELECT id, person_id, queue, position FROM (
         SELECT id, person_id, queue,
           row_number() OVER (PARTITION BY queue ORDER BY priority, created_at, id)::integer AS position
         FROM jobs WHERE status = 'queued'
       ) waiting WHERE person_id = ANY ($1)`,
      [personIds],
    );
    const paces = new Map(
      await Promise.all(queueNames.map(async (queue) => [queue, await this.pace(queue)] as const)),
    );
    return found.map(({ id, person_id, queue, position }) => ({
      id,
      personId: person_id,
      position,
      etaSeconds: eta(position, paces.get(queue)),
    }));
  }

  private async read(job: JobRow): Promise<Place | null> {
    if (job.status !== 'queued') return null;
    const ahead = await row<{ count: number }>(
      this.database,
      `SELECT count(*)::integer AS count FROM jobs
       WHERE status = 'queued' AND queue = $1 AND (priority, created_at, id) < ($2, $3, $4)`,
      [job.queue, job.priority, job.created_at, job.id],
    );
    const position = (ahead?.count ?? 0) + 1;
    return { position, etaSeconds: eta(position, await this.pace(job.queue)) };
  }

  private pace(queue: QueueName): Promise<Pace> {
    const known = this.paces.get(queue);
    if (known && Date.now() - known.readAt < PACE_FOR_MS) return known.pace;
    const pace = this.readPace(queue);
    this.paces.set(queue, { readAt: Date.now(), pace });
    pace.catch(() => this.paces.delete(queue));
    return pace;
  }

  private async readPace(queue: QueueName): Promise<Pace> {
    const found = await row<{ slots: number; seconds: number | null }>(
      this.database,
      `SELECT
         (SELECT coalesce(sum(slots), 0)::integer FROM worker_slots
          WHERE queue = $1 AND seen_at > now() - interval '15 seconds') AS slots,
         (SELECT avg(extract(epoch FROM finished_at - started_at))::float FROM (
            SELECT started_at, finished_at FROM jobs
            WHERE queue = $1 AND status = 'succeeded' ORDER BY finished_at DESC LIMIT 20
          ) late) AS seconds`,
      [queue],
    );
    return { slots: found?.slots ?? 0, averageSeconds: found?.seconds ?? null };
  }
}

/** Seconds until the job in this place starts; null while nothing is known to reckon with. */
function eta(position: number, pace: Pace | undefined): number | null {
  if (!pace || pace.slots === 0 || pace.averageSeconds === null) return null;
  return Math.ceil((position / pace.slots) * pace.averageSeconds);
}
