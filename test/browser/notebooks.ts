import { expect, it } from '@jest/globals';
import { makePdf } from '../support/pdf.ts';
import { until } from '../support/until.ts';
import type { BrowserSuite } from './browser-suite.ts';
import { settledViolations, waitForStatusMessage } from './visitor.ts';

const KEEPER = 'The keeper of the light is Ines Marchetti.';

/** Test of a notebook, from its first documents to a text of its notes. */
export function testNotebooks(suite: BrowserSuite): void {
  it('asks several documents in a notebook, and makes a text of the notes', async () => {
    const { page } = await suite.signedIn({ name: 'Nora', path: '/ai/notebooks' });
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.getByRole('button', { name: 'Try Premium here' }).click();
    await page.getByRole('button', { name: 'Start a notebook' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Lights *2026*');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Lights *2026*', level: 1 }).waitFor();

    const pdf = await makePdf(['Ships and weather.', KEEPER]);
    await page.locator('input[type=file]').setInputFiles([
      { name: 'keepers.pdf', mimeType: 'application/pdf', buffer: pdf },
      { name: 'photo.png', mimeType: 'image/png', buffer: Buffer.from('no') },
    ]);
    await page.getByText('“photo.png” cannot be used.').waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await page.getByRole('checkbox', { name: 'Search keepers.pdf' }).waitFor();
    await page.getByRole('button', { name: 'Paste a text' }).click();
    await page.getByLabel('Text', { exact: true }).fill('# Fees\n\nThe mooring fee is 31 pounds a night.');
    await page.getByRole('button', { name: 'Add the text' }).click();
    await page.getByRole('checkbox', { name: 'Search Fees' }).waitFor();
    await page.getByText('Searches 2 documents').waitFor();

    suite.product.provider.script({
      text: 'It is “31 pounds a night” [2, p. 1], and “the light is Ines Marchetti” [1, p. 2].',
    });
    await page
      .getByRole('textbox', { name: 'Your question' })
      .fill('What is the fee, and who keeps the light?');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Keep as note' }).click();
    await waitForStatusMessage(page, 'Kept as a note');
    await page.reload();
    const marked = () =>
      until('the cited words to be marked', () =>
        page.evaluate<string | null>(`Array.from(CSS.highlights.get('cited') ?? []).join('') || null`),
      );
    await page.getByRole('button', { name: 'Open page 1 of Fees' }).click();
    expect(await marked()).toBe('31 pounds a night');
    await page.getByRole('button', { name: 'Open page 2 of keepers.pdf' }).click();
    await page.getByRole('region', { name: 'Pages of keepers.pdf' }).waitFor();
    await until('the words of the PDF', async () => (await marked()) === 'the light is Ines Marchetti');
    expect(await settledViolations(page)).toEqual([]);

    await page.getByRole('button', { name: 'Actions for Fees' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await page.getByText('Searches 1 document').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Searches 2 documents').waitFor();

    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('tab', { name: 'Notes' }).click();
    await page.getByText('1 note', { exact: true }).waitFor();
    expect(await settledViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Make a text of the notes' }).click();
    await page.waitForURL(/\/ai\/creations\//);
    await page.getByRole('textbox', { name: 'Text' }).waitFor();
    await page.getByText(/\[\^1\]: .*Fees/).waitFor();
  });
}
