import type pg from 'pg';
import type { DatabasePooling } from '#libs/config/environment.js';
import { ClientWithErrorListener } from './client-with-error-listener.js';

export interface TimeLimits {
  /** PostgreSQL cancels a statement after this time. */
  statementMs: number;
  /** PostgreSQL cancels a statement that waits for a lock for this time. */
  lockMs: number;
}

/** Limits of the product's connections. */
export const TIME_LIMITS: TimeLimits = { statementMs: 30_000, lockMs: 10_000 };

/**
 * Options of a `pg.Pool` with time limits. They are set after connecting, since PgBouncer refuses them as startup parameters.
 * In transaction mode, a connection changes its server session with each transaction, so the limits are settings of the user
 * (see `migrate.ts`) and statements have no names.
 */
export const poolOptions = (pooling: DatabasePooling, { statementMs, lockMs }: TimeLimits) =>
  pooling === 'transaction'
    ? { Client: ClientWithoutStatementNames }
    : {
        Client: ClientWithErrorListener,
        onConnect: async (client: pg.ClientBase) => {
          await client.query(`SET statement_timeout = ${statementMs}; SET lock_timeout = ${lockMs}`);
        },
      };

/** A connection that prepares no named statements, which only the server session that prepared them knows. */
class ClientWithoutStatementNames extends ClientWithErrorListener {
  // The overloads of `query` cannot be repeated here.
  override query = ((statement: unknown, ...rest: unknown[]) => {
    const query = super.query.bind(this) as (...args: unknown[]) => unknown;
    return query(hasName(statement) ? { ...statement, name: undefined } : statement, ...rest);
  }) as pg.Client['query'];
}

const hasName = (statement: unknown): statement is { name: string } =>
  Object.getPrototypeOf(statement) === Object.prototype && 'name' in (statement as object);
