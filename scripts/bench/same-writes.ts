/**
 * The minimal database writes of a job, for the queues that benches compare: a submission stores the job, its charge and the
 * ledger entry in one transaction; the start stores the status; the end stores result and creation in one transaction.
 */
import { randomUUID } from 'node:crypto';
import pg from 'pg';

const USERS = 50;

const TABLES = `
  CREATE TABLE IF NOT EXISTS bare_balances (user_id integer PRIMARY KEY, balance integer NOT NULL CHECK (balance >= 0));
  CREATE TABLE IF NOT EXISTS bare_charged_jobs (id uuid PRIMARY KEY, user_id integer NOT NULL REFERENCES bare_balances,
    input jsonb, status text NOT NULL DEFAULT 'queued', result jsonb, created_at timestamptz NOT NULL DEFAULT now());
  CREATE TABLE IF NOT EXISTS bare_entries (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    user_id integer NOT NULL REFERENCES bare_balances, amount integer NOT NULL, job_id uuid NOT NULL UNIQUE);
  CREATE TABLE IF NOT EXISTS bare_creations (id uuid PRIMARY KEY, job_id uuid NOT NULL UNIQUE, content text NOT NULL);
  INSERT INTO bare_balances SELECT n, 10000000 FROM generate_series(1, ${USERS}) AS users (n) ON CONFLICT DO NOTHING`;

const TEXT = 'Tomatoes need six hours of sun. '.repeat(8);

export class SameWrites {
  private readonly pool: pg.Pool;

  constructor(databaseUrl: string) {
    this.pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  }

  async createTables(): Promise<void> {
    // Lock, because several programs start at the same time and concurrent CREATE TABLE IF NOT EXISTS can fail.
    await this.inTransaction(async (client) => {
      await client.query(`SELECT pg_advisory_xact_lock(1)`);
      await client.query(TABLES);
    });
  }

  async submit(input: unknown): Promise<string> {
    const id = randomUUID();
    const userId = 1 + Math.floor(Math.random() * USERS);
    await this.inTransaction(async (client) => {
      const charged = await client.query(
        'UPDATE bare_balances SET balance = balance - 1 WHERE user_id = $1 AND balance >= 1',
        [userId],
      );
      if (charged.rowCount !== 1) throw new Error('No credit is left.');
      await client.query('INSERT INTO bare_entries (user_id, amount, job_id) VALUES ($1, -1, $2)', [
        userId,
        id,
      ]);
      await client.query('INSERT INTO bare_charged_jobs (id, user_id, input) VALUES ($1, $2, $3)', [
        id,
        userId,
        JSON.stringify(input),
      ]);
    });
    return id;
  }

  async start(id: string): Promise<void> {
    await this.pool.query(`UPDATE bare_charged_jobs SET status = 'running' WHERE id = $1`, [id]);
  }

  async end(id: string): Promise<void> {
    await this.inTransaction(async (client) => {
      await client.query(`UPDATE bare_charged_jobs SET status = 'succeeded', result = $2 WHERE id = $1`, [
        id,
        JSON.stringify({ content: TEXT }),
      ]);
      await client.query('INSERT INTO bare_creations (id, job_id, content) VALUES ($1, $2, $3)', [
        randomUUID(),
        id,
        TEXT,
      ]);
    });
  }

  async countEnded(): Promise<number> {
    const { rows } = await this.pool.query<{ count: number }>(
      `SELECT count(*)::integer AS count FROM bare_charged_jobs WHERE status = 'succeeded'`,
    );
    return rows[0]!.count;
  }

  async deleteJobs(): Promise<void> {
    await this.pool.query('TRUNCATE bare_charged_jobs, bare_entries, bare_creations');
  }

  close = () => this.pool.end();

  private async inTransaction(work: (client: pg.PoolClient) => Promise<void>): Promise<void> {
    const client = await this.pool.connect();
    try {
      await client.query('BEGIN');
      await work(client);
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    } finally {
      client.release();
    }
  }
}
