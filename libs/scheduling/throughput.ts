import { z } from 'zod';
import { queueNames, type QueueName } from '#libs/contract/jobs.js';
import { queryRows, type Database } from '#libs/database/sql.js';

export interface Throughput {
  /** Number of jobs that the running workers can run at once. 0 if the queue is paused. */
  slots: number;
  isPaused: boolean;
  /** Average seconds of recent jobs, by tool. */
  seconds: Record<string, number>;
  /** Average seconds of recent jobs of all tools. Null without recent jobs. */
  averageSeconds: number | null;
  /** Estimated seconds until each running job ends. */
  remaining: number[];
  /** Sum of `remaining` by user. */
  remainingOf: Map<string, number>;
}

/** Number of recent jobs per tool that are averaged. */
const RECENT = 20;

export async function readThroughputs(database: Database): Promise<Map<QueueName, Throughput>> {
  // One query after another, since a transaction has only one connection.
  const slots = await readSlots(database);
  const averages = await readAverageSeconds(database);
  const running = await readRunning(database);
  return new Map(queueNames.map((name) => [name, throughputOf(name)]));

  function throughputOf(name: QueueName): Throughput {
    const found = slots.find(({ queue }) => queue === name);
    const known = averages.filter(({ queue }) => queue === name);
    const averageSeconds =
      known.length > 0 ? known.reduce((sum, { seconds }) => sum + seconds, 0) / known.length : null;
    const seconds = Object.fromEntries(known.map((one) => [one.tool, one.seconds]));
    const left = running
      .filter((one) => one.queue === name)
      .map(({ tool, userId, elapsed }) => ({
        userId,
        seconds: Math.max((seconds[tool] ?? averageSeconds ?? 0) - elapsed, 0),
      }));
    const remainingOf = new Map<string, number>();
    for (const one of left) remainingOf.set(one.userId, (remainingOf.get(one.userId) ?? 0) + one.seconds);
    return {
      slots: found?.slots ?? 0,
      isPaused: found?.isPaused ?? false,
      seconds,
      averageSeconds,
      remaining: left.map((one) => one.seconds),
      remainingOf,
    };
  }
}

const queue = z.enum(queueNames);

const readSlots = (database: Database) =>
  queryRows(
    database,
    z.object({ queue, slots: z.number(), isPaused: z.boolean() }),
    `SELECT name AS queue, is_paused AS "isPaused", CASE WHEN is_paused THEN 0 ELSE (
         SELECT coalesce(sum(slots), 0)::integer FROM worker_slots
         WHERE worker_slots.queue = name AND seen_at > now() - interval '15 seconds') END AS slots
     FROM (SELECT name, EXISTS (SELECT FROM paused_queues WHERE paused_queues.queue = name) AS is_paused
       FROM unnest($1::text[]) AS named(name)) queues`,
    [queueNames],
  );

/** Excludes jobs with several attempts, since their durations include waiting. */
const readAverageSeconds = (database: Database) =>
  queryRows(
    database,
    z.object({ queue, tool: z.string(), seconds: z.number() }),
    `SELECT queue, tool, avg(extract(epoch FROM finished_at - started_at))::float AS seconds FROM (
       SELECT queue, tool, started_at, finished_at, row_number() OVER (PARTITION BY queue, tool ORDER BY finished_at DESC) AS nth
       FROM unnest($1::text[]) AS named(name) CROSS JOIN LATERAL (
         SELECT queue, tool, started_at, finished_at FROM jobs
         WHERE queue = name AND status = 'succeeded' AND attempts = 1
         ORDER BY finished_at DESC LIMIT ${RECENT * 5}) recent
     ) numbered WHERE nth <= ${RECENT} GROUP BY queue, tool`,
    [queueNames],
  );

const readRunning = (database: Database) =>
  queryRows(
    database,
    z.object({ queue, tool: z.string(), userId: z.string(), elapsed: z.number() }),
    `SELECT queue, tool, user_id AS "userId", extract(epoch FROM now() - started_at)::float AS elapsed FROM jobs WHERE status = 'running'`,
  );

/** Seconds of waiting work, relative to one job. */
export interface WaitingWork {
  /** Work of all users ahead of the job. */
  ahead: number;
  /** Work of the job's user ahead of the job, including the remaining time of running jobs. */
  own: number;
  /** Work of other users with the same or a higher plan, both ahead of the job and behind it. */
  others: number;
}

/**
 * Estimates the seconds until a job starts, given that its user gets at most half of the slots while other users wait.
 * Null if unknown.
 */
export function secondsUntilTurn(throughput: Throughput, { ahead, own, others }: WaitingWork): number | null {
  const inOrder = secondsUntilStart(throughput, ahead);
  if (inOrder === null) return null;
  const { slots } = throughput;
  return Math.max(inOrder, Math.min(own / Math.ceil(slots / 2), (own + others) / slots));
}

/**
 * Estimates the seconds until a slot is free for a job that waits behind `secondsAhead` seconds of work.
 * @returns null if there is no data for an estimate
 */
export function secondsUntilStart(
  { slots, averageSeconds, remaining }: Throughput,
  secondsAhead: number,
): number | null {
  if (slots === 0 || averageSeconds === null) return null;
  // There may be more running jobs than slots, since jobs of a stopped worker still count as running. Ignore the
  // surplus: these jobs free no slot.
  const busy = remaining.toSorted((a, b) => a - b).slice(0, slots);
  const free = Array<number>(slots - busy.length).fill(0);
  const freeAt = [...free, ...busy];
  // The work ahead is spread over all free slots. Each slot that becomes free takes its part of the rest.
  let now = freeAt[0] ?? 0;
  let left = secondsAhead;
  for (let open = 1; open <= slots; open += 1) {
    const next = freeAt[open] ?? Infinity;
    if ((next - now) * open >= left) return now + left / open;
    left -= (next - now) * open;
    now = next;
  }
  return now;
}
