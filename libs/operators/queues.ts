import { z } from 'zod';
import {
  queueStateSchema,
  type MaintenanceTask,
  type Program,
  type QueueState,
} from '#libs/contract/admin.js';
import { queueNames } from '#libs/contract/jobs.js';
import { MaintenanceTaskEntity, ProgramEntity } from '#libs/database/entities/operations.js';
import { queryRows, type Database } from '#libs/database/sql.js';
import { WAITING_SINCE } from './jobs.js';

export const readQueues = (database: Database): Promise<QueueState[]> =>
  queryRows(database, queueStateSchema, QUEUES, [queueNames, ['premium', 'standard']]);

// Failed and cancelled jobs have no index by their end, but their age limits the part of the table that is read.
const QUEUES = `
  WITH unfinished AS (
    SELECT queue, priority, count(*) FILTER (WHERE status = 'queued') AS waiting,
      count(*) FILTER (WHERE status = 'running') AS running
    FROM jobs WHERE status IN ('queued', 'running') GROUP BY queue, priority
  ), oldest AS (
    SELECT DISTINCT ON (queue, priority) queue, priority, id, ${WAITING_SINCE} AS since
    FROM jobs WHERE status = 'queued' ORDER BY queue, priority, ${WAITING_SINCE}, id
  ), succeeded AS (
    SELECT queue, priority, count(*) AS recent FROM jobs
    WHERE status = 'succeeded' AND queue = ANY ($1) AND finished_at > now() - interval '5 minutes' GROUP BY queue, priority
  ), others AS (
    SELECT queue, priority, count(*) FILTER (WHERE finished_at > now() - interval '5 minutes') AS recent,
      count(*) FILTER (WHERE status = 'failed') AS failed
    FROM jobs WHERE status IN ('failed', 'cancelled') AND created_at > now() - interval '1 day'
      AND finished_at > now() - interval '1 hour' GROUP BY queue, priority
  )
  SELECT name AS queue,
    jsonb_object_agg(plan, jsonb_build_object(
      'waiting', coalesce(waiting, 0), 'running', coalesce(running, 0),
      'oldestWaitSeconds', CASE WHEN since <= now() THEN round(extract(epoch FROM now() - since)) END, 'oldestJobId', oldest.id,
      'endedPerMinute', (coalesce(succeeded.recent, 0) + coalesce(others.recent, 0)) / 5.0)) AS plans,
    total AS slots, reserved_slots(name, total) AS "reservedSlots",
    coalesce(sum(failed), 0)::integer AS "failedLastHour",
    paused.queue IS NOT NULL AS paused, paused.reason
  FROM unnest($1::text[]) WITH ORDINALITY AS names(name, place)
  CROSS JOIN unnest($2::text[]) AS plans(plan)
  CROSS JOIN LATERAL (SELECT coalesce(sum(slots), 0)::integer AS total FROM worker_slots
    WHERE queue = name AND seen_at > now() - interval '15 seconds') AS open_slots
  LEFT JOIN unfinished ON unfinished.queue = name AND unfinished.priority = plan
  LEFT JOIN oldest ON oldest.queue = name AND oldest.priority = plan
  LEFT JOIN succeeded ON succeeded.queue = name AND succeeded.priority = plan
  LEFT JOIN others ON others.queue = name AND others.priority = plan
  LEFT JOIN paused_queues paused ON paused.queue = name
  GROUP BY name, place, total, paused.queue, paused.reason
  ORDER BY place`;

/** Seconds after which a program that has not written counts as gone. */
const RUNNING_SECONDS = 15;

export const readPrograms = async (database: Database): Promise<Program[]> => {
  const [now] = await queryRows(database, z.object({ now: z.date() }), 'SELECT now() AS now');
  const programs = await database
    .getRepository(ProgramEntity)
    .find({ order: { kind: 'ASC', startedAt: 'ASC' } });
  return programs.map(({ startedAt, seenAt, ...program }) => ({
    ...program,
    startedAt: startedAt.toISOString(),
    seenAt: seenAt.toISOString(),
    isRunning: now!.now.getTime() - seenAt.getTime() < RUNNING_SECONDS * 1_000,
  }));
};

export const readMaintenanceTasks = async (database: Database): Promise<MaintenanceTask[]> => {
  const tasks = await database.getRepository(MaintenanceTaskEntity).find({ order: { name: 'ASC' } });
  return tasks.map(({ ranAt, ...task }) => ({ ...task, ranAt: ranAt.toISOString() }));
};
