import { argv } from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { runMigrations } from 'bullmq';
import type { DataSource } from 'typeorm';
import { TIME_LIMITS } from '#libs/config/database-limits.js';
import { readMigrationConfig, type DatabasePooling } from '#libs/config/environment.js';
import { ClientWithErrorListener } from './client-with-error-listener.js';
import { createDataSource } from './data-source.js';
import { applyFunctions } from './functions/functions.js';
import { migrations } from './migrations/index.js';
import { MigrationRefused } from './migrations/running-programs.js';

/** Milliseconds between attempts to take the migration lock. */
const ASK_AGAIN_MS = 200;

/**
 * Brings a database to this version: the product's tables, then those of the queue's PostgreSQL backend. Safe to run
 * from several machines at once: the second waits for the first.
 * @param url the `postgres://` address of PostgreSQL itself, or of PgBouncer in session mode
 * @param pooling of the programs; for `transaction`, their user gets time limits
 * @throws MigrationRefused if the running version must be stopped first
 */
export async function migrate(url: string, pooling: DatabasePooling = 'session'): Promise<void> {
  const lock = new ClientWithErrorListener({ connectionString: url });
  await lock.connect();
  try {
    while (!(await takeLock(lock))) await setTimeout(ASK_AGAIN_MS);
    const dataSource = await createDataSource({
      url,
      poolSize: 1,
      applicationName: 'pressroom-migrate',
      // Some migrations lift the limit of their statements.
      timeLimits: { ...TIME_LIMITS, graceMs: null },
    }).initialize();
    try {
      await dataSource.runMigrations({ transaction: 'each' });
      if (!(await isNewer(dataSource))) await applyFunctions(dataSource);
    } finally {
      await dataSource.destroy();
    }
    await runMigrations(lock);
    if (pooling === 'transaction') await setTimeLimits(lock);
  } finally {
    await lock.end();
  }
}

/** Sets the time limits of this user in this database, for new sessions. */
async function setTimeLimits(client: ClientWithErrorListener): Promise<void> {
  const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name');
  const role = `ALTER ROLE CURRENT_USER IN DATABASE ${client.escapeIdentifier(rows[0]!.name)}`;
  await client.query(`${role} SET statement_timeout = ${TIME_LIMITS.statementMs}`);
  await client.query(`${role} SET lock_timeout = ${TIME_LIMITS.lockMs}`);
}

/** True if a newer version has migrated the database. Its functions must then not be replaced by older ones. */
async function isNewer(dataSource: DataSource): Promise<boolean> {
  const applied = await dataSource.query<{ name: string }[]>('SELECT name FROM migrations');
  return applied.some(({ name }) => !(name in migrations));
}

/**
 * Polls the lock instead of waiting for it, since the transaction of a waiting statement would block CREATE INDEX
 * CONCURRENTLY.
 */
async function takeLock(client: ClientWithErrorListener): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(
    `SELECT pg_try_advisory_lock(hashtext('pressroom migrations')) AS taken`,
  );
  return rows[0]?.taken === true;
}

if (argv[1] && import.meta.url === pathToFileURL(argv[1]).href) {
  try {
    const { url, pooling } = readMigrationConfig();
    await migrate(url, pooling);
  } catch (error) {
    if (!(error instanceof MigrationRefused)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
