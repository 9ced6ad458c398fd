import type { Socket } from 'node:net';
import type pg from 'pg';
import { TIME_LIMITS, type TimeLimits } from '#libs/config/database-limits.js';
import type { DatabasePooling } from '#libs/config/environment.js';
import { ClientWithErrorListener } from './client-with-error-listener.js';

const ANSWER_MS = TIME_LIMITS.statementMs + TIME_LIMITS.graceMs;

/**
 * Options of a `pg.Pool` with time limits. They are set after connecting, since PgBouncer refuses them as startup parameters.
 * In transaction mode, a connection changes its server session with each transaction, so the limits are settings of the user
 * (see `migrate.ts`) and statements have no names.
 */
export function poolOptions(pooling: DatabasePooling, { statementMs, lockMs, graceMs }: TimeLimits) {
  const isTransaction = pooling === 'transaction';
  return {
    Client: isTransaction ? ClientWithoutStatementNames : ClientWithErrorListener,
    onConnect: async (client: pg.ClientBase) => {
      if (graceMs !== null) closeIfUnanswered(client, statementMs + graceMs);
      if (!isTransaction)
        await client.query(`SET statement_timeout = ${statementMs}; SET lock_timeout = ${lockMs}`);
    },
  };
}

/**
 * Closes a connection whose statement gets no byte of an answer for this time. Uses the socket's own timer, which costs no
 * timer for each statement.
 */
export function closeIfUnanswered(client: pg.ClientBase, milliseconds = ANSWER_MS): void {
  const internals = client as unknown as PgInternals;
  const stream = internals.connection.stream as Socket;
  stream.setTimeout(milliseconds).on('timeout', () => {
    const query = internals._getActiveQuery();
    if (!query) return;
    const { bytesRead } = stream;
    // If this process was suspended, it has not read an answer yet that is already here.
    setImmediate(() => {
      if (internals._getActiveQuery() === query && stream.bytesRead === bytesRead)
        stream.destroy(new UnansweredError());
    });
  });
}

/** Runs a task on a connection that waits up to this time for an answer, as `statementMs` and `graceMs` do for others. */
export async function waitLonger<T>(
  client: pg.ClientBase,
  milliseconds: number,
  task: () => Promise<T>,
): Promise<T> {
  const stream = (client as unknown as PgInternals).connection.stream as Socket;
  const { timeout = 0 } = stream;
  stream.setTimeout(milliseconds + TIME_LIMITS.graceMs);
  try {
    return await task();
  } finally {
    stream.setTimeout(timeout);
  }
}

/** What pg does not declare. */
interface PgInternals {
  connection: pg.Connection;
  _getActiveQuery: () => unknown;
}

class UnansweredError extends Error {
  readonly code = 'ETIMEDOUT';

  constructor() {
    super('The database did not answer in time.');
  }
}

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
