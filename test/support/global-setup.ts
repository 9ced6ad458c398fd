import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../../scripts/stack/build.ts';
import { migrate } from '../../scripts/stack/database.ts';
import { ensureDatabase, startPostgres, type Postgres } from '../../scripts/stack/postgres.ts';
import { placePostgres } from '../../scripts/stack/postgres-place.ts';
import { TEMPLATE } from './database.ts';
import tearDown from './global-teardown.ts';

declare global {
  var testPostgres: { stop: () => Promise<void> } | undefined;
}

/** Builds the servers, and starts the PostgreSQL that all tests of this run share, with a migrated template. */
export default async function setUp() {
  await build('servers');
  const folder = mkdtempSync(join(tmpdir(), 'pressroom-test-'));
  // Started by root, PostgreSQL runs as another user, who has to pass through.
  chmodSync(folder, 0o711);
  const place = await placePostgres(join(folder, 'postgres'));
  const remove = `rm -rf '${folder}' '${place.home}'`;
  const postgres = await startPostgres({
    place,
    logPath: join(folder, 'postgres.log'),
    durable: false,
    afterwards: remove,
  });
  globalThis.testPostgres = {
    stop: async () => {
      await postgres.stop();
      for (const path of [folder, place.home]) rmSync(path, { recursive: true, force: true });
    },
  };
  await makeTemplate(postgres).catch(async (error: unknown) => {
    await tearDown();
    throw error;
  });
  process.env.TEST_POSTGRES_URL = postgres.url('postgres');
}

async function makeTemplate(postgres: Postgres) {
  await ensureDatabase(postgres, TEMPLATE);
  await migrate(postgres.url(TEMPLATE), { PATH: process.env.PATH });
}
