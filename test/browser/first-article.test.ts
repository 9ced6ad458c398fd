import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { describeWithBrowser } from '../support/available.ts';
import { launchBrowser } from '../support/browser.ts';
import { until } from '../support/until.ts';
import { startProduct, type Product } from './product.ts';
import {
  beginArticle,
  finishedText,
  newVisitor,
  proofText,
  settledViolations,
  signUp,
  type Visitor,
} from './visitor.ts';

/** The story of a first article, in a real browser against the real api and worker. */
describeWithBrowser('the first article', () => {
  let product: Product;
  let browser: Browser;
  let visitor: Visitor | undefined;
  let people = 0;

  beforeAll(async () => {
    product = await startProduct();
    browser = await launchBrowser();
  }, 90_000);

  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  /** Every story ends with a browser that had nothing to complain of. */
  afterEach(async () => {
    const complaints = visitor?.complaints ?? [];
    await visitor?.context.close();
    visitor = undefined;
    expect(complaints).toEqual([]);
  });

  const visit = async () => (visitor = await newVisitor(browser, product.address));
  const signedIn = async () => {
    const { page, context } = await visit();
    await signUp(page, `Ada Number ${(people += 1)}`);
    return { page, context };
  };

  it('leads from the start page over the account to an article on the dashboard', async () => {
    const { page } = await visit();
    await page.goto('/');
    await page.getByRole('link', { name: 'Start creating now' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await signUp(page, 'Ada Lovelace');
    await page.getByText('No creations found').waitFor();
    await page.getByText('30 of 30 credits left').waitFor();

    await page.getByRole('link', { name: 'Create Your First Content' }).click();
    await page.getByLabel('Topic').fill('Ink that never dries');
    await page.getByRole('button', { name: 'Generate article' }).click();
    await proofText(page).getByText('Where it begins').waitFor();
    const early = await proofText(page).innerText();
    await until('the text grows', async () => (await proofText(page).innerText()).length > early.length);
    expect(await page.getByRole('button', { name: 'Cancel' }).count()).toBe(1);
    const whole = await finishedText(page);
    await page.getByText('Article Generated').waitFor();
    expect(whole.length).toBeGreaterThan(early.length * 2);
    expect(whole.startsWith(early.slice(0, 100))).toBe(true);

    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Article copied to clipboard!').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^# .+\n\n## Where it begins/);

    await page.getByRole('link', { name: 'Dashboard' }).click();
    await page.getByText('29 of 30 credits left').waitFor();
    await page.getByRole('button', { name: /^Ink that never dries/ }).click();
    await page.getByRole('heading', { name: 'Where it begins', level: 4 }).first().waitFor();
  }, 60_000);

  it('finds the running job again after a reload', async () => {
    const { page } = await signedIn();
    await beginArticle(page, 'A page that is loaded again');
    await page.reload();
    await proofText(page).waitFor();
    expect(await page.getByRole('heading', { name: 'Done' }).count()).toBe(0);
    const text = await finishedText(page);
    await page.reload();
    expect(await finishedText(page)).toBe(text);
  }, 60_000);

  it('shows the same text in a second tab', async () => {
    const { page, context } = await signedIn();
    await beginArticle(page, 'Two windows on one press');
    const second = await context.newPage();
    await second.goto('/ai/write-article');
    const [first, other] = await Promise.all([finishedText(page), finishedText(second)]);
    expect(other).toBe(first);
  }, 60_000);

  it('makes up for ten seconds without a connection', async () => {
    const { page, context } = await signedIn();
    await beginArticle(page, 'A line that goes dead [[words:1500]] [[pace:35]]');
    await context.setOffline(true);
    await page.getByText('Reconnecting').waitFor();
    const before = await proofText(page).innerText();
    await pause(10_000);
    expect(await proofText(page).innerText()).toBe(before);
    await context.setOffline(false);
    await page.getByText('Reconnecting').waitFor({ state: 'detached' });
    await until('the text goes on', async () => (await proofText(page).innerText()).length > before.length);
    const text = await finishedText(page);
    await page.reload();
    expect(await finishedText(page)).toBe(text);
  }, 90_000);

  it('cancels a run, gives the credit back, and runs it again', async () => {
    const { page } = await signedIn();
    await beginArticle(page, 'An article nobody needs');
    await page.getByText('29 of 30 credits left').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('heading', { name: 'Cancelled' }).waitFor();
    await page.getByText('30 of 30 credits left').waitFor();
    await until('the provider hears of it', () => product.provider.open === 0);
    await page.getByRole('button', { name: 'Retry' }).click();
    await finishedText(page);
    await page.getByText('29 of 30 credits left').waitFor();
  }, 60_000);

  it('keeps what is typed, and makes one job of two clicks', async () => {
    const { page } = await signedIn();
    await page.goto('/ai/write-article');
    const submit = page.getByRole('button', { name: 'Generate article' });
    expect(await submit.isDisabled()).toBe(true);
    await page.getByLabel('Topic').fill('Kept over a reload');
    await page.getByLabel('Medium (800-1200 words)').check();
    await page.reload();
    expect(await page.getByLabel('Topic').inputValue()).toBe('Kept over a reload');
    expect(await page.getByLabel('Medium (800-1200 words)').isChecked()).toBe(true);
    await page.getByLabel('Topic').fill('x'.repeat(4_001));
    await page.getByText('Keep the topic within 4,000 characters.').waitFor();
    await page.getByLabel('Topic').fill('Twice clicked');
    await submit.dblclick();
    await finishedText(page);
    await page.getByText('29 of 30 credits left').waitFor();
  }, 60_000);

  it('signs out in every tab', async () => {
    const { page, context } = await signedIn();
    const second = await context.newPage();
    await second.goto('/ai');
    await second.getByRole('heading', { name: 'Dashboard' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('/');
    await second.getByRole('heading', { name: 'Sign in' }).waitFor();
  }, 60_000);

  it.each(['dark', 'light'])(
    'has no accessibility violation in the %s theme',
    async (theme) => {
      const { page, context } = await visit();
      await context.addInitScript(`localStorage.setItem('theme', '${theme}')`);
      for (const [path, ready] of [
        ['/', 'Powerful content creation, powered by AI tools'],
        ['/ai', 'Sign in'],
        ['/no-such-page', 'This page was never printed'],
      ] as const) {
        await page.goto(path);
        await page.getByRole('heading', { name: ready }).waitFor();
        expect(await settledViolations(page)).toEqual([]);
      }
      await signUp(page, `Ada ${theme}`);
      expect(await settledViolations(page)).toEqual([]);
      await page.goto('/ai/generate-images');
      await page.getByRole('heading', { name: 'Generate Images' }).waitFor();
      expect(await settledViolations(page)).toEqual([]);
      await beginArticle(page, 'Read aloud');
      expect(await settledViolations(page)).toEqual([]);
      await finishedText(page);
      expect(await settledViolations(page)).toEqual([]);
    },
    90_000,
  );
});
