import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { createDataSource } from '#libs/database/data-source.js';
import { createJobQueue, type JobQueue } from '#libs/queue/job-queue.js';
import { describeOnBothBackends } from '../../test/support/backends.js';
import { openJobPlatform, type JobPlatform } from '../../test/support/job-platform.js';
import { emptied, startWorker, type TestWorker } from '../../test/support/queues.js';
import { until } from '../../test/support/until.js';
import { QueuePauses } from './queue-pauses.js';

const raise = (error: Error) => {
  throw error;
};

describeOnBothBackends('A paused queue', (backend) => {
  let dataSource: DataSource;
  let queue: JobQueue;
  let worker: TestWorker;
  let pauses: QueuePauses;
  const taken: string[] = [];
  beforeEach(async () => {
    const { database, config } = backend();
    dataSource = await createDataSource({ url: database.url }).initialize();
    queue = createJobQueue({ config, databaseUrl: database.url, onError: () => undefined });
    pauses = new QueuePauses(dataSource, queue, raise);
    worker = startWorker(
      { config, databaseUrl: database.url },
      {
        queue: 'text',
        concurrency: 2,
        leaseSeconds: 2,
        process: async (jobId) => {
          taken.push(jobId);
          return { done: true };
        },
      },
    );
  });
  afterEach(async () => {
    await worker.close();
    await queue.close();
    await dataSource.destroy();
  });

  const add = async () => {
    const jobId = randomUUID();
    await queue.add([{ jobId, queue: 'text', tool: 'generate-article', lane: 2, virtualStart: 1 }]);
    return jobId;
  };
  const isTaken = (jobId: string) => until('the entry to be taken', () => taken.includes(jobId));

  it('gives out nothing until it is resumed, even if the queue loses its pause', async () => {
    await isTaken(await add());
    await emptied(queue);
    await pauses.pause('text', 'the provider is being changed');
    expect(await pauses.list()).toEqual([
      { queue: 'text', reason: 'the provider is being changed', pausedAt: expect.any(Date) },
    ]);
    await backend().redis?.flush();
    await pauses.sync();
    const held = await add();
    expect(await queue.count('text')).toBe(1);
    await pauses.sync();
    expect(taken).not.toContain(held);
    await pauses.resume('text');
    await isTaken(held);
    expect(await pauses.list()).toEqual([]);
  });

  it('is resumed by any process that reads the table, even if the queue itself was not resumed', async () => {
    await queue.setPaused('text', true);
    const held = await add();
    expect(await queue.count('text')).toBe(1);
    await pauses.sync();
    await isTaken(held);
  });
});

describe('The job table of a paused queue', () => {
  let platform: JobPlatform;
  beforeAll(async () => {
    platform = await openJobPlatform();
  });
  afterAll(() => platform.close());

  it('prevents claims, without a time for the next one', async () => {
    const pauses = new QueuePauses(platform.dataSource, platform.queue, raise);
    const job = await platform.submit(await platform.user());
    await pauses.pause('text', '');
    expect(platform.queue.paused).toEqual(new Set(['text']));
    const claim = await platform.lifecycle.claim(job.id, 10);
    expect(claim).toEqual({ kind: 'retry', delayMs: 2_250 });
    expect(await platform.reader.get(job.userId, job.id)).toMatchObject({ position: 1, etaSeconds: null });
    await pauses.resume('text');
    expect(await platform.lifecycle.claim(job.id, 10)).toMatchObject({ kind: 'claimed' });
  });

  it('is paused in the table even while the queue is unavailable', async () => {
    const errors: Error[] = [];
    const pauses = new QueuePauses(platform.dataSource, platform.queue, (error) => errors.push(error));
    platform.queue.isUnavailable = true;
    await pauses.pause('image', '');
    platform.queue.isUnavailable = false;
    expect(errors).toHaveLength(1);
    expect(platform.queue.paused).toEqual(new Set());
    await pauses.sync();
    expect(platform.queue.paused).toEqual(new Set(['image']));
  });
});
