import type { Lane } from '#libs/contract/jobs.js';

/**
 * A queue's lanes: every job of a lower lane starts before all jobs of a higher one. Standard jobs that have waited too long
 * move to the `overdue` lane. Jobs of users who are slowed down (libs/scheduling/fair-shares.ts) are in the last lane.
 */
export const lanes = { overdue: 0, premium: 1, standard: 2, slowed: 3 } as const satisfies Record<
  string,
  Lane
>;

/** The maximum virtual start time of a lane; later ones count as this. */
export const MAX_VIRTUAL_START = 690_000;

/** BullMQ's priorities range from 1 (first) to this. An entry without a priority would overtake all others. */
const LAST_PRIORITY = 2_097_152;

/** The last lane has the remaining priorities, so its later jobs count as equal. */
export const queuePriority = ({ lane, virtualStart }: { lane: Lane; virtualStart: number }): number =>
  Math.min(
    1 + lane * (MAX_VIRTUAL_START + 1) + Math.min(Math.max(virtualStart, 0), MAX_VIRTUAL_START),
    LAST_PRIORITY,
  );
