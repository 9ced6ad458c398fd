import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { query } from '../../scripts/stack/query.ts';

/** Every test's database starts as a copy of this one. */
export const TEMPLATE = 'pressroom_template';

export interface TestDatabase {
  /** A `postgres://` address, with the password in it. */
  url: string;
  drop: () => Promise<void>;
}

/** A migrated database of this test's own, on the PostgreSQL that all tests of the run share. */
export async function testDatabase(): Promise<TestDatabase> {
  const server = process.env.TEST_POSTGRES_URL;
  if (!server)
    throw new Error(
      'No PostgreSQL here. A test that needs it is named *.integration.test.ts, or is in test/.',
    );
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await query(server, `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE} STRATEGY FILE_COPY`);
  const url = new URL(server);
  url.pathname = name;
  return {
    url: url.href,
    drop: async () => void (await query(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
  };
}

/**
 * A pool whose broken connections are ignored: `end` does not wait until they are closed, and dropping the database breaks
 * those that are not.
 */
export function testPool(url: string, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max });
  pool.on('error', () => undefined);
  return pool;
}
