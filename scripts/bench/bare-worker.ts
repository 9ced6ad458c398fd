/** What a worker is compared with: one that waits for the duration of a provider's call, with our writes or without. */
import { setTimeout as pause } from 'node:timers/promises';
import { startWorker, type BareQueue } from './bare-queues.ts';
import { SameWrites } from './same-writes.ts';

const {
  DATABASE_URL: databaseUrl = '',
  REDIS_URL: redisUrl,
  BARE_QUEUE = 'bullmq',
  WRITES,
  ANSWER_MS,
} = process.env;
const milliseconds = Number(ANSWER_MS);
const writes = WRITES ? new SameWrites(databaseUrl) : undefined;

await startWorker(BARE_QUEUE as BareQueue, { databaseUrl, redisUrl }, async (id) => {
  await writes?.start(id);
  if (milliseconds) await pause(milliseconds);
  await writes?.end(id);
});
process.stdout.write('ready\n');
