/**
 * SQL for fair queueing. Jobs are ordered by lane (`lanes` in libs/queue), then by virtual start time. A new job's
 * virtual start time is 1 more than that of the user's last job, and at least 1 more than the lane's virtual time. So a
 * user's 500th job starts far in the future, but another user's first job starts next. The virtual start time is set
 * when the job is stored and needs no update when other jobs end.
 */

/** `ORDER BY` columns of waiting jobs. Every query that depends on the queue's order must use this constant. */
export const QUEUE_ORDER = 'lane, virtual_start, created_at, id';

/**
 * SQL for the virtual time of a lane: the highest virtual start time of its running jobs, or 1 less than that of its
 * first waiting job if this is higher. Null if the lane is empty.
 * @param queue SQL expression
 * @param lane SQL expression
 */
export const virtualTimeOf = (queue: string, lane: string) => `greatest(
  (SELECT max(running.virtual_start) FROM jobs running
   WHERE running.status = 'running' AND running.queue = ${queue} AND running.lane = ${lane}),
  (SELECT min(first.virtual_start) - 1 FROM jobs first
   WHERE first.status = 'queued' AND first.queue = ${queue} AND first.lane = ${lane}
     AND (first.run_after IS NULL OR first.run_after <= now())))`;
