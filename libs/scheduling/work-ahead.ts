import { z } from 'zod';
import { queueNames, type QueueName } from '#libs/contract/jobs.js';
import type { JobEntity } from '#libs/database/entities/jobs.js';
import { queryRow, queryRows, type Database } from '#libs/database/sql.js';
import { lanes } from '#libs/queue/priorities.js';
import { QUEUE_ORDER } from './fair-queueing.js';
import type { Throughput } from './throughput.js';

/**
 * Waiting work relative to a job, as jobs and as seconds (see `WaitingWork`). Counted in short queues, estimated in
 * long ones.
 */

export const workAheadSchema = z.object({
  /** Numbers of jobs ahead: all, premium jobs of other users, and jobs of the same user. */
  ahead: z.number(),
  premiumAhead: z.number(),
  ownAhead: z.number(),
  seconds: z.number(),
  own: z.number(),
  others: z.number(),
});
export type WorkAhead = z.infer<typeof workAheadSchema>;

/** `isWhole` is false if the queue was too long to count the jobs behind this job. */
export const countedWorkSchema = workAheadSchema.extend({ isWhole: z.boolean() });
export type CountedWork = z.infer<typeof countedWorkSchema>;

/** Waiting work of the job's own user ahead of the job. */
export interface OwnWork {
  ahead: number;
  seconds: number;
}

/** Maximum number of waiting jobs that are counted. Longer queues are estimated. */
export const COUNTED_AT_MOST = 100;

/** Average seconds of a job by tool. The key '' is the average for all other tools. */
export const secondsOfTools = (throughput: Throughput | undefined): Record<string, number> => ({
  '': throughput?.averageSeconds ?? 0,
  ...throughput?.seconds,
});

/** Counts the waiting work ahead of a job. `counted` is null if too many jobs are ahead. */
export async function readWorkAhead(
  database: Database,
  throughput: Throughput | undefined,
  { queue, lane, virtualStart, createdAt, id, userId }: JobEntity,
): Promise<{ own: OwnWork; counted: CountedWork | null }> {
  const found = await queryRow(
    database,
    workAheadSchema.extend({ waiting: z.number() }),
    `SELECT count(*)::integer AS waiting,
       count(*) FILTER (WHERE is_ahead)::integer AS ahead,
       count(*) FILTER (WHERE is_ahead AND lane = ${lanes.premium} AND user_id <> $7)::integer AS "premiumAhead",
       coalesce(sum(waiting.seconds) FILTER (WHERE is_ahead), 0) AS seconds,
       coalesce(sum(waiting.seconds) FILTER (WHERE user_id <> $7), 0) AS others,
       own.ahead AS "ownAhead", own.seconds AS own
     FROM (
       SELECT user_id, lane, coalesce($1::jsonb ->> tool, $1::jsonb ->> '')::float AS seconds,
         (${QUEUE_ORDER}) < ($3, $4, $5, $6) AS is_ahead
       FROM jobs WHERE status = 'queued' AND queue = $2 AND lane <= $3
       ORDER BY ${QUEUE_ORDER} LIMIT ${COUNTED_AT_MOST}) AS waiting
     RIGHT JOIN (
       SELECT count(*)::integer AS ahead,
         coalesce(sum(coalesce($1::jsonb ->> tool, $1::jsonb ->> '')::float), 0) AS seconds
       FROM jobs WHERE user_id = $7 AND status = 'queued' AND queue = $2 AND (${QUEUE_ORDER}) < ($3, $4, $5, $6)
     ) AS own ON true
     GROUP BY own.ahead, own.seconds`,
    [JSON.stringify(secondsOfTools(throughput)), queue, lane, virtualStart, createdAt, id, userId],
  );
  const { waiting, ...counted } = found!;
  const own = { ahead: counted.ownAhead, seconds: counted.own };
  const isWhole = waiting < COUNTED_AT_MOST;
  return { own, counted: counted.ahead < COUNTED_AT_MOST ? { ...counted, isWhole } : null };
}

/** Totals of the waiting jobs that share a lane and a virtual start time. */
export interface WaitingCount {
  queue: QueueName;
  lane: number;
  virtualStart: number;
  jobs: number;
  seconds: number;
  /** `firstAt` and `lastAt`: creation times of the oldest and the newest job, in milliseconds since 1970. */
  firstAt: number;
  lastAt: number;
}

/** Counts the waiting jobs of all queues. */
export const readWaitingCounts = (
  database: Database,
  throughputs: ReadonlyMap<QueueName, Throughput>,
): Promise<WaitingCount[]> =>
  queryRows(
    database,
    z.object({
      queue: z.enum(queueNames),
      lane: z.number(),
      virtualStart: z.number(),
      jobs: z.number(),
      seconds: z.number(),
      firstAt: z.number(),
      lastAt: z.number(),
    }),
    `SELECT queue, lane, virtual_start AS "virtualStart", count(*)::integer AS jobs,
       sum(coalesce($1::jsonb -> queue ->> tool, $1::jsonb -> queue ->> '')::float) AS seconds,
       extract(epoch FROM min(created_at))::float * 1000 AS "firstAt",
       extract(epoch FROM max(created_at))::float * 1000 AS "lastAt"
     FROM jobs WHERE status = 'queued' GROUP BY queue, lane, virtual_start`,
    [
      JSON.stringify(
        Object.fromEntries(queueNames.map((name) => [name, secondsOfTools(throughputs.get(name))])),
      ),
    ],
  );

/** Estimates the work ahead of a job from recent counts of all jobs and the exact work of the job's user. */
export function estimateWorkAhead(
  counts: readonly WaitingCount[],
  job: Pick<JobEntity, 'queue' | 'lane' | 'virtualStart' | 'createdAt'>,
  own: OwnWork,
): WorkAhead {
  let [jobs, premium, seconds, all] = [0, 0, 0, 0];
  for (const count of counts) {
    if (count.queue !== job.queue || count.lane > job.lane) continue;
    const share = shareAhead(count, job);
    jobs += count.jobs * share;
    seconds += count.seconds * share;
    all += count.seconds;
    if (count.lane === lanes.premium) premium += count.jobs * share;
  }
  const ahead = Math.max(Math.round(jobs), own.ahead);
  const ownPremium = job.lane === lanes.premium ? own.ahead : 0;
  return {
    ahead,
    premiumAhead: Math.min(Math.max(Math.round(premium) - ownPremium, 0), ahead - own.ahead),
    ownAhead: own.ahead,
    seconds: Math.max(seconds, own.seconds),
    own: own.seconds,
    others: Math.max(all - own.seconds, 0),
  };
}

/**
 * Fraction of the counted jobs that are ahead of a job. At the same lane and virtual start, earlier jobs are ahead;
 * creation times are assumed to be evenly spread between `firstAt` and `lastAt`.
 */
function shareAhead(
  { lane, virtualStart, firstAt, lastAt }: WaitingCount,
  job: Pick<JobEntity, 'lane' | 'virtualStart' | 'createdAt'>,
): number {
  if (lane !== job.lane) return lane < job.lane ? 1 : 0;
  if (virtualStart !== job.virtualStart) return virtualStart < job.virtualStart ? 1 : 0;
  const madeAt = job.createdAt.getTime();
  if (madeAt > lastAt) return 1;
  return madeAt <= firstAt ? 0 : (madeAt - firstAt) / (lastAt - firstAt);
}
