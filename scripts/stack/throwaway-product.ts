import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApi, startWorker } from '../../test/support/process.ts';
import { migrate } from './database.ts';
import { freePort } from './ports.ts';
import { ensureDatabase, startPostgres } from './postgres.ts';
import { placePostgres } from './postgres-place.ts';

/**
 * Starts api and worker as built, with the offline engine, on a database and a data folder of their own, which go
 * away with them.
 * @param cleanup stops it all
 * @returns the address that it answers at
 */
export async function startThrowawayProduct(cleanup: AsyncDisposableStack): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'pressroom-throwaway-'));
  const place = await placePostgres(join(folder, 'postgres'));
  const postgres = await startPostgres({ place, logPath: join(folder, 'postgres.log') });
  cleanup.defer(async () => {
    await postgres.stop();
    for (const path of [folder, place.home]) rmSync(path, { recursive: true, force: true });
  });
  await ensureDatabase(postgres, 'throwaway');
  await migrate(postgres.url('throwaway'), { PATH: process.env.PATH });
  const environment = {
    DATABASE_URL: postgres.url('throwaway'),
    DATA_DIR: join(folder, 'data'),
    PORT: String(await freePort()),
    AUTH_SECRET: 'a secret for a throwaway alone, never for people',
    PLAN_SWITCH: 'self',
    LOG_LEVEL: 'warn',
  };
  const worker = startWorker(environment);
  cleanup.defer(async () => void (await worker.kill()));
  const api = await startApi(environment);
  cleanup.defer(async () => void (await api.kill()));
  return api.address;
}
