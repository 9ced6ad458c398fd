import type pg from 'pg';
import { ConfigurationError } from '#libs/config/configuration-error.js';
import { ClientWithErrorListener } from './client-with-error-listener.js';

/** Milliseconds for the second connection, and for each of its statements. */
const ANSWER_WITHIN_MS = 5_000;

/**
 * Checks that a connection keeps its server session. Without a pooler, this costs one statement. Detects nothing if the
 * pooler happens to give each connection the same session again, and never refuses a pooler in session mode.
 * @throws ConfigurationError if a pooler changes the session between statements
 */
export async function requireSession(client: pg.ClientBase, url: string): Promise<void> {
  const before = await sessionOf(client);
  // A pooler sends process ids of its own.
  if (before.pid === (client as unknown as { processID?: number }).processID) return;
  const other = await otherSession(url);
  const after = await sessionOf(client);
  if (before.id !== after.id || after.id === other)
    throw new ConfigurationError(
      'The connection to the database leads through a pooler that changes sessions between transactions. Set DATABASE_POOLING=transaction, and DATABASE_DIRECT_URL to the address of PostgreSQL itself; or set the pooler to session mode.',
    );
}

interface Session {
  /** Process id of the server. */
  pid: number;
  /** Differs between servers that have processes with the same id. */
  id: string;
}

async function sessionOf(client: pg.ClientBase): Promise<Session> {
  const { rows } = await client.query<Session>(
    `SELECT pid, concat_ws(' ', pid, backend_start) AS id FROM pg_stat_get_activity(pg_backend_pid())`,
  );
  return rows[0]!;
}

/** The session of a second connection. Undefined if the pooler has none to give. */
async function otherSession(connectionString: string): Promise<string | undefined> {
  const client = new ClientWithErrorListener({
    connectionString,
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
  });
  try {
    await client.connect();
    return (await sessionOf(client)).id;
  } catch {
    return undefined;
  } finally {
    await client.end().catch(() => undefined);
  }
}
