import { join } from 'node:path';
import type { Writable } from 'node:stream';
import pg from 'pg';
import type { Command } from './command.ts';
import type { DataFolder } from './data-folder.ts';
import type { Environment, Settings } from './environment.ts';
import { ensureDatabase, startPostgres } from './postgres.ts';
import { run } from './processes.ts';
import { inRoot } from './root.ts';
import { CommandError } from './terminal.ts';

export interface Database {
  url: string;
  /** Where the embedded one keeps its data; null for one that DATABASE_URL names. */
  home: string | null;
  /** See {@link import('./postgres.ts').Postgres.watchdogPipe}; null for one that DATABASE_URL names. */
  watchdogPipe: Writable | null;
}

const CONNECT_TIMEOUT_MS = 10_000;

/** Starts the embedded database unless DATABASE_URL names another one, and migrates it. */
export async function openDatabase(
  command: Command,
  folder: DataFolder,
  settings: Settings,
): Promise<Database> {
  const database = settings.embedded ? await startEmbedded(command, folder) : await connect(settings);
  await migrate(database.url, settings.environment, command.signal);
  return database;
}

/** @throws CommandError when the database that DATABASE_URL names cannot be opened */
async function connect({ config }: Settings): Promise<Database> {
  const client = new pg.Client({
    connectionString: config.databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  try {
    await client.connect();
    await client.end();
  } catch (error) {
    throw new CommandError(
      `DATABASE_URL must hold the address of a PostgreSQL database that can be opened: ${messageOf(error)}.`,
    );
  }
  return { url: config.databaseUrl, home: null, watchdogPipe: null };
}

/** For a name with several addresses, such as localhost, only the errors of the addresses have a message. */
const messageOf = (error: unknown) =>
  error instanceof AggregateError
    ? error.errors.map((each: Error) => each.message).join('; ')
    : (error as Error).message;

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
