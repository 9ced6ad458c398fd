import { setTimeout as pause } from 'node:timers/promises';
import { readDatabaseUrl, readStorageConfig } from '#libs/config/environment.js';
import { orExit } from '#libs/config/exit.js';
import { isDatabaseAway } from '#libs/database/sql.js';
import { migrate } from '#libs/database/migrate.js';
import { createObjectStore } from '#libs/storage/create-object-store.js';
import { StoreError } from '#libs/storage/object-store.js';

/**
 * What comes before api and workers in a deployment: brings the database to this version and makes the bucket. Safe to
 * run again, and from several machines at once. Ends with 0, with 78 for a wrong configuration, else with 1.
 */

/** Milliseconds that services have to answer: they may have been started together with this. */
const PATIENCE = 60_000;
const TRY_EVERY = 1_000;

const databaseUrl = orExit(readDatabaseUrl);
const store = createObjectStore(orExit(readStorageConfig));
try {
  await patiently(() => migrate(databaseUrl));
  say('The database is of this version.');
  await patiently(() => store.prepare());
  say('The object store is ready.');
  process.exit(0);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
}

async function patiently(work: () => Promise<void>): Promise<void> {
  const until = performance.now() + PATIENCE;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      const isAway = isDatabaseAway(error) || error instanceof StoreError;
      if (!isAway || performance.now() > until) throw error;
      await pause(TRY_EVERY);
    }
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
