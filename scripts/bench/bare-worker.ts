/** What a worker is compared with: a BullMQ processor that waits for the duration of a provider's call. */
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'bullmq';

const { REDIS_URL, ANSWER_MS } = process.env;
const milliseconds = Number(ANSWER_MS);
const worker = new Worker('bare-throughput', () => (milliseconds ? pause(milliseconds) : Promise.resolve()), {
  connection: { url: REDIS_URL },
  concurrency: 8,
  removeOnComplete: { count: 0 },
});
worker.on('error', (error) => process.stderr.write(`${error.message}\n`));
