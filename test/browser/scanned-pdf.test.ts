import { expect, it } from '@jest/globals';
import { describeWithBrowser } from '../support/available.ts';
import { describeWithModels } from '../support/models.ts';
import { makePdf } from '../support/pdf.ts';
import { scanPdf } from '../support/scans.ts';
import { until } from '../support/until.ts';
import { useBrowserSuite } from './browser-suite.ts';
import { settledViolations, waitForStatusMessage } from './visitor.ts';

type Box = Record<'x' | 'y' | 'width' | 'height', number>;

const CLAUSES = [
  'Lease of the mill at Farrow Bridge\n\nThe landlord lets the mill, its yard and the meadow behind it.',
  'Rent\n\nThe rent is 840 pounds a month, due on the first day of each month.',
  'Notice\n\nEither party may end this lease by a letter, three months before.',
];

describeWithModels('a scanned contract', () => {
  describeWithBrowser('in the chat', () => {
    const suite = useBrowserSuite();

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
      await page.getByLabel('Language, if it is a scan').selectOption('English');
      expect(await settledViolations(page)).toEqual([]);
      suite.product.provider.script({
        text: 'It is "840 pounds a month, due on the first day" [p. 2].',
      });
      await page.getByRole('textbox', { name: 'Your question' }).fill('How much is the rent?');
      await page.keyboard.press('Enter');
      await waitForStatusMessage(page, /Reading page \d of 3/);
      await page.getByRole('button', { name: 'Open page 2 of the document' }).click();

      const mark = page.locator('.scannedWords mark');
      await mark.waitFor();
      await page.getByText('The cited words are marked.').waitFor({ state: 'attached' });
      // Both at once: the page may still scroll.
      const { sheet, marked } = await until('the page to be drawn', async () => {
        const [sheet, marked] = await page.evaluate<(Box | undefined)[]>(
          `['[data-page-number="2"]', '.scannedWords mark'].map((one) => document.querySelector(one)?.getBoundingClientRect().toJSON())`,
        );
        return sheet && marked && sheet.height > 300 && { sheet, marked };
      });
      // After “The rent is”, on the second line of writing.
      expect((marked.x - sheet.x) / sheet.width).toBeCloseTo(0.19, 1);
      expect((marked.y - sheet.y) / sheet.height).toBeCloseTo(0.1, 1);
      expect(marked.width / sheet.width).toBeGreaterThan(0.3);
      expect(await settledViolations(page)).toEqual([]);

      await page.getByRole('button', { name: 'Larger' }).click();
      await until('the mark to grow with the page', async () => {
        const larger = await mark.boundingBox();
        return larger && larger.width > marked.width * 1.05;
      });
      await page.getByRole('button', { name: 'Next page' }).click();
      await page.keyboard.press('Escape');
    });
  });
});
