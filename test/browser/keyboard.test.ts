import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { describeWithBrowser } from '../support/available.ts';
import { until } from '../support/until.ts';
import { useBrowserSuite } from './browser-suite.ts';

/** Focus without a pointer. */
describeWithBrowser('the keyboard', () => {
  const suite = useBrowserSuite();

  it('begins past the navigation, and goes on near what has gone', async () => {
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
    const submit = page.getByRole('button', { name: 'Generate article' });
    await submit.press('Enter');
    const cancel = page.getByRole('region', { name: 'Result' }).getByRole('button', { name: 'Cancel' });
    await cancel.waitFor();
    expect(await focused(page)).toBe('Generate article');
    await cancel.press('Enter');
    await page.getByText('You cancelled this run').waitFor();
    await until('the focus in the result', async () => (await focused(page)) === 'Result');
  });
});

/** The accessible name of what has the focus, as far as it has one by label or text. */
const focused = (page: Page) =>
  page.evaluate<string>(`(() => {
    const { activeElement: it } = document;
    const heading = document.getElementById(it.getAttribute('aria-labelledby'));
    return it.getAttribute('aria-label') ?? (heading ?? it).textContent.trim();
  })()`);
