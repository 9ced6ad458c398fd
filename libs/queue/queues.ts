import type { QueueName } from '#libs/tools/define-tool.js';

/** Every queue; one that a tool names and that is missing here does not compile. */
const queues: Record<QueueName, true> = { text: true, image: true, pdf: true };
export const queueNames = Object.keys(queues) as QueueName[];

/** BullMQ's priorities run from 1 (first) to 2,097,152; an entry without one would overtake all others. */
export const queuePriority = { premium: 100, standard: 1_000 } as const;
export type Priority = keyof typeof queuePriority;
