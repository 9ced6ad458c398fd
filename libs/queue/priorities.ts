import type { Lane } from '#libs/contract/jobs.js';

/**
 * The lanes of a queue. All jobs of a lower lane start before any job of a higher lane. Standard jobs that have waited too
 * long, or that are next for a slot that premium jobs leave free, move to `overdue`. Jobs of users whose jobs exceeded limits
 * repeatedly or took much CPU time (libs/scheduling/fair-shares.ts) are `slowed`.
 */
export const lanes = { overdue: 0, premium: 1, standard: 2, slowed: 3 } as const satisfies Record<
  string,
  Lane
>;

/** Virtual start times above this maximum are treated as equal, because the range of priorities is limited. */
export const MAX_VIRTUAL_START = 690_000;

/** BullMQ's lowest priority; 1 is the highest. Entries without a priority would overtake all others. */
const LAST_PRIORITY = 2_097_152;

/**
 * Maps lane and virtual start time to a priority. The last lane has fewer priorities, so its later jobs are treated as
 * equal.
 */
export const queuePriority = ({ lane, virtualStart }: { lane: Lane; virtualStart: number }): number =>
  Math.min(
    1 + lane * (MAX_VIRTUAL_START + 1) + Math.min(Math.max(virtualStart, 0), MAX_VIRTUAL_START),
    LAST_PRIORITY,
  );
