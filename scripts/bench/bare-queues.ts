/** The queue libraries that benches compare Pressroom with, each behind `openQueue` and `startWorker`. */
import { createPostgresBackend, Queue, withBackend, Worker } from 'bullmq';
import { makeWorkerUtils, run } from 'graphile-worker';
import { PgBoss } from 'pg-boss';

export const bareQueues = ['bullmq', 'pg-boss', 'graphile-worker'] as const;
export type BareQueue = (typeof bareQueues)[number];

export interface QueueAddress {
  databaseUrl: string;
  /** If undefined, BullMQ uses PostgreSQL. */
  redisUrl?: string;
}

const NAME = 'bare';
const CONCURRENCY = 8;

export async function openQueue(
  kind: BareQueue,
  { databaseUrl, redisUrl }: QueueAddress,
): Promise<(id: string) => Promise<unknown>> {
  switch (kind) {
    case 'bullmq': {
      const queue = redisUrl
        ? new Queue(NAME, { connection: { url: redisUrl } })
        : openPostgresQueue(databaseUrl);
      return (id) => queue.add(NAME, {}, { jobId: id, priority: 1_000 });
    }
    case 'pg-boss': {
      const boss = await startPgBoss(databaseUrl);
      return (id) => boss.send(NAME, { id }, { priority: 1 });
    }
    case 'graphile-worker': {
      const utils = await makeWorkerUtils({ connectionString: databaseUrl, maxPoolSize: 10 });
      await utils.migrate();
      return (id) => utils.addJob(NAME, { id }, { priority: 1 });
    }
  }
}

/** Processes jobs of a queue, eight at a time. */
export async function startWorker(
  kind: BareQueue,
  { databaseUrl, redisUrl }: QueueAddress,
  work: (id: string) => Promise<void>,
): Promise<void> {
  switch (kind) {
    case 'bullmq': {
      const options = { concurrency: CONCURRENCY, removeOnComplete: { count: 0 } };
      const process = (job: { id?: string }) => work(job.id!);
      const worker = new Worker(NAME, process, { connection: { url: redisUrl }, ...options });
      worker.on('error', (error) => globalThis.process.stderr.write(`${error.message}\n`));
      return;
    }
    case 'pg-boss': {
      const boss = await startPgBoss(databaseUrl);
      // pg-boss cannot poll more often than every 0.5 s, except directly after a full batch.
      const options = {
        batchSize: CONCURRENCY,
        burstWhenBatchFull: true,
        pollingIntervalSeconds: 0.5,
        notifyPollingIntervalSeconds: 0.5,
      };
      await boss.work<{ id: string }>(NAME, options, (jobs) =>
        Promise.all(jobs.map(({ data }) => work(data.id))),
      );
      return;
    }
    case 'graphile-worker':
      await run({
        connectionString: databaseUrl,
        concurrency: CONCURRENCY,
        maxPoolSize: 10,
        noHandleSignals: true,
        taskList: { [NAME]: (payload) => work((payload as { id: string }).id) },
      });
  }
}

function openPostgresQueue(databaseUrl: string) {
  const { Queue: PostgresQueue } = withBackend(createPostgresBackend);
  return new PostgresQueue(NAME, { connection: { connectionString: databaseUrl, max: 10 } });
}

async function startPgBoss(databaseUrl: string): Promise<PgBoss> {
  const boss = new PgBoss({ connectionString: databaseUrl, useListenNotify: true });
  boss.on('error', (error) => process.stderr.write(`${error.message}\n`));
  await boss.start();
  await boss.createQueue(NAME, { notify: true });
  return boss;
}
