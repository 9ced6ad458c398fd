import type { OnApplicationShutdown } from '@nestjs/common';
import pg from 'pg';
import { ClientWithErrorListener } from '#libs/database/client-with-error-listener.js';
import type { AccountsLogger } from '#libs/accounts/local/options.js';

const CONNECTIONS = 4;

export class LocalAccountsPool implements OnApplicationShutdown {
  readonly pool: pg.Pool;

  constructor(databaseUrl: string, logger: AccountsLogger) {
    this.pool = new pg.Pool({
      connectionString: databaseUrl,
      max: CONNECTIONS,
      application_name: 'pressroom-accounts',
      connectionTimeoutMillis: 5_000,
      statement_timeout: 10_000,
      keepAlive: true,
      Client: ClientWithErrorListener,
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
