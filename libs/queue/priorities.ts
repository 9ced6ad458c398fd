import type { Lane } from '#libs/contract/queues.js';

/**
 * A queue's lanes: every job of a lower one goes before all of a higher. A standard job that has waited for long is
 * moved to the lane of the overdue.
 */
export const lanes = { overdue: 0, premium: 1, standard: 2 } as const satisfies Record<string, Lane>;
export type { Lane };

/** Turns that a lane has room for; a turn after the last counts as the last. */
export const TURNS_IN_LANE = 690_000;

/** BullMQ's priorities run from 1 (first) to 2,097,152; an entry without one would overtake all others. */
export const queuePriority = ({ lane, turn }: { lane: Lane; turn: number }): number =>
  1 + lane * (TURNS_IN_LANE + 1) + Math.min(Math.max(turn, 0), TURNS_IN_LANE);
