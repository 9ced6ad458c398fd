import { join } from 'node:path';
import type { Writable } from 'node:stream';
import type { Command } from './command.ts';
import type { DataFolder } from './data-folder.ts';
import type { Environment, Settings } from './environment.ts';
import { ensureDatabase, startPostgres } from './postgres.ts';
import { placePostgres } from './postgres-place.ts';
import { run } from './processes.ts';
import { inRoot } from './root.ts';

export interface Database {
  url: string;
  /** Where the embedded one keeps its data; null for one that DATABASE_URL names. */
  home: string | null;
  /** See {@link import('./postgres.ts').Postgres.tether}. */
  tether: Writable | null;
}

/** Starts the embedded database unless the settings name another one, and brings it to this version. */
export async function openDatabase(
  command: Command,
  folder: DataFolder,
  settings: Settings,
): Promise<Database> {
  const database = settings.embedded ? await startEmbedded(command, folder) : named(settings);
  await migrate(database.url, settings.environment, command.signal);
  return database;
}

const named = ({ config }: Settings): Database => ({ url: config.databaseUrl, home: null, tether: null });

async function startEmbedded(
  { signal, cleanup, insistences }: Command,
  folder: DataFolder,
): Promise<Database> {
  const place = await placePostgres(join(folder.path, 'postgres'));
  const postgres = await startPostgres({ place, logPath: folder.log('postgres'), signal });
  cleanup.defer(postgres.stop);
  insistences.push(postgres.kill);
  await ensureDatabase(postgres, 'pressroom');
  return { url: postgres.url('pressroom'), home: place.home, tether: postgres.tether };
}

/** Brings a database to this version. Needs the servers to be built. */
export async function migrate(url: string, environment: Environment, signal?: AbortSignal) {
  await run(process.execPath, ['--enable-source-maps', inRoot('dist/libs/database/migrate.js')], {
    cwd: inRoot(),
    env: { ...environment, DATABASE_URL: url },
    signal,
  });
}
