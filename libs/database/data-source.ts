import 'reflect-metadata';
import { setTimeout as pause } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { migrations } from './migrations/index.js';
import { isDatabaseAway } from './sql.js';

/** How often a program that starts asks for its database, and the milliseconds between. */
const TRIES = 5;
const TRY_EVERY = 1_000;

export interface DatabaseOptions {
  url: string;
  /** Connections this process may hold. */
  poolSize?: number;
  applicationName?: string;
}

/**
 * The connection pool of one process. Queries that run too long or wait too long for a lock are ended by
 * PostgreSQL, so that a stuck statement cannot hold a request for ever.
 */
export function createDataSource({
  url,
  poolSize = 10,
  applicationName = 'pressroom',
}: DatabaseOptions): DataSource {
  return new DataSource({
    type: 'postgres',
    url,
    poolSize,
    applicationName,
    migrations: Object.values(migrations),
    migrationsTableName: 'migrations',
    extra: {
      connectionTimeoutMillis: 5_000,
      statement_timeout: 30_000,
      lock_timeout: 10_000,
      keepAlive: true,
    },
  });
}

/**
 * Opens the pool of a program that starts. A database that is itself being started gets several tries, and so does a
 * machine that is too busy to take the answer in time.
 */
export async function openDataSource(options: DatabaseOptions): Promise<DataSource> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await createDataSource(options).initialize();
    } catch (error) {
      if (tried === TRIES || !isDatabaseAway(error)) throw error;
      await pause(TRY_EVERY);
    }
  }
}
