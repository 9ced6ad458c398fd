import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { Browser, Download, Page } from 'playwright-core';
import { describeWithBrowser } from '../support/available.ts';
import { launchBrowser } from '../support/browser.ts';
import { startProduct, type Product } from './product.ts';
import { newVisitor, settledViolations, signUp, type Visitor } from './visitor.ts';

/** Finding, deleting, exporting and sharing what was made, in a real browser. */
describeWithBrowser('the dashboard', () => {
  let product: Product;
  let browser: Browser;
  let visitor: Visitor;

  beforeAll(async () => {
    product = await startProduct();
    browser = await launchBrowser();
  }, 90_000);

  afterAll(async () => {
    await browser?.close();
    await product?.stop();
  });

  afterEach(async () => {
    await visitor.context.close();
    expect(visitor.complaints.filter((one) => !/status of 404/.test(one))).toEqual([]);
  });

  /** Somebody with titles for these keywords and a public image. */
  const withWork = async (name: string, keywords: string[], theme: string) => {
    visitor = await newVisitor(browser, product.address);
    const { page, context } = visitor;
    await page.addInitScript(`localStorage.setItem('theme', '${theme}')`);
    await signUp(page, name);
    const { token } = (await (await context.request.get('/api/auth/token')).json()) as { token: string };
    const post = async (path: string, data: object) => {
      const answer = await context.request.post(path, {
        headers: { authorization: `Bearer ${token}` },
        data,
      });
      expect(answer.status()).toBe(200);
    };
    await post('/api/user/plan', { plan: 'premium' });
    await post('/api/ai/generate-image', { prompt: 'A lamp in the fog', publish: true });
    for (const prompt of keywords) await post('/api/ai/generate-blog-title', { prompt });
    await page.goto('/ai');
    await page.getByRole('heading', { name: 'Recent Creations' }).waitFor();
    return page;
  };
  const cards = (page: Page) => page.getByRole('region', { name: 'Recent Creations' }).getByRole('listitem');
  const card = (page: Page, prompt: string) => cards(page).filter({ hasText: prompt });

  it('finds creations by words and type, keeps that in the address, and says when there are none', async () => {
    const page = await withWork('Ada', ['sourdough', 'rye bread', 'garden tools', 'winter light'], 'dark');
    await page.setViewportSize({ width: 390, height: 844 });
    await card(page, 'winter light').waitFor();
    expect(await cards(page).count()).toBe(4);
    await page.getByRole('button', { name: 'View all' }).click();
    await card(page, 'A lamp in the fog').waitFor();
    await page.getByRole('button', { name: 'Show less' }).click();
    await card(page, 'A lamp in the fog').waitFor({ state: 'detached' });

    await page.getByLabel('Search your creations').fill('garden');
    await page.getByText('1 of 5 creations found').waitFor();
    await page.waitForURL('**/ai?q=garden');
    await page.reload();
    await page.getByText('1 of 5 creations found').waitFor();
    expect(await page.getByLabel('Search your creations').inputValue()).toBe('garden');
    expect(await settledViolations(page)).toEqual([]);
    await page.getByLabel('Type').selectOption('image');
    await page.getByText('Nothing found for “garden”').waitFor();
    await page.getByRole('button', { name: 'Show all creations' }).click();
    await page.getByLabel('Order').selectOption('oldest');
    await cards(page).first().getByText('A lamp in the fog').waitFor();
  }, 60_000);

  it('deletes with undo, several at once, and another tab sees it', async () => {
    const page = await withWork('Bo', ['first', 'second', 'third'], 'light');
    await page.getByRole('button', { name: 'Delete first' }).click();
    await page.getByRole('button', { name: 'Delete second' }).click();
    await page.getByText('Deleted “first”').waitFor();
    await page.getByText('Deleted “second”').waitFor();
    expect(await settledViolations(page)).toEqual([]);
    const other = await visitor.context.newPage();
    await other.goto('/ai');
    await card(other, 'third').waitFor();
    expect(await card(other, 'second').count()).toBe(0);
    await page
      .getByRole('status')
      .filter({ hasText: 'Deleted “first”' })
      .getByRole('button', { name: 'Undo' })
      .click();
    await card(page, 'first').waitFor();
    expect(await card(page, 'second').count()).toBe(0);
    await other.reload();
    await card(other, 'first').waitFor();
  }, 60_000);

  it('exports a text as Markdown, Word and PDF, and shares a public image until it is withdrawn', async () => {
    const page = await withWork('Cy', ['Grüße aus Київ'], 'dark');
    await card(page, 'Grüße aus Київ').getByRole('button', { expanded: false }).click();
    const saved = async (form: string): Promise<[string, Buffer]> => {
      await page.getByRole('button', { name: 'Export' }).click();
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('menuitem', { name: form }).click(),
      ]);
      return [file.suggestedFilename(), await bytesOf(file)];
    };
    const [name, markdown] = await saved('Markdown');
    expect(name).toBe('Grüße aus Київ.md');
    expect(markdown.toString()).toMatch(/^1\. /);
    const [, word] = await saved('Word');
    expect(word.subarray(0, 2).toString()).toBe('PK');
    const [pdfName, pdf] = await saved('PDF');
    expect(pdfName).toBe('Grüße aus Київ.pdf');
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    expect(pdf.includes('/FontFile2')).toBe(true);

    await card(page, 'A lamp in the fog').getByRole('button', { expanded: false }).click();
    await card(page, 'A lamp in the fog').getByRole('button', { name: 'Share' }).click();
    await page.getByText('Link copied to clipboard!').waitFor();
    const link = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(link).toMatch(/\/c\/[\w-]{36}$/);
    const open = () => visitor.context.request.get(new URL(link).pathname);
    expect(await (await open()).text()).toContain('og:image');
    expect(await settledViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByRole('button', { name: 'Publish' }).waitFor();
    expect((await open()).status()).toBe(404);
  }, 60_000);
});

const bytesOf = async (file: Download) => readFileSync(await file.path());
