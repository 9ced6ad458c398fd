/** The bare parts of a worker: BullMQ, with a processor that waits as long as a provider's call takes, or not at all. */
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
