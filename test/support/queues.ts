import { randomUUID } from 'node:crypto';
import { afterEach } from '@jest/globals';
import type { QueueConfig } from '#libs/config/environment.js';
import {
  createJobQueue,
  type Disposition,
  type JobQueue,
  type QueueEntry,
  type QueueWorker,
} from '#libs/queue/job-queue.js';
import { lanes } from '#libs/queue/priorities.js';
import { queueNames, type Priority } from '#libs/contract/queues.js';
import { query } from '../../scripts/stack/postgres.ts';
import type { TestBackend } from './backends.ts';
import { until } from './until.ts';

export const DONE: Disposition = { done: true };

/** Where queue and rows of a suite are, unless it is told otherwise. */
export interface QueuePositions {
  config: QueueConfig;
  databaseUrl: string;
}

/** Queues and workers of one test; they are closed, and the queue emptied, when it ends. */
export function useQueues(backend: () => TestBackend) {
  const closing: (() => Promise<unknown>)[] = [];

  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
    const { database, redis } = backend();
    if (redis) await redis.flush();
    else await query(database.url, 'TRUNCATE bullmq.job CASCADE');
  });

  function open(places: Partial<QueuePositions> = {}): JobQueue {
    const { config, database } = backend();
    const queue = createJobQueue({
      config,
      databaseUrl: database.url,
      onError: () => undefined,
      ...places,
    });
    closing.push(() => queue.close());
    return queue;
  }

  function work(
    queue: JobQueue,
    process: (jobId: string) => Promise<Disposition>,
    { concurrency = 1, leaseSeconds = 10, name = queueNames[0]! } = {},
  ): QueueWorker {
    const worker = queue.work({ queue: name, concurrency, leaseSeconds, process, onError: () => undefined });
    closing.push(() => worker.close());
    return worker;
  }

  return {
    open,
    work,

    /** A worker that takes note of what it is handed, in order. */
    taking(queue: JobQueue): string[] {
      const taken: string[] = [];
      work(queue, async (jobId) => {
        taken.push(jobId);
        return DONE;
      });
      return taken;
    },

    /** Called when the test has ended, the latest first. */
    onEnd: (close: () => Promise<unknown>) => void closing.push(close),
  };
}

/** An entry of the text queue. */
export const entry = (
  priority: Priority = 'standard',
  jobId: string = randomUUID(),
  delay?: number,
): QueueEntry => ({
  jobId,
  queue: 'text',
  tool: 'generate-article',
  lane: lanes[priority],
  turn: 1,
  delay,
});

export const emptied = (queue: JobQueue) =>
  until('the queue to be empty', async () => (await queue.count('text')) === 0);
