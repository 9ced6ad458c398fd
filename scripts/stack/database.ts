import { join } from 'node:path';
import type { Writable } from 'node:stream';
import type { Command } from './command.ts';
import type { DataFolder } from './data-folder.ts';
import type { Environment, Settings } from './environment.ts';
import { ensureDatabase, startPostgres } from './postgres.ts';
import { run } from './processes.ts';
import { withClient } from './query.ts';
import { inRoot } from './root.ts';
import { WrongConfiguration } from './terminal.ts';
import { waitWhile } from './wait-while.ts';

export interface Database {
  url: string;
  /** The data folder of the embedded database; null with DATABASE_URL. */
  home: string | null;
  /** See {@link import('./postgres.ts').Postgres.watchdogPipe}; null with DATABASE_URL. */
  watchdogPipe: Writable | null;
}

const CONNECT_TIMEOUT_MS = 10_000;
const RETRY_MS = 1_000;

/** Opens the database of DATABASE_URL, or starts the embedded database, and migrates it. */
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
 * Waits for the database of DATABASE_URL. Needs the servers to be built.
 * @throws WrongConfiguration when the database refuses the connection
 */
async function connect({ config }: Settings, signal: AbortSignal): Promise<Database> {
  const { cannotBeOpened, isDatabaseRefused } = await import('#libs/database/data-source.js');
  const { connectionProblem, isDatabaseUnavailable } = await import('#libs/database/sql.js');
  const problemOf = async () => {
    try {
      await withClient(config.databaseUrl, CONNECT_TIMEOUT_MS, async () => undefined);
      return null;
    } catch (error) {
      if (isDatabaseUnavailable(error) && !isDatabaseRefused(error))
        return `no answer from the database of DATABASE_URL: ${connectionProblem(error)}.`;
      throw new WrongConfiguration(cannotBeOpened(error).message);
    }
  };
  await waitWhile(problemOf, { everyMs: RETRY_MS, signal });
  return { url: config.databaseUrl, home: null, watchdogPipe: null };
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
