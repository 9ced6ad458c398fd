import type { OnApplicationShutdown } from '@nestjs/common';
import pg from 'pg';
import type { DatabasePooling } from '#libs/config/environment.js';
import { TIME_LIMITS } from '#libs/config/database-limits.js';
import { poolOptions } from '#libs/database/pool-options.js';
import type { AccountsLogger } from '#libs/accounts/local/options.js';

const CONNECTIONS = 4;
const STATEMENT_MS = 10_000;

export class LocalAccountsPool implements OnApplicationShutdown {
  readonly pool: pg.Pool;

  constructor(databaseUrl: string, pooling: DatabasePooling, logger: AccountsLogger) {
    this.pool = new pg.Pool({
      connectionString: databaseUrl,
      max: CONNECTIONS,
      application_name: 'pressroom-accounts',
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      ...poolOptions(pooling, { ...TIME_LIMITS, statementMs: STATEMENT_MS }),
    });
    // The pool listens for errors of idle connections only. Without this listener, an error of a connection in use
    // would end the process. The pool replaces broken connections by itself.
    const report = (error: Error) =>
      logger.warn({ err: error }, 'A database connection of the accounts broke');
    this.pool.on('error', report);
    this.pool.on('connect', (client) => client.on('error', report));
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }
}
