import type { QueueName } from '#libs/tools/define-tool.js';

interface QueueSettings {
  /** Milliseconds a worker may hold an entry without renewing its lock; a dead worker's job is back after that. */
  lockDuration: number;
  /** Milliseconds between looks for entries whose worker died. */
  stalledInterval: number;
}

/** Every queue and how its workers hold entries. A queue without settings does not compile. */
export const queueSettings: Record<QueueName, QueueSettings> = {
  text: { lockDuration: 10_000, stalledInterval: 5_000 },
  image: { lockDuration: 20_000, stalledInterval: 5_000 },
  pdf: { lockDuration: 20_000, stalledInterval: 5_000 },
};

export const queueNames = Object.keys(queueSettings) as QueueName[];

/** BullMQ's priorities run from 1 (first) to 2,097,152; an entry without one would overtake all others. */
export const queuePriority = { premium: 100, standard: 1_000 } as const;
export type Priority = keyof typeof queuePriority;
