import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/ports.ts';
import { startFakeProvider, type FakeProvider } from '../provider/server.ts';
import { testDatabase } from '../support/database.ts';
import { startApi, startWorker } from '../support/process.ts';

export interface Product {
  /** The address for a browser. */
  address: string;
  provider: FakeProvider;
  databaseUrl: string;
  /** Ends the api, and answers how to have it back at the same address. */
  stopApi: () => Promise<() => Promise<void>>;
  stop: () => Promise<void>;
}

/** Milliseconds between two pieces of a text, and the words of an article: it takes a few seconds. */
const PACE_MS = 15;
const WORDS = 200;

/**
 * The product as users meet it: api and worker as programs, a database of its own, the fake provider.
 * @param settings environment variables in addition to the defaults
 */
export async function startProduct(settings: NodeJS.ProcessEnv = {}): Promise<Product> {
  const folder = mkdtempSync(join(tmpdir(), 'pressroom-browser-'));
  const database = await testDatabase();
  const provider = await startFakeProvider({ defaults: { paceMs: PACE_MS, words: WORDS } });
  const environment = {
    PORT: String(await freePort()),
    DATABASE_URL: database.url,
    DATA_DIR: folder,
    AUTH_SECRET: '7d3f0b9c5a1e8642f0c7b3d95e1a6480',
    PLAN_SWITCH: 'self',
    OPENAI_API_KEY: 'any',
    OPENAI_BASE_URL: provider.url,
    // A text may be held back for as long as a test looks at what there is of it.
    AI_FIRST_TOKEN_SECONDS: '150',
    AI_IDLE_SECONDS: '150',
    // Everybody comes from one address.
    RATE_LIMIT_SIGN_UP: '1000',
    LOG_LEVEL: 'warn',
    ...settings,
  };
  const worker = startWorker(environment);
  const stopRest = async () => {
    await worker.kill();
    await provider.close();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    let api = await startApi(environment);
    return {
      address: api.address,
      provider,
      databaseUrl: database.url,
      stopApi: async () => {
        await api.kill();
        return async () => void (api = await startApi(environment));
      },
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
