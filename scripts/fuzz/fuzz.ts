/** `npm run fuzz`: sends generated requests, most of them broken, to the product and checks every answer. */
import { parseArgs } from 'node:util';
import { startFakeProvider } from '../../test/provider/server.ts';
import { build } from '../stack/build.ts';
import { runCommand } from '../stack/command.ts';
import { freePort } from '../stack/ports.ts';
import { startTemporaryProduct } from '../stack/temporary-product.ts';
import { CommandError, print } from '../stack/terminal.ts';
import type { Options } from './run.ts';

const USAGE = `npm run fuzz -- [--seed N] [--requests N] [--only N] [--coverage]
  --seed      a whole number; by default a new one, which is printed
  --requests  how many random requests, after valid ones to every operation; 5000 by default
  --only      sends the request of this number alone
  --coverage  prints how many requests each operation accepted`;

const VARIABLES = {
  OPENAI_API_KEY: 'key',
  PLAN_SWITCH: 'self',
  LOG_LEVEL: 'error',
  SYNC_WAIT_SECONDS: '5',
  AI_BREAKER_FAILURES: '1000000',
  RATE_LIMIT_REQUESTS: '1000000',
  RATE_LIMIT_SUBMISSIONS: '1000000',
  RATE_LIMIT_PREVIEWS: '1000000',
  // Previews answer 503 while the model is being fetched.
  MODELS_OFF: 'coco-ssd',
  OAUTH_CLIENT_REGISTRATION: 'open',
  RATE_LIMIT_SIGN_IN: '1000000',
  RATE_LIMIT_SIGN_UP: '1000000',
};

await runCommand(
  async ({ cleanup, signal }) => {
    const options = readOptions();
    await Promise.all([build('servers'), build('web')]);
    // It imports modules of the build.
    const { Fuzz } = await import('./run.ts');
    const startedAt = performance.now();
    print(`Seed ${options.seed}, ${options.requests} requests.`);
    const provider = await startFakeProvider({ wordsPerPiece: 20, defaults: { words: 40 } });
    cleanup.defer(() => provider.close());
    const [apiMetrics, workerMetrics] = [await freePort(), await freePort()];
    const product = await startTemporaryProduct(cleanup, {
      api: { ...VARIABLES, METRICS_PORT: String(apiMetrics), OPENAI_BASE_URL: provider.url },
      worker: { ...VARIABLES, METRICS_PORT: String(workerMetrics), OPENAI_BASE_URL: provider.url },
    });
    const fuzz = new Fuzz(product, { api: apiMetrics, worker: workerMetrics }, options);
    await fuzz.run(signal);
    return fuzz.report(performance.now() - startedAt);
  },
  { mustEnd: true },
);

function readOptions(): Options {
  try {
    const { values } = parseArgs({
      options: {
        seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
        requests: { type: 'string', default: '5000' },
        only: { type: 'string' },
        coverage: { type: 'boolean', default: false },
      },
    });
    const [seed, requests, only] = [values.seed, values.requests, values.only ?? '0'].map(Number);
    if (![seed, requests, only].every((value) => Number.isSafeInteger(value) && value! >= 0))
      throw new Error('Each value is a whole number.');
    return {
      seed: seed!,
      requests: requests!,
      only: values.only === undefined ? undefined : only,
      coverage: values.coverage,
    };
  } catch (error) {
    throw new CommandError(`${(error as Error).message}\n${USAGE}`);
  }
}
