/**
 * Fair queueing, in SQL. Jobs are ordered by lane (`lanes` in libs/queue), then by virtual start time: one more than that
 * of the user's last job, and more than the lane's virtual time. A user's 500th job starts far in the future, another
 * user's first job next. The virtual start time is set once, when the job is stored; it needs no update as other jobs end.
 */

/** `ORDER BY` of waiting jobs, for every query that depends on the order. */
export const QUEUE_ORDER = 'lane, virtual_start, created_at, id';

/**
 * The virtual time of a lane: the virtual start time of the job started last, or one less than that of the first waiting
 * job. Null if the lane is empty.
 * @param queue and `lane`: SQL expressions
 */
export const virtualTimeOf = (queue: string, lane: string) => `greatest(
  (SELECT max(running.virtual_start) FROM jobs running
   WHERE running.status = 'running' AND running.queue = ${queue} AND running.lane = ${lane}),
  (SELECT min(first.virtual_start) - 1 FROM jobs first
   WHERE first.status = 'queued' AND first.queue = ${queue} AND first.lane = ${lane}
     AND (first.run_after IS NULL OR first.run_after <= now())))`;
