import { rows, type Database } from '#libs/database/sql.js';
import { queueNames } from '#libs/contract/queues.js';
import type { QueueName } from '#libs/contract/queues.js';

/** How fast a queue moves. */
export interface Throughput {
  /** Jobs that the living workers can run at once; none of a queue that an operator holds. */
  slots: number;
  /** Seconds that jobs took of late, by tool; every tool of the queue where only others are known. */
  seconds: Record<string, number>;
  /** Over all tools; null while nothing is known. */
  averageSeconds: number | null;
  /** Seconds that each running job has still to go. */
  remaining: number[];
}

/** Jobs of each tool that an average is made of. */
const RECENT = 20;

/**
 * The paces of all queues. Jobs that failed or were lost on the way are left out of the averages: their times hold
 * pauses in which no slot was taken.
 */
export async function readThroughputs(database: Database): Promise<Map<QueueName, Throughput>> {
  // One after the other: a transaction has one connection, which must not be asked while it answers.
  const slots = await rows<{ queue: QueueName; slots: number }>(
    database,
    `SELECT queue, sum(slots)::integer AS slots FROM worker_slots
     WHERE seen_at > now() - interval '15 seconds'
       AND queue NOT IN (SELECT queue FROM paused_queues) GROUP BY queue`,
  );
  const late = await rows<{ queue: QueueName; tool: string; seconds: number }>(
    database,
    `SELECT queue, tool, avg(extract(epoch FROM finished_at - started_at))::float AS seconds FROM (
       SELECT queue, tool, started_at, finished_at, row_number() OVER (PARTITION BY queue, tool ORDER BY finished_at DESC) AS nth
       FROM unnest($1::text[]) AS named(name) CROSS JOIN LATERAL (
         SELECT queue, tool, started_at, finished_at FROM jobs
         WHERE queue = name AND status = 'succeeded' AND attempts = 1
         ORDER BY finished_at DESC LIMIT ${RECENT * 5}) late
     ) numbered WHERE nth <= ${RECENT} GROUP BY queue, tool`,
    [queueNames],
  );
  const running = await rows<{ queue: QueueName; tool: string; elapsed: number }>(
    database,
    `SELECT queue, tool, extract(epoch FROM now() - started_at)::float AS elapsed FROM jobs WHERE status = 'running'`,
  );
  return new Map(queueNames.map((name) => [name, throughputOf(name)]));

  function throughputOf(name: QueueName): Throughput {
    const known = late.filter(({ queue }) => queue === name);
    const averageSeconds =
      known.length > 0 ? known.reduce((sum, { seconds }) => sum + seconds, 0) / known.length : null;
    const seconds = Object.fromEntries(known.map((one) => [one.tool, one.seconds]));
    return {
      slots: slots.find(({ queue }) => queue === name)?.slots ?? 0,
      seconds,
      averageSeconds,
      remaining: running
        .filter(({ queue }) => queue === name)
        .map(({ tool, elapsed }) => Math.max((seconds[tool] ?? averageSeconds ?? 0) - elapsed, 0)),
    };
  }
}

/**
 * Seconds until work of so many seconds that stands before a job has been begun, and a slot is free for it. Each slot
 * goes on with the next job when it is done with what it has.
 * @returns null while nothing is known to reckon with
 */
export function secondsUntilStart(
  { slots, averageSeconds, remaining }: Throughput,
  before: number,
): number | null {
  if (slots === 0 || averageSeconds === null) return null;
  // More running than there are slots: workers that have left are not waited for by anybody else.
  const free = remaining.toSorted((a, b) => a - b).slice(0, slots);
  while (free.length < slots) free.unshift(0);
  // As water rises over steps: until the work before is all in, from the slot that is free first.
  let level = free[0] ?? 0;
  let left = before;
  for (let open = 1; open <= slots; open += 1) {
    const next = free[open] ?? Infinity;
    if ((next - level) * open >= left) return level + left / open;
    left -= (next - level) * open;
    level = next;
  }
  return level;
}
