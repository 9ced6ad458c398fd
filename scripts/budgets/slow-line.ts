import type { BrowserContext } from 'playwright-core';
import { ARTICLE_BUTTON } from '../../test/support/article-button.ts';

/** Chrome's "Fast 3G": bytes a second, and milliseconds added to each request. */
const fast3G = { offline: false, latency: 562.5, downloadThroughput: 180_000, uploadThroughput: 84_375 };
const LIMIT_MS = 60_000;

/**
 * Opens the page of articles on a slow line, and types and sends a topic.
 * @param cached whether the browser has visited the page before
 * @returns seconds from the request of the page until the topic is sent
 */
export async function secondsToSubmit(
  context: BrowserContext,
  { cached }: { cached: boolean },
): Promise<number> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  if (!cached) await devtools.send('Network.clearBrowserCache');
  await devtools.send('Network.emulateNetworkConditions', fast3G);
  const sent = page.waitForRequest(
    (request) => request.method() === 'POST' && /generate-article/.test(request.url()),
    {
      timeout: LIMIT_MS,
    },
  );
  const start = performance.now();
  await page.goto('/ai/write-article', { waitUntil: 'commit' });
  await page.getByLabel('Topic').fill('The future of remote work in small towns', { timeout: LIMIT_MS });
  await page.getByRole('button', { name: ARTICLE_BUTTON }).click({ timeout: LIMIT_MS });
  await sent;
  const seconds = (performance.now() - start) / 1000;
  // The next visit needs the scripts that load later.
  await page.getByRole('region', { name: 'Result' }).locator('.prose').first().waitFor({ timeout: LIMIT_MS });
  await page.waitForLoadState('networkidle');
  await page.close();
  return seconds;
}
