import type { Lane } from '#libs/contract/queues.js';

/**
 * A queue's lanes: every job of a lower one goes before all of a higher. A standard job that has waited for long is
 * moved to the lane of the overdue.
 */
export const lanes = { overdue: 0, premium: 1, standard: 2 } as const satisfies Record<string, Lane>;
export type { Lane };

/** The last virtual start time of a lane; a later one counts as this. */
export const MAX_VIRTUAL_START = 690_000;

/** BullMQ's priorities run from 1 (first) to 2,097,152; an entry without one would overtake all others. */
export const queuePriority = ({ lane, virtualStart }: { lane: Lane; virtualStart: number }): number =>
  1 + lane * (MAX_VIRTUAL_START + 1) + Math.min(Math.max(virtualStart, 0), MAX_VIRTUAL_START);
