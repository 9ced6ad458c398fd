import { join } from 'node:path';
import type { Writable } from 'node:stream';
import pg from 'pg';
import type { Command } from './command.ts';
import type { DataFolder } from './data-folder.ts';
import type { Environment, Settings } from './environment.ts';
import { ensureDatabase, startPostgres } from './postgres.ts';
import { placePostgres } from './postgres-place.ts';
import { run } from './processes.ts';
import { inRoot } from './root.ts';
import { Refusal } from './terminal.ts';

export interface Database {
  url: string;
  /** Where the embedded one keeps its data; null for one that DATABASE_URL names. */
  home: string | null;
  /** See {@link import('./postgres.ts').Postgres.tether}. */
  tether: Writable | null;
}

/** Milliseconds that a database which DATABASE_URL names has to answer. */
const ANSWER_MS = 10_000;

/** Starts the embedded database unless the settings name another one, and brings it to this version. */
export async function openDatabase(
  command: Command,
  folder: DataFolder,
  settings: Settings,
): Promise<Database> {
  const database = settings.embedded ? await startEmbedded(command, folder) : await openNamed(settings);
  await migrate(database.url, settings.environment, command.signal);
  return database;
}

/** @throws Refusal with the reason why the database that DATABASE_URL names cannot be opened. */
async function openNamed({ config }: Settings): Promise<Database> {
  const client = new pg.Client({
    connectionString: config.databaseUrl,
    connectionTimeoutMillis: ANSWER_MS,
  });
  try {
    await client.connect();
    await client.end();
  } catch (error) {
    throw new Refusal(
      `DATABASE_URL must hold the address of a PostgreSQL database that can be opened: ${reasonOf(error)}.`,
    );
  }
  return { url: config.databaseUrl, home: null, tether: null };
}

/** A name with several addresses, such as localhost, fails with one reason for each and none of its own. */
const reasonOf = (error: unknown) =>
  error instanceof AggregateError
    ? error.errors.map((each: Error) => each.message).join('; ')
    : (error as Error).message;

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
