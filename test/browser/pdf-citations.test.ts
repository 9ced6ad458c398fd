import { beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeWithBrowser } from '../support/available.ts';
import { makePdf } from '../support/pdf.ts';
import { until } from '../support/until.ts';
import { useBrowserSuite } from './browser-suite.ts';
import { settledViolations, type Theme } from './visitor.ts';

const BUILT = 'The lighthouse was built in 1874 from grey granite.';

/** Citations that open their page beside the chat, in a real browser. */
describeWithBrowser('citations of a PDF chat', () => {
  const suite = useBrowserSuite();
  let long: Buffer;

  beforeAll(async () => {
    // 300 pages; one alone says when it was built.
    const pages = Array.from({ length: 300 }, (_, index) =>
      index === 41 ? BUILT : `Page ${index + 1} tells of ships and weather.`,
    );
    long = await makePdf(pages);
  });

  const ask = async (name: string, theme: Theme) => {
    const { page } = await suite.signedIn({ name, theme, path: '/ai/chat-with-pdf' });
    await page.getByRole('button', { name: 'Try Premium here' }).click();
    await page.getByText('Premium Plan', { exact: true }).first().waitFor();
    await page
      .getByLabel('Click or drag PDF to upload')
      .setInputFiles({ name: 'light.pdf', mimeType: 'application/pdf', buffer: long });
    suite.product.provider.script({
      text: 'It was "built in 1874 from grey granite" [p. 42], they say [p. 42].',
    });
    await page.getByRole('textbox', { name: 'Your question' }).fill('When was it built?');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Open page 42 of the document' }).waitFor();
    return page;
  };
  /** The words that are marked, once they are. */
  const marked = (page: Page) =>
    until('the cited words to be marked', () =>
      page.evaluate<string | null>(`Array.from(CSS.highlights.get('cited') ?? []).join('') || null`),
    );
  const drawn = (page: Page) => page.locator('.pdf-pages canvas').count();

  it('open the page beside the chat with its words marked, and turn on from there', async () => {
    const page = await ask('Ada', 'dark');
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('button', { name: 'Open page 42 of the document' }).click();
    const pane = page.getByRole('complementary', { name: 'Document' });
    expect(await marked(page)).toBe('built in 1874 from grey granite');
    const number = pane.getByLabel('Page', { exact: true });
    await until('the page in sight', async () => (await number.inputValue()) === '42');
    await pane.getByText('of 300', { exact: true }).waitFor();
    expect(await page.getByRole('region', { name: 'Messages' }).isVisible()).toBe(true);
    // Of 300 pages only those in sight are drawn.
    expect(await drawn(page)).toBeLessThan(15);
    expect(await settledViolations(page)).toEqual([]);

    await pane.getByRole('button', { name: 'Next page' }).click();
    await until('the next page', async () => (await number.inputValue()) === '43');
    await pane.getByRole('region', { name: /Pages of/ }).press('ArrowLeft');
    await until('the page before', async () => (await number.inputValue()) === '42');
    await number.fill('300');
    await number.press('Enter');
    await until('the last page', async () => (await number.inputValue()) === '300');
    expect(await drawn(page)).toBeLessThan(15);
    await pane.getByRole('button', { name: 'Larger' }).click();

    await page.keyboard.press('Escape');
    await pane.waitFor({ state: 'detached' });
    const focused = () => page.evaluate<string>('document.activeElement?.getAttribute("aria-label") ?? ""');
    await until('the focus to be back', async () => (await focused()) === 'Open page 42 of the document');
    await page.getByRole('link', { name: 'p. 42' }).first().press('Enter');
    expect(await marked(page)).toBe('built in 1874 from grey granite');
  });

  it('open in a sheet on a phone, from the server’s copy after a reload', async () => {
    const page = await ask('Bo', 'light');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/ai/chat-with-pdf?file=light.pdf');
    await page.getByRole('button', { name: 'Open page 42 of the document' }).click();
    const sheet = page.getByRole('dialog', { name: 'light.pdf' });
    expect(await marked(page)).toBe('built in 1874 from grey granite');
    const box = await sheet.boundingBox();
    expect(box?.width).toBe(390);
    expect(await settledViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });

    await page.route('**/pdf-chat-history/file**', (route) =>
      route.fulfill({
        status: 404,
        json: { success: false, code: 'NOT_FOUND', message: 'The file is not kept.', requestId: 'r' },
      }),
    );
    await page.reload();
    await page.getByRole('link', { name: 'p. 42' }).first().click();
    await page.getByText('Only the text of this document is kept').waitFor();
    suite.allowComplaints(/status of 404/);
  });
});
