import { expect, it } from '@jest/globals';
import pg from 'pg';
import type { Page } from 'playwright-core';
import { describeWithBrowser } from '../support/available.ts';
import { until } from '../support/until.ts';
import { useBrowserSuite } from './browser-suite.ts';
import { sizes, switchTheme, themes } from './screens.ts';
import { waitForStatusMessage, finishedText, resultText, settledViolations, stillText } from './visitor.ts';
import { ARTICLE_BUTTON } from '../support/article-button.ts';

/** Moves the submission of all jobs into the past: only jobs of over 10 seconds call the user. */
async function makeJobsOlder(databaseUrl: string): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  await client.query(`UPDATE jobs SET created_at = created_at - interval '11 seconds'`);
  await client.end();
}

/** Jobs outside their page: the tray, notifications, lost connections, and the command palette. */
describeWithBrowser('live jobs', () => {
  const suite = useBrowserSuite();

  it('lists jobs of a tool on every page, after a reload and in a second tab, until they are dismissed', async () => {
    const { page, context } = await suite.signedIn({ path: '/ai/write-article' });
    await begin(page, 'The first of two [[hang:stream]]');
    await begin(page, 'The second of two [[stop]]');
    await tray(page).getByText('2 jobs in progress').waitFor();
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    // A job that ends on its open page leaves the tray.
    await suite.goOn();
    await openTray(page);
    await row(page, 'The first of two')
      .getByText(/^Write Article/)
      .waitFor();
    await row(page, 'The first of two')
      .getByText(/^\d+%$/)
      .waitFor();
    await row(page, 'The second of two').getByText(/Done$/).waitFor();

    await page.goto('/');
    await openTray(page);
    await row(page, 'The first of two').waitFor();
    const second = await context.newPage();
    await second.goto('/ai/community');
    await openTray(second);
    await row(second, 'The second of two')
      .getByRole('button', { name: /^Dismiss/ })
      .click();
    await row(page, 'The second of two').waitFor({ state: 'detached' });

    await row(page, 'The first of two')
      .getByRole('button', { name: /^Cancel/ })
      .click();
    await row(second, 'The first of two')
      .getByText(/Cancelled$/)
      .waitFor();
    await until('the request to the provider ends', () => suite.product.provider.open === 0);
    await row(second, 'The first of two')
      .getByRole('button', { name: /^Retry/ })
      .click();
    // A tab in the background draws about once a second.
    await page.bringToFront();
    await row(page, 'The first of two')
      .getByText(/^\d+%$/)
      .waitFor();
    await row(page, 'The first of two').getByRole('button', { name: /^Open/ }).click();
    await page.waitForURL(/\/ai\/write-article\?job=/);
    await resultText(page).getByText('Where it begins').waitFor();
    await page.getByRole('region', { name: 'Result' }).getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('heading', { name: 'Cancelled' }).waitFor();

    await page.reload();
    await openTray(page);
    await row(page, 'The first of two').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.evaluate('document.activeElement.getAttribute("aria-expanded")')).toBe('false');
  });

  it('catches up after a network outage, and notifies the user once', async () => {
    const { page, context } = await suite.newUser();
    await context.addInitScript(watchNotifications);
    await page.goto('/ai/write-article');
    await begin(page, 'Read on a train [[stop:2]]');
    await resultText(page).getByText('Where it begins').waitFor();
    await openTray(page);
    await tray(page).getByRole('switch', { name: 'Notify me' }).click();
    const second = await context.newPage();
    await second.goto('/ai/community');
    await tray(second).waitFor();

    await context.setOffline(true);
    for (const tab of [page, second]) await tray(tab).getByText('Offline.', { exact: true }).waitFor();
    const before = await stillText(page);
    await suite.goOn();
    // The server goes on as far as its next stop.
    await until('the text to be written on', () => suite.product.provider.stopped === 1);
    expect(await resultText(page).innerText()).toBe(before);
    for (const tab of [page, second]) await tab.evaluate('isHidden = true');
    await context.setOffline(false);
    await waitForStatusMessage(page, 'Connected again');
    await makeJobsOlder(suite.product.databaseUrl);
    await suite.goOn();
    const text = await finishedText(page);
    expect(text.length).toBeGreaterThan(before.length);

    const calls = async () => [...(await called(page)), ...(await called(second))];
    const [call] = await until('a notification comes', async () => {
      const made = await calls();
      return made.length > 0 && made;
    });
    expect(call).toMatchObject({
      title: 'Write Article: done',
      body: expect.stringMatching(/^Read on a train/),
    });
    // Both tabs have received the end.
    await openTray(second);
    await row(second, 'Read on a train').getByText(/Done$/).waitFor();
    expect(await calls()).toHaveLength(1);
    const notified = (await called(page)).length === 1 ? page : second;
    await notified.evaluate('lastCall.onclick()');
    await notified.waitForURL(/\/ai\/write-article\?job=/);
    expect(await finishedText(notified)).toBe(text);
  });

  it('runs several tools one after the other, with a retry of a failed one, as one line in the tray', async () => {
    const { page, context } = await suite.signedIn({ path: '/ai/write-article' });
    await page.getByLabel('Topic').fill('In one run [[words:120]][[400:1]]');
    await page.getByRole('button', { name: 'Run all steps' }).press('Enter');
    const offer = page.getByRole('region', { name: 'Run all steps' });
    expect(await offer.getByLabel('Generate Images').isDisabled()).toBe(true);
    expect(await offer.getByLabel('Write Article').isDisabled()).toBe(true);
    await offer.getByText('Costs 3 credits, you have 30.').waitFor();
    await offer.getByLabel('Title Generator').press('Space');
    await offer.getByText('Costs 2 credits, you have 30.').waitFor();
    expect(await settledViolations(page)).toEqual([]);
    // The code of its page is slow to come: the first step begins, and fails, before.
    const code = Promise.withResolvers<void>();
    await page.route('**/assets/**', (route) => code.promise.then(() => route.continue()));
    await offer.getByRole('button', { name: 'Start 2 steps (2 credits)' }).press('Enter');
    await page.waitForURL(/\/ai\/flows\//);
    await tray(page)
      .getByText(/0 of 2 steps done, 1 failed/)
      .waitFor();
    code.resolve();
    await page.getByText('The run waits for you').waitFor();
    await page.getByText('Starts after Write Article').waitFor();
    await openTray(page);
    await row(page, 'In one run')
      .getByText(/^0 of 2 steps done, 1 failed/)
      .waitFor();
    expect(await tray(page).getByRole('listitem').count()).toBe(1);
    for (const theme of themes) {
      await switchTheme(page, theme);
      expect(await settledViolations(page)).toEqual([]);
    }
    await page.keyboard.press('Escape');
    const second = await context.newPage();
    await second.goto(page.url());
    await second.getByRole('button', { name: 'Try again: Write Article' }).press('Enter');
    await page.bringToFront();
    await page.getByText('2 of 2 steps done').first().waitFor();
    await page.getByRole('region', { name: 'Text: Humanize Text' }).waitFor();
    await page.getByText('28 of 30 credits left').waitFor();
    await openTray(page);
    await row(page, 'In one run').getByText('2 of 2 steps done').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Open the result: Write Article' }).press('Enter');
    await page.waitForURL(/\/ai\/creations\//);
  });

  it('finds a tool, a command and a creation by a few letters, and restores the focus', async () => {
    const { page } = await suite.signedIn({ path: '/ai/write-article' });
    await begin(page, 'Lanterns of the north [[words:200]]');
    await finishedText(page);
    const search = page.getByRole('button', { name: 'Search', exact: true });
    await search.focus();
    await page.keyboard.press('Enter');
    const box = page.getByRole('combobox');
    await box.fill('humanize');
    await page.getByRole('option').first().filter({ hasText: 'Humanize Text' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Humanize Text', level: 1 }).waitFor();

    await search.focus();
    await page.keyboard.press('Control+k');
    await box.fill('light theme');
    await page.getByRole('option').waitFor();
    await page.keyboard.press('Enter');
    await until('the theme changes', () =>
      page.evaluate('document.documentElement.dataset.theme === "light"'),
    );
    await until('the focus is back', () =>
      page.evaluate('document.activeElement.textContent.startsWith("Search")'),
    );

    await page.goto('/');
    // The start page loads it once it finds a signed-in user; the tray is empty, since the result was seen.
    await page.locator('.job-tray-spacer').waitFor({ state: 'attached' });
    await page.keyboard.press('Control+k');
    await box.fill('no such thing');
    await page.getByText('No results for “no such thing”.').waitFor();
    await box.fill('north lanterns');
    await page.getByRole('option', { name: /^Lanterns of the north/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/ai\/write-article\?job=/);
    await finishedText(page);
  });

  it('is accessible and covers no action, at each size and in each theme', async () => {
    const { page } = await suite.signedIn({ path: '/ai/write-article' });
    await begin(page, 'Not in the way [[hang:stream]]');
    const job = page.url();
    const expectAccessible = async () => {
      for (const theme of themes) {
        await switchTheme(page, theme);
        expect(await settledViolations(page)).toEqual([]);
      }
    };
    for (const size of sizes) {
      await page.setViewportSize(size);
      await page.goto(job);
      await tray(page).waitFor();
      for (const theme of themes) {
        await switchTheme(page, theme);
        for (const name of [ARTICLE_BUTTON, 'Cancel']) {
          const action = page.getByRole('button', { name, exact: true });
          await action.scrollIntoViewIfNeeded();
          // The text above it may still grow.
          await until(
            `${String(name)} not to be covered`,
            async () => !overlap(await action.boundingBox(), await tray(page).boundingBox()),
          );
        }
      }
      await openTray(page);
      await expectAccessible();
      await page.keyboard.press('Control+k');
      await page.getByRole('option').first().waitFor();
      await expectAccessible();
    }
    await page.goto('/');
    await tray(page).waitFor();
    expect(await settledViolations(page)).toEqual([]);
  });
});

/** The tray of a page. */
const tray = (page: Page) => page.getByRole('region', { name: 'Your work' });
const row = (page: Page, title: string) => tray(page).getByRole('listitem').filter({ hasText: title });

async function openTray(page: Page): Promise<void> {
  await tray(page)
    .getByRole('button', { name: /^Your work:/, expanded: false })
    .click();
}

/** Requests an article on its page, and waits until the page shows it. */
async function begin(page: Page, topic: string): Promise<void> {
  await page.getByLabel('Topic').fill(topic);
  await page.getByRole('button', { name: ARTICLE_BUTTON }).click();
  await page.getByRole('region', { name: 'Result' }).getByTitle(topic).waitFor();
}

/** Records notifications, and lets a test hide the tab by `isHidden = true`. */
const watchNotifications = `
  globalThis.calls = [];
  const Real = Notification;
  globalThis.Notification = class extends Real {
    // The headless shell denies permissions without a prompt.
    static permission = 'granted';
    constructor(title, options) {
      super(title, options);
      calls.push({ title, body: options.body });
      globalThis.lastCall = this;
    }
  };
  Object.defineProperty(document, 'hidden', { get: () => globalThis.isHidden === true });`;
const called = (page: Page) => page.evaluate<{ title: string; body: string }[]>('calls');

type Box = Awaited<ReturnType<ReturnType<Page['locator']>['boundingBox']>>;
const overlap = (one: Box, other: Box): boolean =>
  one === null ||
  other === null ||
  (one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height);
