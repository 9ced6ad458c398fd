/** What a submission is compared with: an Express handler with one INSERT and one `queue.add`. */
import { randomUUID } from 'node:crypto';
import { createPostgresBackend, Queue, withBackend } from 'bullmq';
import express from 'express';
import pg from 'pg';

const { DATABASE_URL, REDIS_URL, PORT } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 10 });
await pool.query(
  `CREATE TABLE IF NOT EXISTS bare_jobs (id uuid PRIMARY KEY, input jsonb, created_at timestamptz DEFAULT now())`,
);
const queue = openQueue();

const app = express();
app.post('/submit', express.json(), async (request, response) => {
  const id = randomUUID();
  await pool.query('INSERT INTO bare_jobs (id, input) VALUES ($1, $2)', [id, JSON.stringify(request.body)]);
  await queue.add('bare', {}, { jobId: id, priority: 1_000 });
  response.status(202).json({ success: true, id });
});
app.get('/health/ready', (_request, response) => void response.json({ success: true }));
app.listen(Number(PORT), '127.0.0.1');

function openQueue(): Pick<Queue, 'add'> {
  if (REDIS_URL) return new Queue('bare', { connection: { url: REDIS_URL } });
  const { Queue: PostgresQueue } = withBackend(createPostgresBackend);
  return new PostgresQueue('bare', { connection: { connectionString: DATABASE_URL, max: 10 } });
}
