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

export const readQueues = (database: Database): Promise<QueueState[]> =>
  queryRows(database, queueStateSchema, QUEUES, [queueNames]);

const QUEUES = `
  SELECT name AS queue,
    jsonb_build_object(
      'premium', (SELECT count(*) FROM jobs WHERE queue = name AND status = 'queued' AND priority = 'premium'),
      'standard', (SELECT count(*) FROM jobs WHERE queue = name AND status = 'queued' AND priority = 'standard')) AS waiting,
    (SELECT count(*)::integer FROM jobs WHERE queue = name AND status = 'running') AS running,
    (SELECT coalesce(sum(slots), 0)::integer FROM worker_slots
     WHERE queue = name AND seen_at > now() - interval '15 seconds') AS slots,
    round(extract(epoch FROM now() - oldest.created_at))::integer AS "oldestWaitSeconds",
    oldest.id AS "oldestJobId",
    (SELECT count(*) FROM jobs WHERE queue = name AND status = 'succeeded'
     AND finished_at > now() - interval '5 minutes')::float / 5 AS "finishedPerMinute",
    (SELECT count(*)::integer FROM jobs WHERE queue = name AND status = 'failed'
     AND created_at > now() - interval '2 hours' AND finished_at > now() - interval '1 hour') AS "failedLastHour",
    paused.queue IS NOT NULL AS paused, paused.reason
  FROM unnest($1::text[]) WITH ORDINALITY AS names(name, place)
  LEFT JOIN paused_queues paused ON paused.queue = name
  LEFT JOIN LATERAL (
    SELECT id, created_at FROM jobs WHERE jobs.queue = name AND status = 'queued' ORDER BY created_at LIMIT 1) oldest ON true
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
