import 'reflect-metadata';
import { DataSource } from 'typeorm';
import { migrations } from './migrations/index.js';

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
