import { argv } from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { runMigrations } from 'bullmq';
import type { DataSource } from 'typeorm';
import { TIME_LIMITS } from '#libs/config/database-limits.js';
import { readMigrationConfig, type DatabasePooling } from '#libs/config/environment.js';
import { exitIfMisconfigured } from '#libs/config/exit.js';
import { ClientWithErrorListener } from './client-with-error-listener.js';
import { createDataSource } from './data-source.js';
import { applyFunctions } from './functions/functions.js';
import { migrations } from './migrations/index.js';
import { MigrationRefused } from './migrations/running-programs.js';
import { requireSession } from './pooler.js';

const CONNECT_WITHIN_MS = 5_000;
/** Milliseconds between attempts to take the migration lock. */
const ASK_AGAIN_MS = 200;
/** Number of attempts before the holder of the lock is named. */
const SILENT_ATTEMPTS = 25;
const APPLICATION_NAME = 'pressroom-migrate';

interface LockOptions {
  askAgainMs?: number;
  /** Called once if another migration holds the lock for seconds. */
  onWait?: (message: string) => void;
}

/**
 * Brings a database to this version: the product's tables, then those of the queue's PostgreSQL backend. Safe to run
 * from several machines at once: the second waits for the first.
 * @param url the `postgres://` address of PostgreSQL itself, or of PgBouncer in session mode
 * @param pooling of the programs; for `transaction`, their user gets time limits
 * @throws MigrationRefused if the running version must be stopped first
 * @throws ConfigurationError if the address is that of a pooler in transaction mode
 */
export async function migrate(
  url: string,
  pooling: DatabasePooling = 'session',
  waiting: LockOptions = {},
): Promise<void> {
  const lock = new ClientWithErrorListener({
    connectionString: url,
    application_name: APPLICATION_NAME,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
  });
  await lock.connect();
  try {
    await requireSession(lock, url);
    await waitForLock(lock, waiting);
    const dataSource = await createDataSource({
      url,
      poolSize: 1,
      applicationName: APPLICATION_NAME,
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
async function waitForLock(
  client: ClientWithErrorListener,
  { askAgainMs = ASK_AGAIN_MS, onWait = printError }: LockOptions,
): Promise<void> {
  for (let attempts = 1; !(await takeLock(client)); attempts += 1) {
    if (attempts === SILENT_ATTEMPTS)
      onWait(`Another migration holds the lock, waiting for it: ${await describeHolder(client)}.`);
    await setTimeout(askAgainMs);
  }
}

async function takeLock(client: ClientWithErrorListener): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(
    `SELECT pg_try_advisory_lock(hashtext('pressroom migrations')) AS taken`,
  );
  return rows[0]?.taken === true;
}

async function describeHolder(client: ClientWithErrorListener): Promise<string> {
  // An advisory lock of one number has its halves in classid and objid.
  const { rows } = await client.query<{ pid: number; name: string | null }>(
    `SELECT pid, activity.application_name AS name FROM pg_locks LEFT JOIN pg_stat_activity activity USING (pid)
     WHERE locktype = 'advisory' AND objsubid = 1 AND granted
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
       AND (classid::bigint << 32 | objid::bigint) = hashtext('pressroom migrations')`,
  );
  const [holder] = rows;
  return holder
    ? `process ${holder.pid} of PostgreSQL (${holder.name || 'without a name'})`
    : 'it has just ended';
}

const printError = (line: string) => void process.stderr.write(`${line}\n`);

if (argv[1] && import.meta.url === pathToFileURL(argv[1]).href) {
  try {
    const { url, pooling } = readMigrationConfig();
    await migrate(url, pooling);
  } catch (error) {
    if (!(error instanceof MigrationRefused)) exitIfMisconfigured(error);
    printError(error.message);
    process.exit(1);
  }
}
