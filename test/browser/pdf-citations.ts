import { beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeWithModels } from '../support/models.ts';
import { makePdf } from '../support/pdf.ts';
import { scanPdf } from '../support/scans.ts';
import { until } from '../support/until.ts';
import type { BrowserSuite } from './browser-suite.ts';
import { settledViolations, waitForStatusMessage, type Theme } from './visitor.ts';

const BUILT = 'The lighthouse was built in 1874 from grey granite.';

type Box = Record<'x' | 'y' | 'width' | 'height', number>;

const CLAUSES = [
  'Lease of the mill at Farrow Bridge\n\nThe landlord lets the mill, its yard and the meadow behind it.',
  'Rent\n\nThe rent is 840 pounds a month, due on the first day of each month.',
  'Notice\n\nEither party may end this lease by a letter, three months before.',
];

/** An expression: whether the cited words lie on all that is drawn on a page, within 1% of its size. */
const isInkMarked = (page: number) => `(() => {
  const canvas = document.querySelector('[data-page-number="${page}"] canvas');
  const range = [...(CSS.highlights.get('cited') ?? [])][0];
  if (!canvas || !range) return false;
  const { width, height } = canvas;
  const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
  const drawn = [1, 1, 0, 0];
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3] === 0 || data[at] > 128) continue;
    const [x, y] = [((at / 4) % width) / width, Math.floor(at / 4 / width) / height];
    drawn.splice(0, 4, Math.min(drawn[0], x), Math.min(drawn[1], y), Math.max(drawn[2], x), Math.max(drawn[3], y));
  }
  const [sheet, words] = [canvas.getBoundingClientRect(), range.getBoundingClientRect()];
  const marked = [
    (words.left - sheet.left) / sheet.width,
    (words.top - sheet.top) / sheet.height,
    (words.right - sheet.left) / sheet.width,
    (words.bottom - sheet.top) / sheet.height,
  ];
  return marked.every((side, index) => Math.abs(side - drawn[index]) < 0.01);
})()`;

/** Tests of citations that open their page next to the chat. */
export function testPdfCitations(suite: BrowserSuite): void {
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

  it('open the page next to the chat with its words marked, from which other pages can be opened', async () => {
    const page = await ask('Ada', 'dark');
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('button', { name: 'Open page 42 of the document' }).click();
    const pane = page.getByRole('complementary', { name: 'Document' });
    expect(await marked(page)).toBe('built in 1874 from grey granite');
    const number = pane.getByLabel('Page', { exact: true });
    await until('the page in sight', async () => (await number.inputValue()) === '42');
    await pane.getByText('of 300', { exact: true }).waitFor();
    expect(await page.getByRole('region', { name: 'Messages' }).isVisible()).toBe(true);
    // Only the visible ones of 300 pages are drawn.
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
    await pane.getByRole('button', { name: 'Zoom in' }).click();

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
    await page.getByText('Only the text of this document is stored').waitFor();
    suite.allowComplaints(/status of 404/);
  });

  it('mark the words of rotated pages, and of text that is drawn sideways', async () => {
    const { page } = await suite.signedIn({ name: 'Dee', path: '/ai/chat-with-pdf' });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('button', { name: 'Try Premium here' }).click();
    await page.getByText('Premium Plan', { exact: true }).first().waitFor();
    const text = (turn: string) => `The rent of the page turned ${turn} is 870 euros`;
    const turns = ['not at all', 'right', 'round', 'left', 'in itself'];
    const [upright, right, round, left, sideways] = turns.map(text);
    const buffer = await makePdf([
      { text: upright },
      { text: right, rotate: 90 },
      { text: round, rotate: 180 },
      { text: left, rotate: 270 },
      { sideways },
    ]);
    await page
      .getByLabel('Click or drag PDF to upload')
      .setInputFiles({ name: 'turned.pdf', mimeType: 'application/pdf', buffer });
    suite.product.provider.script({
      text: turns.map((turn, index) => `"${text(turn)}" [p. ${index + 1}]`).join(' '),
    });
    await page.getByRole('textbox', { name: 'Your question' }).fill('How much is the rent?');
    await page.keyboard.press('Enter');
    for (const [index, turn] of turns.entries()) {
      await page.getByRole('button', { name: `Open page ${index + 1} of the document` }).click();
      for (const zoom of [false, true]) {
        if (zoom) await page.getByRole('button', { name: 'Zoom in' }).click();
        await until(`the words turned ${turn} to be marked where they are drawn`, () =>
          page.evaluate<boolean>(isInkMarked(index + 1)),
        );
      }
    }
  });

  describeWithModels('of a scanned contract', () => {
    it('is read page by page, and the page shows the cited words marked', async () => {
      const { page } = await suite.signedIn({ name: 'Cleo', path: '/ai/chat-with-pdf' });
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.getByRole('button', { name: 'Try Premium here' }).click();
      await page.getByText('Premium Plan', { exact: true }).first().waitFor();
      await page.getByLabel('Click or drag PDF to upload').setInputFiles({
        name: 'lease.pdf',
        mimeType: 'application/pdf',
        buffer: await scanPdf(await makePdf(CLAUSES), { grade: 'scanner' }),
      });
      await page.getByLabel('Language of a scan').selectOption('English');
      expect(await settledViolations(page)).toEqual([]);
      suite.product.provider.script({
        text: 'It is "840 pounds a month, due on the first day" [p. 2].',
      });
      await page.getByRole('textbox', { name: 'Your question' }).fill('How much is the rent?');
      await page.keyboard.press('Enter');
      await waitForStatusMessage(page, /Reading page \d of 3/);
      await page.getByRole('button', { name: 'Open page 2 of the document' }).click();

      const mark = page.locator('.citedBoxes mark');
      await mark.waitFor();
      await page.getByText('The quote is highlighted.').waitFor({ state: 'attached' });
      // Both at once: the page may still scroll.
      const { sheet, marked } = await until('the page to be drawn', async () => {
        const [sheet, marked] = await page.evaluate<(Box | undefined)[]>(
          `['[data-page-number="2"]', '.citedBoxes mark'].map((one) => document.querySelector(one)?.getBoundingClientRect().toJSON())`,
        );
        return sheet && marked && sheet.height > 300 && { sheet, marked };
      });
      // After “The rent is”, on the second line of writing.
      expect((marked.x - sheet.x) / sheet.width).toBeCloseTo(0.19, 1);
      expect((marked.y - sheet.y) / sheet.height).toBeCloseTo(0.1, 1);
      expect(marked.width / sheet.width).toBeGreaterThan(0.3);
      expect(await settledViolations(page)).toEqual([]);

      await page.getByRole('button', { name: 'Zoom in' }).click();
      await until('the mark to grow with the page', async () => {
        const larger = await mark.boundingBox();
        return larger && larger.width > marked.width * 1.05;
      });
      await page.getByRole('button', { name: 'Next page' }).click();
      await page.keyboard.press('Escape');
    });
  });
}
