import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApi, startWorker } from '../../test/support/process.ts';
import { migrate } from './database.ts';
import { freePort } from './ports.ts';
import { ensureDatabase, startTemporaryPostgres } from './postgres.ts';

export interface TemporaryProduct {
  address: string;
  port: number;
  databaseUrl: string;
  /** The last output of each program that has ended. */
  endedPrograms: () => string[];
}

/**
 * Starts api and worker as built, offline, on data that `cleanup` deletes.
 * @param variables additional ones of each program
 */
export async function startTemporaryProduct(
  cleanup: AsyncDisposableStack,
  variables: { api?: NodeJS.ProcessEnv; worker?: NodeJS.ProcessEnv } = {},
): Promise<TemporaryProduct> {
  const folder = mkdtempSync(join(tmpdir(), 'pressroom-temporary-'));
  cleanup.defer(() => rmSync(folder, { recursive: true, force: true }));
  const postgres = await startTemporaryPostgres();
  cleanup.defer(postgres.stop);
  await ensureDatabase(postgres, 'pressroom');
  const databaseUrl = postgres.url('pressroom');
  await migrate(databaseUrl, { PATH: process.env.PATH });
  const port = await freePort();
  const environment = {
    DATABASE_URL: databaseUrl,
    DATA_DIR: folder,
    PORT: String(port),
    AUTH_SECRET: '7d3f0b9c5a1e8642f0c7b3d95e1a6480',
    REQUIRE_TWO_FACTOR: 'nobody',
    PLAN_SWITCH: 'self',
    LOG_LEVEL: 'warn',
  };
  const ended: string[] = [];
  const worker = startWorker({ ...environment, ...variables.worker });
  void worker.ended.then(() => ended.push(`The worker has ended: ${worker.output().slice(-2_000)}`));
  cleanup.defer(async () => void (await worker.kill()));
  const api = await startApi({ ...environment, ...variables.api });
  void api.ended.then(() => ended.push(`The api has ended: ${api.output().slice(-2_000)}`));
  cleanup.defer(async () => void (await api.kill()));
  return { address: api.address, port, databaseUrl, endedPrograms: () => ended };
}
