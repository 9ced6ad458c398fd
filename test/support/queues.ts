import { randomUUID } from 'node:crypto';
import { afterEach } from '@jest/globals';
import { BullRegistrar, Processor } from '@nestjs/bullmq';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { QueueConfig } from '#libs/config/environment.js';
import { workerOptions, type WorkerSettings } from '#libs/queue/bullmq.js';
import { EntryProcessor, type Disposition } from '#libs/queue/entry-processor.js';
import {
  createJobQueue,
  type JobQueueOptions,
  type JobQueue,
  type QueueEntry,
} from '#libs/queue/job-queue.js';
import { QueueModule } from '#libs/queue/queue.module.js';
import { lanes } from '#libs/queue/priorities.js';
import { queueNames, type Priority, type QueueName } from '#libs/contract/jobs.js';
import { query } from '../../scripts/stack/query.ts';
import type { TestBackend } from './backends.ts';
import { until } from './until.ts';

export const DONE: Disposition = { done: true };

/** The services of a queue, other than those of its suite. */
export interface QueueLocation {
  config: QueueConfig;
  databaseUrl: string;
}

export interface TestWorker {
  /** Renewals of the locks of its entries: successful, and failed because the lock was lost. */
  readonly renewals: { held: number; lost: number };
  /** Takes no further entry; resolves when those at work have ended. */
  close(): Promise<void>;
}

/** Starts a worker of one queue as the worker program does. */
export function startWorker(
  { config, databaseUrl }: QueueLocation,
  {
    queue,
    process,
    ...settings
  }: { queue: QueueName; process: (jobId: string) => Promise<Disposition> } & Omit<
    WorkerSettings,
    'closeSeconds'
  >,
): TestWorker {
  @Processor(queue, workerOptions({ ...settings, closeSeconds: 30 }))
  class TestProcessor extends EntryProcessor {
    protected override processEntry(jobId: string): Promise<Disposition> {
      return process(jobId);
    }
  }

  @Module({ imports: [QueueModule.forRoot({ queue: config, databaseUrl })], providers: [TestProcessor] })
  class TestWorkerModule {}

  const renewals = { held: 0, lost: 0 };
  let processor: TestProcessor | undefined;
  const started = NestFactory.createApplicationContext(TestWorkerModule, { logger: false }).then((app) => {
    app.get(BullRegistrar).register();
    const { worker } = (processor = app.get<TestProcessor>(TestProcessor));
    worker.on('locksRenewed', () => (renewals.held += 1));
    worker.on('lockRenewalFailed', () => (renewals.lost += 1));
    return app;
  });
  return {
    renewals,
    async close() {
      await processor?.worker.close();
      await (await started).close();
    },
  };
}

/** Queues and workers of one test; they are closed, and the queue emptied, when it ends. */
export function useQueues(backend: () => TestBackend, options: Pick<JobQueueOptions, 'answerWithin'> = {}) {
  const closing: (() => Promise<unknown>)[] = [];

  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
    const { database, redis } = backend();
    if (redis) await redis.flush();
    else await query(database.url, 'TRUNCATE bullmq.job CASCADE');
  });

  const locations = new Map<JobQueue, QueueLocation>();

  function open(other: Partial<QueueLocation> = {}): JobQueue {
    const { config, database } = backend();
    const location = { config, databaseUrl: database.url, ...other };
    const queue = createJobQueue({ ...location, ...options, onError: () => undefined });
    locations.set(queue, location);
    closing.push(() => queue.close());
    return queue;
  }

  function work(
    queue: JobQueue,
    process: (jobId: string) => Promise<Disposition>,
    { concurrency = 1, leaseSeconds = 10, name = queueNames[0]! } = {},
  ): TestWorker {
    const worker = startWorker(locations.get(queue)!, { queue: name, concurrency, leaseSeconds, process });
    closing.push(() => worker.close());
    return worker;
  }

  return {
    open,
    work,

    /** Starts a worker. @returns the ids of the jobs that it takes, in order */
    taking(queue: JobQueue): string[] {
      const taken: string[] = [];
      work(queue, async (jobId) => {
        taken.push(jobId);
        return DONE;
      });
      return taken;
    },

    /** Functions called when the test has ended, the last one first. */
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
  virtualStart: 1,
  delay,
});

export const emptied = (queue: JobQueue) =>
  until('the queue to be empty', async () => (await queue.count('text')) === 0);
