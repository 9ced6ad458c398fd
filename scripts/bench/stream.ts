import { find } from '../../test/support/machine-programs.ts';
import { launchBrowser } from '../../test/support/browser.ts';
import { startApi, startWorker } from '../../test/support/process.ts';
import { startRedis } from '../../test/support/redis.ts';
import { startFakeProvider } from '../../test/provider/server.ts';
import { freePort } from '../stack/ports.ts';
import { print } from '../stack/terminal.ts';
import { unlimited } from './users.ts';

const RUNS = 15;

/** Milliseconds from the provider's first token to the first text on the page, in a real browser, on each backend. */
export async function benchStream(databaseUrl: string): Promise<void> {
  if (!find('browser')) return print('Stream: left out, since Chromium is not on this machine.');
  await measure('PostgreSQL', databaseUrl, {});
  if (!find('redis')) return;
  const redis = await startRedis();
  try {
    await measure('Redis', databaseUrl, { REDIS_URL: redis.url });
  } finally {
    await redis.stop();
  }
}

async function measure(queue: string, databaseUrl: string, extra: Record<string, string>): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const provider = await startFakeProvider({ defaults: { paceMs: 20 } });
  stack.defer(() => provider.close());
  const environment = {
    ...unlimited,
    ...extra,
    DATABASE_URL: databaseUrl,
    OPENAI_API_KEY: 'key',
    OPENAI_BASE_URL: provider.url,
  };
  const api = await startApi({ ...environment, PORT: String(await freePort()) });
  stack.defer(() => void api.kill());
  const worker = startWorker(environment);
  stack.defer(() => void worker.kill());
  const browser = await launchBrowser();
  stack.defer(() => browser.close());

  const page = await browser.newPage();
  await page.goto(`${api.address}/ai/write-article`);
  await page.getByRole('button', { name: 'Create an account' }).click();
  await page.getByLabel('Name').fill('Bench');
  await page.getByLabel('Email').fill(`bench-${queue}@example.test`);
  await page.getByLabel('Password', { exact: true }).fill('a long enough password');
  await page.getByRole('button', { name: 'Create account' }).click();

  const delays: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    await page.getByLabel('Topic').fill(`Run ${run}: tomatoes on a balcony`);
    await page.evaluate(watchForText);
    await page.getByRole('button', { name: 'Generate article' }).click();
    const shownAt = await page.evaluate(() => (globalThis as unknown as { shown: Promise<number> }).shown);
    const request = provider.requests.at(-1)!;
    delays.push(shownAt - (performance.timeOrigin + request.firstTokenAt!));
    await request.over;
    // The next run must not measure the end of this text.
    await page.waitForSelector('[data-streaming="true"]', { state: 'detached' });
  }
  const sorted = delays.toSorted((a, b) => a - b);
  print(
    `Stream, live events on ${queue}: first token to first text on the page ${Math.round(sorted[Math.floor(RUNS / 2)]!)} ms ` +
      `(median of ${RUNS}; slowest ${Math.round(sorted.at(-1)!)} ms)`,
  );
}

/** Runs in the page: `shown` resolves with the Unix time in milliseconds at which new article text is in the document. */
function watchForText(): void {
  const scope = globalThis as unknown as {
    shown: Promise<number>;
    document: { querySelector(selector: string): unknown; body: object };
    MutationObserver: new (callback: () => void) => {
      observe(target: object, options: object): void;
      disconnect(): void;
    };
  };
  scope.shown = new Promise((resolve) => {
    const observer = new scope.MutationObserver(() => {
      if (!scope.document.querySelector('[data-streaming="true"] :is(h1, h2, p)')) return;
      observer.disconnect();
      resolve(performance.timeOrigin + performance.now());
    });
    observer.observe(scope.document.body, { childList: true, subtree: true, characterData: true });
  });
}
