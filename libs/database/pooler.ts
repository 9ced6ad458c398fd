import type pg from 'pg';
import { ConfigurationError } from '#libs/config/configuration-error.js';
import { ClientWithErrorListener } from './client-with-error-listener.js';

/** Milliseconds for the second connection, and for each of its statements. */
const ANSWER_WITHIN_MS = 5_000;

/** While other programs use the pooler, a connection may get the same session by chance. */
const ROUNDS = 5;

/**
 * Checks that a connection keeps its server session. Without a pooler, this costs one statement. Detects nothing if the
 * pooler happens to give each connection the same session each time, and never refuses a pooler in session mode.
 * @throws ConfigurationError if a pooler changes the session between statements
 */
export async function requireSession(client: pg.ClientBase, url: string): Promise<void> {
  const before = await sessionOf(client);
  // A pooler sends process ids of its own.
  if (before.pid === (client as unknown as { processID?: number }).processID) return;
  if (await changesSession(client, before, url))
    throw new ConfigurationError(
      'The connection to the database leads through a pooler that changes sessions between transactions. Set DATABASE_POOLING=transaction, and DATABASE_DIRECT_URL to the address of PostgreSQL itself; or set the pooler to session mode.',
    );
}

/** Compares the sessions of the connection and of a second one. False if the pooler has no second one to give. */
async function changesSession(
  client: pg.ClientBase,
  before: Session,
  connectionString: string,
): Promise<boolean> {
  const other = new ClientWithErrorListener({
    connectionString,
    connectionTimeoutMillis: ANSWER_WITHIN_MS,
    query_timeout: ANSWER_WITHIN_MS,
  });
  try {
    await other.connect();
    const { id } = await sessionOf(other);
    for (let round = 0; round < ROUNDS; round += 1) {
      const ids = [(await sessionOf(client)).id, (await sessionOf(other)).id];
      if (id === before.id || ids[0] !== before.id || ids[1] !== id) return true;
    }
    return false;
  } catch {
    return (await sessionOf(client)).id !== before.id;
  } finally {
    await other.end().catch(() => undefined);
  }
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
