/**
 * Fair queueing, in SQL. Lanes come first (`lanes` in libs/queue). Within a lane a job has a virtual start time: one
 * more than that of its user's last job, and more than the lane's virtual time. A user's 500th job starts far ahead,
 * another user's first one next. The virtual start time is set once, when the job is stored, and stays right as other
 * jobs end.
 */

/** What waiting jobs are sorted by, for every reader of the order. */
export const QUEUE_ORDER = 'lane, virtual_start, created_at, id';

/**
 * The virtual time of a lane: the virtual start time of the job started last, or one less than that of the first that
 * waits. Null where nothing waits or runs.
 * @param queue and `lane`: SQL expressions
 */
export const virtualTimeOf = (queue: string, lane: string) => `greatest(
  (SELECT max(running.virtual_start) FROM jobs running
   WHERE running.status = 'running' AND running.queue = ${queue} AND running.lane = ${lane}),
  (SELECT min(first.virtual_start) - 1 FROM jobs first
   WHERE first.status = 'queued' AND first.queue = ${queue} AND first.lane = ${lane}
     AND (first.run_after IS NULL OR first.run_after <= now())))`;
