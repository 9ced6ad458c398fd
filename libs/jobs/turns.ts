/**
 * The order of a queue, in SQL. Lanes come first (`lanes` in libs/queue). Within a lane everybody has turns, as at a
 * round table: a new job gets the turn after its user's last one, and no earlier one than the round that is being
 * served. So somebody's five hundredth job has a turn far ahead, and somebody else's first one the next. A turn is
 * given once, when a job is stored, and stays right whatever others do: nothing has to be counted anew as jobs end.
 */

/** What waiting jobs are sorted by; every reader of the order uses this. */
export const ORDER = 'lane, virtual_start, created_at, id';

/**
 * The round that a lane is in: the turn of what was started last, or the one before the first that waits. Null where
 * nothing waits or runs; then any turn is as good as another.
 * @param queue and `lane`: SQL expressions
 */
export const roundOf = (queue: string, lane: string) => `greatest(
  (SELECT max(running.virtual_start) FROM jobs running
   WHERE running.status = 'running' AND running.queue = ${queue} AND running.lane = ${lane}),
  (SELECT min(first.virtual_start) - 1 FROM jobs first
   WHERE first.status = 'queued' AND first.queue = ${queue} AND first.lane = ${lane}
     AND (first.run_after IS NULL OR first.run_after <= now())))`;
