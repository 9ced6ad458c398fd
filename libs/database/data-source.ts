import 'reflect-metadata';
import { ConstantBackoff, handleWhen, retry } from 'cockatiel';
import { DataSource } from 'typeorm';
import { ClientWithErrorListener } from './client-with-error-listener.js';
import { entities } from './entities/index.js';
import { migrations } from './migrations/index.js';
import { SnakeCaseNamingStrategy } from './naming-strategy.js';
import { isDatabaseAway } from './sql.js';
import { StatementSpans } from './statement-spans.js';

/** How often a program that starts asks again for its database. */
const RETRIES = 4;
const RETRY_EVERY_MS = 1_000;

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
    entities: Object.values(entities),
    namingStrategy: new SnakeCaseNamingStrategy(),
    subscribers: [StatementSpans],
    migrations: Object.values(migrations),
    migrationsTableName: 'migrations',
    // Errors are thrown; the default logger also prints those of migrations.
    logger: 'debug',
    extra: {
      connectionTimeoutMillis: 5_000,
      statement_timeout: 30_000,
      lock_timeout: 10_000,
      keepAlive: true,
      Client: ClientWithErrorListener,
    },
  });
}

/** Opens the pool with several tries: the database may be starting too, or the machine busy. */
export const openDataSource = (options: DatabaseOptions): Promise<DataSource> =>
  askAgain.execute(() => createDataSource(options).initialize());

const askAgain = retry(handleWhen(isDatabaseAway), {
  maxAttempts: RETRIES,
  backoff: new ConstantBackoff(RETRY_EVERY_MS),
});
