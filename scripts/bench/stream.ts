import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../../test/support/browser.ts';
import { startApi, startServer, startWorker } from '../../test/support/process.ts';
import { startFakeProvider, type FakeProvider } from '../../test/provider/server.ts';
import { until } from '../../test/support/until.ts';
import { freePort } from '../stack/ports.ts';
import { median, percentile } from '../stack/statistics.ts';
import { print } from '../stack/terminal.ts';
import { machine, onBothBackends } from './figures.ts';
import { fillBalances, unlimited } from './users.ts';
import { ARTICLE_BUTTON } from '../../test/support/article-button.ts';

const ROUNDS = 3;
const RUNS = 10;
const WARM_UP = 3;
/** Milliseconds between two chunks of the provider. REASONING is the number of reasoning chunks before the text. */
const PACE_MS = 20;
const REASONING = 10;
const WORDS = 100;
/** Maximum time from the end of a text until the page shows all of it. */
const RENDER_WITHIN_MS = 2_000;

/** Latencies of one text on the page, in milliseconds. */
interface Latency {
  /** From the provider's first token to the first text. */
  first: number;
  /** Between two changes of the text. */
  gaps: number[];
}

/** Streams one text. Resolves to undefined if the page showed nothing before the text had ended. */
type Run = (prompt: string) => Promise<Latency | undefined>;

/**
 * Measures the time from the provider's first token to the first text on the page, in a real browser, on each backend,
 * alternating with the bare relay of relay.ts.
 */
export async function benchStream(databaseUrl: string): Promise<void> {
  print(
    `Stream, milliseconds, ${ROUNDS} rounds of ${RUNS} texts, a piece every ${PACE_MS} ms, the first after ` +
      `${REASONING * PACE_MS} ms: ${machine()}`,
  );
  await onBothBackends((queue, variables) => measure(queue, databaseUrl, variables));
}

async function measure(queue: string, databaseUrl: string, extra: Record<string, string>): Promise<void> {
  await using stack = new AsyncDisposableStack();
  const provider = await startFakeProvider({
    defaults: { paceMs: PACE_MS, words: WORDS, reasoning: REASONING },
  });
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
  const relay = await startServer('scripts/bench/relay.ts', {
    OPENAI_BASE_URL: provider.url,
    PORT: String(await freePort()),
  });
  stack.defer(() => void relay.kill());
  const browser = await launchBrowser();
  stack.defer(() => browser.close());

  const ours = await openProduct(await browser.newPage(), api.address, queue, provider);
  await fillBalances(databaseUrl, 200);
  const bare = await openRelay(await browser.newPage(), relay.address, provider);
  for (let run = 0; run < WARM_UP; run += 1) {
    await ours(`Warm up ${run}`);
    await bare(`Warm up ${run}`);
  }
  let missed = 0;
  const rounds = { ours: [] as Latency[][], bare: [] as Latency[][] };
  for (let round = 0; round < ROUNDS; round += 1) {
    const texts = { ours: [] as Latency[], bare: [] as Latency[] };
    for (let run = 0; run < RUNS; run += 1) {
      const prompt = `Run ${round}-${run}: tomatoes on a balcony`;
      const [one, other] = [await ours(prompt), await bare(prompt)];
      if (one && other) {
        texts.ours.push(one);
        texts.bare.push(other);
      } else missed += 1;
    }
    rounds.ours.push(texts.ours);
    rounds.bare.push(texts.bare);
  }
  printFigures(queue, rounds);
  if (missed > 0) print(`    not counted: ${missed} texts that ended before the page showed any of it`);
}

function printFigures(queue: string, { ours, bare }: Record<'ours' | 'bare', Latency[][]>): void {
  const firsts = (texts: Latency[]) => texts.map(({ first }) => first);
  const all = (texts: Latency[][]) => firsts(texts.flat());
  const above = ours.map((texts, round) => median(firsts(texts)) - median(firsts(bare[round]!)));
  const line = (name: string, values: number[]) =>
    `${name} ${percentile(values, 0.5).toFixed(1)} (p50), ${percentile(values, 0.99).toFixed(1)} (p99)`;
  print(
    `  live events on ${queue}, first token to first text: ${line('ours', all(ours))}, ${line('bare relay', all(bare))}`,
  );
  print(
    `    above the relay ${median(above).toFixed(1)} (p50, worst round ${Math.max(...above).toFixed(1)}), ` +
      `${(percentile(all(ours), 0.99) - percentile(all(bare), 0.99)).toFixed(1)} (p99)`,
  );
  const gaps = (texts: Latency[][]) => texts.flat().flatMap((text) => text.gaps);
  print(`    between two pieces: ${line('ours', gaps(ours))}, ${line('bare relay', gaps(bare))}`);
}

async function openProduct(page: Page, address: string, queue: string, provider: FakeProvider): Promise<Run> {
  await page.goto(`${address}/ai/write-article`);
  await page.getByRole('button', { name: 'Create an account' }).click();
  await page.getByLabel('Name').fill('Bench');
  await page.getByLabel('Email').fill(`bench-${queue}@example.test`);
  await page.getByLabel('Password', { exact: true }).fill('a long enough password');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByText('credits left').waitFor();
  return async (prompt) => {
    // Chromium does not render pages in background tabs.
    await page.bringToFront();
    await page.getByLabel('Topic').fill(prompt);
    await page.evaluate(watchText, '[data-streaming="true"]');
    const before = provider.requests.length;
    await page.getByRole('button', { name: ARTICLE_BUTTON }).click();
    await until('the request for a text', () => provider.requests.length > before, { seconds: 20 });
    const ended = page.evaluate(() => (globalThis as unknown as PageScope).ended);
    const isLate = provider.requests.at(-1)!.over.then(() => pause(RENDER_WITHIN_MS));
    await Promise.race([ended, isLate]);
    return readLatency(page, provider);
  };
}

async function openRelay(page: Page, address: string, provider: FakeProvider): Promise<Run> {
  await page.goto(address);
  return async (prompt) => {
    await page.bringToFront();
    await page.evaluate(() => {
      const { document } = globalThis as unknown as PageScope;
      document.querySelector('#text')!.firstChild.data = '';
    });
    await page.evaluate(watchText, '#text');
    const before = provider.requests.length;
    await page.evaluate((text) => (globalThis as unknown as PageScope).start(text), prompt);
    await until('the request for a text', () => provider.requests.length > before, { seconds: 20 });
    await provider.requests.at(-1)!.over;
    await page.waitForTimeout(PACE_MS);
    return readLatency(page, provider);
  };
}

/** The browser globals that functions running in the page use. */
interface PageScope {
  changedAt: number[];
  /** Resolves at the end of the stream. */
  ended: Promise<void>;
  observer: { disconnect(): void };
  start: (prompt: string) => void;
  document: {
    body: object;
    querySelector(selector: string): { textContent: string; firstChild: { data: string } } | null;
  };
  MutationObserver: new (callback: () => void) => {
    observe(target: object, options: object): void;
    disconnect(): void;
  };
}

/** Runs in the page. Records the Unix time in milliseconds whenever the text grows. */
function watchText(selector: string): void {
  const scope = globalThis as unknown as PageScope;
  const changedAt: number[] = (scope.changedAt = []);
  let length = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  scope.ended = promise;
  const observer = new scope.MutationObserver(() => {
    const now = scope.document.querySelector(selector)?.textContent.length ?? 0;
    if (now === 0 && length > 0) resolve();
    if (now <= length) return;
    length = now;
    changedAt.push(performance.timeOrigin + performance.now());
  });
  observer.observe(scope.document.body, { childList: true, subtree: true, characterData: true });
  scope.observer = observer;
}

async function readLatency(page: Page, provider: FakeProvider): Promise<Latency | undefined> {
  const changedAt = await page.evaluate(() => {
    const scope = globalThis as unknown as PageScope;
    scope.observer.disconnect();
    return scope.changedAt;
  });
  if (changedAt.length === 0) return undefined;
  const firstTokenAt = performance.timeOrigin + provider.requests.at(-1)!.firstTokenAt!;
  return {
    first: changedAt[0]! - firstTokenAt,
    gaps: changedAt.slice(1).map((time, index) => time - changedAt[index]!),
  };
}
