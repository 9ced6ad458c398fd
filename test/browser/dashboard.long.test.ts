import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import type { Download, Page } from 'playwright-core';
import { describeWithBrowser } from '../support/available.ts';
import { useBrowserSuite } from './browser-suite.ts';
import { until } from '../support/until.ts';
import { unzip } from '../support/unzip.ts';
import { openConnected, settledViolations, waitForStatusMessage, type Theme } from './visitor.ts';
import { ARTICLE_BUTTON } from '../support/article-button.ts';

/** Search, delete, export and share creations, in a real browser. */
describeWithBrowser('the dashboard', () => {
  const suite = useBrowserSuite();

  /** A user with titles for these keywords and a public image. */
  const withWork = async (name: string, keywords: string[], theme: Theme) => {
    suite.allowComplaints(/status of 404/);
    const { page, context, account } = await suite.newUser({ name, theme });
    await account.post('/api/user/plan', { data: { plan: 'premium' } });
    await account.post('/api/ai/generate-image', { data: { prompt: 'A lamp in the fog', publish: true } });
    for (const prompt of keywords) await account.post('/api/ai/generate-blog-title', { data: { prompt } });
    await page.goto('/ai');
    await page.getByRole('heading', { name: 'Recent Creations' }).waitFor();
    return { page, context };
  };
  const cards = (page: Page) => page.getByRole('region', { name: 'Recent Creations' }).getByRole('listitem');
  const card = (page: Page, prompt: string) => cards(page).filter({ hasText: prompt });

  it('finds creations by words and type, keeps the filter in the address, and shows when none match', async () => {
    const { page } = await withWork(
      'Ada',
      ['sourdough', 'rye bread', 'garden tools', 'winter light'],
      'dark',
    );
    await page.setViewportSize({ width: 390, height: 844 });
    await card(page, 'winter light').waitFor();
    expect(await cards(page).count()).toBe(4);
    await page.getByRole('button', { name: 'View all' }).click();
    await card(page, 'A lamp in the fog').getByRole('button', { expanded: false }).click();
    await page.getByRole('link', { name: 'Open its page' }).click();
    await page.getByRole('heading', { name: 'A lamp in the fog', level: 1 }).waitFor();
    await until('the page to begin at its top', () => page.evaluate<boolean>('scrollY === 0'));
    await page.goBack();
    await card(page, 'A lamp in the fog').waitFor();
    await until('the list to be where it was', () =>
      page.evaluate<boolean>(`(() => {
        const { top, bottom } = document.activeElement.getBoundingClientRect();
        return 'creation' in document.activeElement.dataset && scrollY > 0 && top > 0 && bottom < innerHeight;
      })()`),
    );
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
  });

  it('deletes with undo, several at once, also in another tab', async () => {
    const { page, context } = await withWork('Bo', ['first', 'second', 'third'], 'light');
    await page.getByRole('button', { name: 'Delete first' }).click();
    await page.getByRole('button', { name: 'Delete second' }).click();
    await page.getByText('Deleted “first”').waitFor();
    // A message stays for as long as the pointer is on one.
    await page.getByText('Deleted “second”').hover();
    expect(await settledViolations(page)).toEqual([]);
    const other = await context.newPage();
    await openConnected(other, '/ai');
    await card(other, 'third').waitFor();
    expect(await card(other, 'second').count()).toBe(0);
    await page
      .getByRole('status')
      .filter({ hasText: 'Deleted “first”' })
      .getByRole('button', { name: 'Undo' })
      .click();
    await card(page, 'first').waitFor();
    expect(await card(page, 'second').count()).toBe(0);
    // An event brings it back there too.
    await card(other, 'first').waitFor();
  });

  it('names, tags and marks creations, and finds them by each', async () => {
    const { page, context } = await withWork('Eve', ['rye bread', 'garden tools'], 'light');
    await page.getByRole('button', { name: 'Favourite garden tools' }).click();
    await card(page, 'rye bread').getByRole('button', { expanded: false }).click();
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByLabel('Name', { exact: true }).fill('The big loaf');
    await page.keyboard.press('Enter');
    await card(page, 'The big loaf').getByText('Prompt: rye bread').waitFor();
    await page.getByLabel('New tag').fill('Kitchen');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove the tag kitchen' }).waitFor();
    expect(await settledViolations(page)).toEqual([]);

    const other = await context.newPage();
    await other.goto('/ai?tag=kitchen');
    await card(other, 'The big loaf').waitFor();
    expect(await cards(other).count()).toBe(1);
    await other.goto('/ai?q=loaf+bread');
    await other.getByText('1 of 3 creations found').waitFor();
    await page.getByRole('button', { name: 'Favourites', exact: true }).click();
    await page.waitForURL('**/ai?favourite=1');
    await page.getByText('1 of 3 creations found').waitFor();
    await card(page, 'garden tools').waitFor();
  });

  it('selects several to tag, download and delete with Undo, by keyboard, and saves a search as a folder', async () => {
    const { page, context } = await withWork('Flo', ['rye bread', 'garden tools', 'winter light'], 'dark');
    await page.setViewportSize({ width: 390, height: 844 });
    const other = await context.newPage();
    await openConnected(other, '/ai?tag=spring');
    await page.getByRole('button', { name: 'Select several' }).press('Enter');
    await page.getByRole('checkbox', { name: 'Select winter light' }).press('Space');
    await page.getByRole('checkbox', { name: 'Select garden tools' }).press('Space');
    await page.getByRole('button', { name: 'Tag', exact: true }).press('Enter');
    await page.keyboard.type('Spring');
    await page.keyboard.press('Enter');
    await waitForStatusMessage(page, 'Tagged 2 creations with “spring”');
    await card(other, 'garden tools').waitFor();
    expect(await settledViolations(page)).toEqual([]);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'ZIP' }).press('Enter'),
    ]);
    expect(file.suggestedFilename()).toMatch(/^pressroom-.*\.zip$/);
    const files = unzip(await bytesOf(file));
    expect([...files.keys()]).toEqual(['winter light.md', 'garden tools.md']);
    expect(files.get('garden tools.md')?.toString()).toMatch(/^1\. /);

    await page.getByRole('button', { name: 'Delete', exact: true }).press('Enter');
    const deleted = page.getByRole('status').filter({ hasText: 'Deleted 2 creations' });
    // It stays for as long as the pointer is on it.
    await deleted.hover();
    await card(page, 'winter light').waitFor({ state: 'detached' });
    await card(other, 'garden tools').waitFor({ state: 'detached' });
    await deleted.getByRole('button', { name: 'Undo' }).press('Enter');
    await card(page, 'winter light').waitFor();
    await card(other, 'garden tools').waitFor();
    await page.getByRole('button', { name: 'Done', exact: true }).press('Enter');

    await page.getByRole('combobox', { name: 'Tag' }).selectOption('spring');
    await page.getByRole('button', { name: 'Save as a folder' }).press('Enter');
    await page.getByLabel('Name of the folder').press('Enter');
    // The other window receives the event.
    await other.getByRole('button', { name: 'spring', exact: true }).waitFor();
    await other.goto('/ai');
    await other.getByRole('button', { name: 'spring', exact: true }).click();
    await other.waitForURL('**/ai?tag=spring');
  });

  it('exports a text as Markdown, Word, PDF, web page and plain text, and shares a public image until it is unpublished', async () => {
    const { page, context } = await withWork('Cy', ['Grüße aus Київ'], 'dark');
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
    expect(pdf.includes('/Lang (')).toBe(true);
    expect(pdf.includes('/S /LBody')).toBe(true);
    const [, html] = await saved('Web page');
    expect(html.toString()).toContain('<ol>');
    const [textName, text] = await saved('Plain text');
    expect([textName, text.toString()]).toEqual(['Grüße aus Київ.txt', expect.stringMatching(/^1\. /)]);

    await card(page, 'A lamp in the fog').getByRole('button', { expanded: false }).click();
    await card(page, 'A lamp in the fog').getByRole('button', { name: 'Share' }).click();
    await waitForStatusMessage(page, 'Link copied to clipboard!');
    const link = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(link).toMatch(/\/c\/[\w-]{36}$/);
    const open = () => context.request.get(new URL(link).pathname);
    expect(await (await open()).text()).toContain('og:image');
    expect(await settledViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Unpublish' }).click();
    await page.getByRole('button', { name: 'Publish', exact: true }).waitFor();
    expect((await open()).status()).toBe(404);
  });

  it('draws the formulas of a PDF', async () => {
    const { page, context, account } = await suite.newUser();
    await account.post('/api/ai/generate-blog-title', { data: { prompt: 'integrals' } });
    const { creations } = await account.get<{ creations: { id: string }[] }>('/api/user/get-user-creations');
    const { token } = await account.get<{ token: string }>('/api/auth/token');
    const { id } = creations[0]!;
    const content = String.raw`In a line: $x^2$, and again $x^2$.

$$
\int_0^\infty e^{-x^2} dx = \frac{\sqrt{\pi}}{2}
$$

> $$
> \begin{align} a &= b + c \\ &= \mathbb{R} \end{align}
> $$`;
    const edited = await context.request.put(`/api/user/creations/${id}/content`, {
      headers: { authorization: `Bearer ${token}`, 'if-match': '"1"' },
      data: { content, session: randomUUID() },
    });
    expect(edited.status()).toBe(200);
    await page.goto(`/ai/creations/${id}`);
    await page.getByRole('button', { name: 'Export' }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'PDF' }).click(),
    ]);
    const pdf = await bytesOf(file);
    const occurrences = (words: string) => pdf.toString('latin1').split(words).length - 1;
    // Each picture has a mask. The same formula has the same picture.
    expect([occurrences('/S /Formula'), occurrences('/Subtype /Image')]).toEqual([4, 6]);
    expect(occurrences('/Placement /Inline')).toBe(2);
  });

  it('lets the browser print a PDF whose scripts our fonts lack, with the whole text only', async () => {
    const { page } = await withWork('Di', ['ܫܠܡܐ ܠܟܠ 🍅'], 'dark');
    await page.evaluate('window.print = () => { globalThis.printedAs = document.title }');
    const toBeBack = async () => {
      await page.locator('.print-document').waitFor({ state: 'detached' });
      await until('the title to be back', async () => !(await page.title()).includes('ܫܠܡܐ'));
    };
    await card(page, 'ܫܠܡܐ ܠܟܠ').getByRole('button', { expanded: false }).click();
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'PDF' }).click();
    await waitForStatusMessage(page, 'Choose “Save as PDF” in the print dialog');
    await until('the text to be printed', () =>
      page.evaluate<boolean>(`globalThis.printedAs === 'ܫܠܡܐ ܠܟܠ 🍅'`),
    );
    await page.emulateMedia({ media: 'print' });
    const printed = await page.locator('body').innerText();
    expect(printed).toContain('ܫܠܡܐ ܠܟܠ 🍅');
    expect(printed).not.toContain('Recent Creations');
    await page.emulateMedia({ media: null });
    await page.evaluate(`dispatchEvent(new Event('afterprint'))`);
    await toBeBack();

    // Some browsers fire no event when they have printed.
    await page.evaluate('delete globalThis.printedAs');
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('menuitem', { name: 'PDF' }).click();
    await until('the text to be printed again', () => page.evaluate<boolean>(`'printedAs' in globalThis`));
    await page.keyboard.press('Escape');
    await toBeBack();
  });

  it('has a skip link, and moves the focus next to what was removed', async () => {
    const { page, account } = await suite.newUser();
    await account.post('/api/ai/generate-blog-title', { data: { prompt: 'bread', category: 'Food' } });
    await page.goto('/ai');
    await page.getByRole('button', { name: 'Delete bread' }).waitFor();
    await page.keyboard.press('Tab');
    expect(await focused(page)).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await until('the focus in the content', () =>
      page.evaluate<boolean>(`document.querySelector('main').contains(document.activeElement)`),
    );

    await page.getByRole('button', { name: 'Delete bread' }).press('Enter');
    await page.getByText('No creations found').waitFor();
    await until('the focus in the section', async () => (await focused(page)) === 'Recent Creations');

    await page.goto('/ai/write-article');
    await page.getByLabel('Topic').fill('tides [[hang]]');
    const submit = page.getByRole('button', { name: ARTICLE_BUTTON });
    await submit.press('Enter');
    const cancel = page.getByRole('region', { name: 'Result' }).getByRole('button', { name: 'Cancel' });
    await cancel.waitFor();
    expect(await focused(page)).toMatch(ARTICLE_BUTTON);
    await cancel.press('Enter');
    await page.getByText('You cancelled this run').waitFor();
    await until('the focus in the result', async () => (await focused(page)) === 'Result');
  });
});

const bytesOf = async (file: Download) => readFileSync(await file.path());

/** The accessible name of what has the focus, as far as it has one by label or text. */
const focused = (page: Page) =>
  page.evaluate<string>(`(() => {
    const { activeElement: it } = document;
    const heading = document.getElementById(it.getAttribute('aria-labelledby'));
    return it.getAttribute('aria-label') ?? (heading ?? it).textContent.trim();
  })()`);
