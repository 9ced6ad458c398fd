import { Cluster, Redis } from 'ioredis';
import type { QueueConfig } from '#libs/config/environment.js';
import { queueNames } from '#libs/contract/jobs.js';
import { settleWithin } from '#libs/resilience/policies.js';
import { queueOptions, ReconnectingQueue } from './bullmq.js';

/** Prefix of the keys of all queues until version 0.2. */
const PREVIOUS_PREFIX = '{pressroom}';
const WITHIN_MS = 10_000;
const MAX_ACTIVE = 1_000;

/**
 * Deletes the entries of programs of version 0.2 and the keys of their queues, unless such a program still processes an
 * entry. The reconciler adds the jobs again, under the new prefix. Does nothing on PostgreSQL, which has no prefix.
 * @returns the number of deleted entries
 */
export async function deletePreviousEntries(config: QueueConfig): Promise<number> {
  if (config.kind === 'postgres') return 0;
  let deleted = 0;
  for (const name of queueNames) {
    const options = { ...queueOptions(config, ''), prefix: PREVIOUS_PREFIX, skipMetasUpdate: true };
    const queue = new ReconnectingQueue(name, options);
    queue.on('error', () => undefined);
    try {
      deleted += await settleWithin(WITHIN_MS, () => deleteEntries(queue));
    } finally {
      await queue.close();
    }
  }
  return deleted;
}

async function deleteEntries(queue: ReconnectingQueue): Promise<number> {
  await queue.waitUntilReady();
  const counts = await queue.getJobCounts('active', 'waiting', 'prioritized', 'delayed');
  const entries = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const isUnused = entries === 0 && (await queue.backend.getQueueMetaField('version')) === null;
  if (isUnused) return 0;
  // No program takes an entry of a paused queue, so that none is taken after the check.
  const wasPaused = await queue.isPaused();
  await queue.pause();
  let isDeleted = false;
  try {
    if (await isProcessed(queue)) return 0;
    await queue.obliterate({ force: true });
    isDeleted = true;
    return entries;
  } finally {
    if (!isDeleted && !wasPaused) await queue.resume();
  }
}

/** True if a worker holds, or may hold, the lock of an active entry. */
async function isProcessed(queue: ReconnectingQueue): Promise<boolean> {
  const { connection } = queue.opts;
  if (!(connection instanceof Redis || connection instanceof Cluster)) return true;
  const active = await queue.getRanges(['active'], 0, MAX_ACTIVE - 1);
  const locks = await Promise.all(
    active.map((id) => connection.exists(`${PREVIOUS_PREFIX}:${queue.name}:${id}:lock`)),
  );
  return locks.includes(1);
}
