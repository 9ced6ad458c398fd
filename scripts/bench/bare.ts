/**
 * The servers that benches compare Pressroom with: an Express handler with one INSERT and one `queue.add`, and a handler
 * with the same database writes as a submission to Pressroom.
 */
import { randomUUID } from 'node:crypto';
import express from 'express';
import pg from 'pg';
import { openQueue, type BareQueue } from './bare-queues.ts';
import { SameWrites } from './same-writes.ts';

const { DATABASE_URL: databaseUrl = '', REDIS_URL: redisUrl, BARE_QUEUE = 'bullmq', PORT } = process.env;
const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
await pool.query(
  `CREATE TABLE IF NOT EXISTS bare_jobs (id uuid PRIMARY KEY, input jsonb, created_at timestamptz DEFAULT now())`,
);
const writes = new SameWrites(databaseUrl);
await writes.createTables();
const add = await openQueue(BARE_QUEUE as BareQueue, { databaseUrl, redisUrl });

const app = express();
app.post('/submit', express.json(), async (request, response) => {
  const id = randomUUID();
  await pool.query('INSERT INTO bare_jobs (id, input) VALUES ($1, $2)', [id, JSON.stringify(request.body)]);
  await add(id);
  response.status(202).json({ success: true, id });
});
app.post('/submit-same-writes', express.json(), async (request, response) => {
  const id = await writes.submit(request.body);
  await add(id);
  response.status(202).json({ success: true, id });
});
app.get('/health/ready', (_request, response) => void response.json({ success: true }));
app.listen(Number(PORT), '127.0.0.1');
