/** The worker that benches compare Pressroom's with: requests a text, with or without the same database writes. */
import { startWorker, type BareQueue } from './bare-queues.ts';
import { SameWrites } from './same-writes.ts';

const {
  DATABASE_URL: databaseUrl = '',
  REDIS_URL: redisUrl,
  BARE_QUEUE = 'bullmq',
  WRITES,
  PROVIDER_URL,
} = process.env;
const writes = WRITES ? new SameWrites(databaseUrl) : undefined;
const request = JSON.stringify({
  model: 'gpt-4.1',
  messages: [{ role: 'user', content: 'Write about tomatoes.' }],
  stream: true,
});

await startWorker(BARE_QUEUE as BareQueue, { databaseUrl, redisUrl }, async (id) => {
  await writes?.start(id);
  await askProvider();
  await writes?.end(id);
});
process.stdout.write('ready\n');

async function askProvider(): Promise<void> {
  const response = await fetch(`${PROVIDER_URL}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer key' },
    body: request,
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`The provider answered ${response.status} ${text}`);
}
