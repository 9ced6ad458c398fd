import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApi, startWorker } from '../../test/support/process.ts';
import { migrate } from './database.ts';
import { freePort } from './ports.ts';
import { ensureDatabase, startTemporaryPostgres } from './postgres.ts';

/** Starts api and worker as built, offline, on data that `cleanup` deletes. @returns their address */
export async function startTemporaryProduct(cleanup: AsyncDisposableStack): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'pressroom-temporary-'));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  const postgres = await startTemporaryPostgres();
  cleanup.defer(postgres.stop);
  await ensureDatabase(postgres, 'pressroom');
  await migrate(postgres.url('pressroom'), { PATH: process.env.PATH });
  const environment = {
    DATABASE_URL: postgres.url('pressroom'),
    DATA_DIR: folder,
    PORT: String(await freePort()),
    AUTH_SECRET: 'the secret of a temporary product',
    PLAN_SWITCH: 'self',
    LOG_LEVEL: 'warn',
  };
  const worker = startWorker(environment);
  cleanup.defer(async () => void (await worker.kill()));
  const api = await startApi(environment);
  cleanup.defer(async () => void (await api.kill()));
  return api.address;
}
