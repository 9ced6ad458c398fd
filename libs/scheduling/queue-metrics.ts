import { z } from 'zod';
import { queueNames } from '#libs/contract/jobs.js';
import { PausedQueueEntity } from '#libs/database/entities/jobs.js';
import { queryRows, type Database } from '#libs/database/sql.js';
import { queueJobs, queueOldestWait, queuePaused, queueSlots } from '#libs/observability/metrics.js';

const priorities = ['premium', 'standard'];

/**
 * Updates the queue gauges from the job table, which is complete even if the queue lost entries. Only API processes
 * report these gauges, and all report the same values.
 */
export async function collectQueues(dataSource: Database): Promise<void> {
  for (const gauge of [queueJobs, queueOldestWait, queueSlots, queuePaused]) gauge.reset();
  const [states, slots, paused] = await Promise.all([
    readQueueStates(dataSource),
    readSlots(dataSource),
    dataSource.getRepository(PausedQueueEntity).find(),
  ]);
  for (const queue of queueNames) {
    for (const priority of priorities) {
      const state = states.find((one) => one.queue === queue && one.priority === priority);
      queueJobs.set({ queue, priority, status: 'queued' }, state?.queued ?? 0);
      queueJobs.set({ queue, priority, status: 'running' }, state?.running ?? 0);
      queueOldestWait.set({ queue, priority }, state?.oldest ?? 0);
    }
    queueSlots.set({ queue }, slots.find((one) => one.queue === queue)?.slots ?? 0);
    queuePaused.set({ queue }, paused.some((one) => one.queue === queue) ? 1 : 0);
  }
}

/** Unfinished jobs by queue and priority, with the longest wait in seconds of a job that never started. */
export const readQueueStates = (dataSource: Database) =>
  queryRows(
    dataSource,
    z.object({
      queue: z.string(),
      priority: z.string(),
      queued: z.number(),
      running: z.number(),
      oldest: z.number(),
    }),
    `SELECT queue, priority,
       (count(*) FILTER (WHERE status = 'queued'))::integer AS queued,
       (count(*) FILTER (WHERE status = 'running'))::integer AS running,
       coalesce(extract(epoch FROM now() - min(created_at)
         FILTER (WHERE status = 'queued' AND started_at IS NULL)), 0)::float AS oldest
     FROM jobs WHERE status IN ('queued', 'running') GROUP BY queue, priority`,
  );

/** Concurrent jobs of all running workers, by queue. */
export const readSlots = (dataSource: Database) =>
  queryRows(
    dataSource,
    z.object({ queue: z.string(), slots: z.number() }),
    `SELECT queue, sum(slots)::integer AS slots FROM worker_slots
     WHERE seen_at > now() - interval '15 seconds' GROUP BY queue`,
  );
