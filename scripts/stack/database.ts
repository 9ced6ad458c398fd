import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Command } from './command.ts';
import type { DataFolder } from './data-folder.ts';
import type { Environment, Settings } from './environment.ts';
import { ensureDatabase, startPostgres } from './postgres.ts';
import { run } from './processes.ts';
import { inRoot } from './root.ts';
import { WrongConfiguration } from './terminal.ts';
import { WaitingNotes } from './waiting-notes.ts';

export interface Database {
  url: string;
  /** Where the embedded one keeps its data; null for one that DATABASE_URL names. */
  home: string | null;
  /** See {@link import('./postgres.ts').Postgres.watchdogPipe}; null for one that DATABASE_URL names. */
  watchdogPipe: Writable | null;
}

const CONNECT_TIMEOUT_MS = 10_000;
const RETRY_MS = 1_000;

/** Starts the embedded database unless DATABASE_URL names another one, and migrates it. */
export async function openDatabase(
  command: Command,
  folder: DataFolder,
  settings: Settings,
): Promise<Database> {
  const database = settings.embedded
    ? await startEmbedded(command, folder)
    : await connect(settings, command.signal);
  await migrate(database.url, settings.environment, command.signal);
  return database;
}

/**
 * Waits for the database that DATABASE_URL names, and says so. Needs the servers to be built.
 * @throws WrongConfiguration when it refuses to be opened
 */
async function connect({ config }: Settings, signal: AbortSignal): Promise<Database> {
  const { connectionProblem, isDatabaseUnavailable } = await import('#libs/database/sql.js');
  const waiting = new WaitingNotes();
  for (;;) {
    try {
      await openOnce(config.databaseUrl);
      return { url: config.databaseUrl, home: null, watchdogPipe: null };
    } catch (error) {
      if (!isDatabaseUnavailable(error)) {
        throw new WrongConfiguration(
          `DATABASE_URL must hold the address of a PostgreSQL database that can be opened: ${connectionProblem(error)}.`,
        );
      }
      waiting.note(`no answer from the database of DATABASE_URL: ${connectionProblem(error)}.`);
    }
    await sleep(RETRY_MS, undefined, { signal });
  }
}

async function openOnce(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function startEmbedded(
  { signal, cleanup, onForceStop }: Command,
  folder: DataFolder,
): Promise<Database> {
  const postgres = await startPostgres({
    path: join(folder.path, 'postgres'),
    logPath: folder.log('postgres'),
    signal,
  });
  cleanup.defer(postgres.stop);
  onForceStop.push(postgres.kill);
  await ensureDatabase(postgres, 'pressroom');
  return { url: postgres.url('pressroom'), home: postgres.home, watchdogPipe: postgres.watchdogPipe };
}

/** Needs the servers to be built. */
export async function migrate(url: string, environment: Environment, signal?: AbortSignal) {
  await run(process.execPath, ['--enable-source-maps', inRoot('dist/libs/database/migrate.js')], {
    cwd: inRoot(),
    env: { ...environment, DATABASE_URL: url },
    cancelSignal: signal,
  });
}
