import type { Lane } from '#libs/contract/jobs.js';

/**
 * A queue's lanes: every job of a lower one goes before all of a higher. A standard job that has waited for long is
 * moved to the lane of the overdue. The jobs of users who are slowed down (libs/scheduling/fair-shares.ts) are in the last lane.
 */
export const lanes = { overdue: 0, premium: 1, standard: 2, slowed: 3 } as const satisfies Record<
  string,
  Lane
>;
export type { Lane };

/** The last virtual start time of a lane; a later one counts as this. */
export const MAX_VIRTUAL_START = 690_000;

/** BullMQ's priorities run from 1 (first) to this; an entry without one would overtake all others. */
const LAST_PRIORITY = 2_097_152;

/** The last lane has what is left of the priorities: its later jobs count as equal. */
export const queuePriority = ({ lane, virtualStart }: { lane: Lane; virtualStart: number }): number =>
  Math.min(
    1 + lane * (MAX_VIRTUAL_START + 1) + Math.min(Math.max(virtualStart, 0), MAX_VIRTUAL_START),
    LAST_PRIORITY,
  );
