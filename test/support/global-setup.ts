import { build } from '../../scripts/stack/build.ts';
import { migrate } from '../../scripts/stack/database.ts';
import { ensureDatabase, startTemporaryPostgres, type Postgres } from '../../scripts/stack/postgres.ts';
import { run } from '../../scripts/stack/processes.ts';
import { MODELS_FOLDER } from './models-folder.ts';
import { TEMPLATE } from './database.ts';
import tearDown from './global-teardown.ts';

declare global {
  var testPostgres: { stop: () => Promise<void> } | undefined;
}

/** Builds the servers, and starts the PostgreSQL that all tests of this run share, with a migrated template. */
export default async function setUp() {
  await build('servers');
  process.env.MODELS_DIR = MODELS_FOLDER;
  await fetchTestModels();
  // A lock of autovacuum would delay the drop of a partition, which gives up after half a second.
  const postgres = await startTemporaryPostgres({ durable: false, settings: { autovacuum: 'off' } });
  globalThis.testPostgres = postgres;
  await makeTemplate(postgres).catch(async (error: unknown) => {
    await tearDown();
    throw error;
  });
  process.env.TEST_POSTGRES_URL = postgres.url('postgres');
}

/** Without a network, the suites that need the models are skipped, except in CI. */
async function fetchTestModels() {
  try {
    await run(process.execPath, ['scripts/models/models.ts', 'fetch'], { cwd: process.cwd() });
  } catch (error) {
    if (process.env.CI === 'true') throw error;
    process.stderr.write(`The models could not be fetched; suites that need them are skipped.\n`);
  }
}

async function makeTemplate(postgres: Postgres) {
  await ensureDatabase(postgres, TEMPLATE);
  await migrate(postgres.url(TEMPLATE), { PATH: process.env.PATH });
}
