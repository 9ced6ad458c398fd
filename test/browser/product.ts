import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../scripts/stack/ports.ts';
import { startProvider, type Provider } from '../provider/server.ts';
import { testDatabase } from '../support/database.ts';
import { startApi, startWorker } from '../support/process.ts';

export interface Product {
  /** Where a browser opens it. */
  address: string;
  provider: Provider;
  stop: () => Promise<void>;
}

/** Milliseconds between two pieces of a text: an article takes a few seconds. */
const PACE_MS = 15;

/** The product as people meet it: api and worker as programs, a database of its own, the provider's stand-in. */
export async function startProduct(): Promise<Product> {
  const folder = mkdtempSync(join(tmpdir(), 'pressroom-browser-'));
  const database = await testDatabase();
  const provider = await startProvider({ defaults: { paceMs: PACE_MS } });
  const environment = {
    PORT: String(await freePort()),
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    AUTH_SECRET: 'a secret of the tests that is long enough',
    PLAN_SWITCH: 'self',
    OPENAI_API_KEY: 'any',
    OPENAI_BASE_URL: provider.url,
    LOG_LEVEL: 'warn',
  };
  const worker = startWorker(environment);
  const stopRest = async () => {
    await worker.kill();
    await provider.close();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const api = await startApi(environment);
    return {
      address: api.address,
      provider,
      stop: async () => {
        await api.kill();
        await stopRest();
      },
    };
  } catch (error) {
    await stopRest();
    throw error;
  }
}
