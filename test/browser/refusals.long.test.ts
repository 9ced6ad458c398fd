import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { createDataSource } from '#libs/database/data-source.js';
import { takeCredits } from '#libs/billing/credits.js';
import { describeWithBrowser } from '../support/available.ts';
import { useBrowserSuite } from './browser-suite.ts';
import { until } from '../support/until.ts';
import { finishedText, settledViolations, signUp, tryNow } from './visitor.ts';
import { ARTICLE_BUTTON } from '../support/article-button.ts';

const SUBMISSIONS = 12;
const NOT_ANSWERED = /Failed to load resource|Failed to fetch dynamically imported module/;

/** Errors on screens: each says what to do next, and keeps what the user typed. */
describeWithBrowser('errors', () => {
  // A refused call and code that could not be fetched are lines on the browser's console.
  const suite = useBrowserSuite({
    settings: () => ({
      WORKER_CONCURRENCY: 'text=2',
      QUEUE_LIMIT_STANDARD: 'text=1',
      RATE_LIMIT_SUBMISSIONS: String(SUBMISSIONS),
    }),
    allowedComplaints: NOT_ANSWERED,
  });

  const signedIn = (path = '/ai/write-article') => suite.signedIn({ path });

  it('shows used-up credits before and after a submission, with the day they renew and the upgrade', async () => {
    const { page } = await signedIn();
    await page.getByText('Costs 1 credit, you have 30').waitFor();
    const form = await typed(page, 'An article without a credit [[words:100]]');
    const { profile } = await ask<{ profile: { id: string } }>(page, 'GET', '/api/user/account');
    const database = await createDataSource({ url: suite.product.databaseUrl }).initialize();
    await takeCredits(database, profile.id, 30, 'a test');
    await database.destroy();
    await submit(page);
    await page.getByText('This month’s credits are used up').waitFor();
    await page
      .getByText(/They renew on \w+ 1/)
      .first()
      .waitFor();
    expect(await form()).toBe('An article without a credit [[words:100]]');
    expect(await settledViolations(page)).toEqual([]);
    await page.reload();
    await page.getByText(/30 new ones come on \w+ 1/).waitFor();
    await page.getByRole('button', { name: 'Try Premium here' }).click();
    await page.getByText('This month’s credits are used up').waitFor({ state: 'detached' });
    expect(await form()).toBe('An article without a credit [[words:100]]');
    await submit(page);
    await finishedText(page);
  });

  it('offers the premium plan where a tool needs it', async () => {
    const { page } = await signedIn('/ai/generate-images');
    await page.getByLabel('Description').fill('A kite above the dunes');
    await page.getByText('This is part of the premium plan').waitFor();
    await page.getByRole('button', { name: 'Try Premium here' }).click();
    await page.getByText('This is part of the premium plan').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Description').inputValue()).toBe('A kite above the dunes');
    expect(await page.getByRole('button', { name: 'Generate Image' }).isEnabled()).toBe(true);
  });

  it('counts down after too many submissions', async () => {
    const { page } = await signedIn();
    const form = await typed(page, 'One too many');
    for (let sent = 0; sent < SUBMISSIONS; sent += 1) await ask(page, 'POST', '/api/ai/generate-article');
    await submit(page);
    await page.getByText('Too many requests').waitFor();
    const again = page.getByRole('button', { name: 'Try again' });
    expect(await again.isDisabled()).toBe(true);
    const first = await again.innerText();
    expect(first).toMatch(/in \d+ s/);
    expect(await page.evaluate('document.activeElement.textContent')).toMatch(ARTICLE_BUTTON);
    await until('it counts', async () => (await again.innerText()) !== first);
    expect(await form()).toBe('One too many');
    expect(await settledViolations(page)).toEqual([]);
  });

  it('shows the place in a queue, and says when it is full', async () => {
    const { page } = await signedIn();
    for (const [atWork, topic] of ['One [[hang]]', 'Two [[hang]]', 'Three [[words:100]]'].entries()) {
      // Only one may wait: each of the first two is at work before the next comes.
      await until('those before to be at work', () => suite.product.provider.open === atWork);
      await typed(page, topic);
      await submit(page);
      await page.getByRole('region', { name: 'Result' }).getByTitle(topic).waitFor();
    }
    await page.getByRole('heading', { name: /^Next in the queue/ }).waitFor();
    const form = await typed(page, 'Four [[words:100]]');
    await submit(page);
    await page.getByText('The queue is full').waitFor();
    expect(await page.getByRole('button', { name: 'Try again' }).isDisabled()).toBe(true);
    expect(await form()).toBe('Four [[words:100]]');

    const tray = page.getByRole('region', { name: 'Your work' });
    await tray.getByRole('button', { name: /^Your work:/ }).click();
    await tray.getByText('Write Article · Next in the queue').waitFor();
    await tray.getByRole('button', { name: 'Cancel: One' }).click();
    await finishedText(page);
    await tray.getByRole('button', { name: 'Cancel: Two' }).click();
  });

  it('waits for a server that is down, and submits the typed text again', async () => {
    const { page } = await signedIn();
    const form = await typed(page, 'Sent twice, made once [[words:100]]');
    const startApi = await suite.product.stopApi();
    await page.getByText('Reconnecting').waitFor();
    await submit(page);
    await page.getByText('Pressroom did not respond').waitFor();
    expect(await form()).toBe('Sent twice, made once [[words:100]]');
    await page.getByRole('link', { name: 'Calculate ATS Score' }).click();
    await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
    await startApi();
    await page.getByRole('heading', { name: 'Calculate ATS Score', level: 1 }).waitFor();
    await page.goBack();
    expect(await form()).toBe('Sent twice, made once [[words:100]]');
    await submit(page);
    await finishedText(page);
  });

  it('opens without a reload once the server answers', async () => {
    const { page } = await signedIn();
    await page.route('**/api/config', (route) => route.abort());
    await page.reload();
    await page.getByText('Pressroom cannot be reached').waitFor();
    expect(await settledViolations(page)).toEqual([]);
    await page.unroute('**/api/config');
    await tryNow(page);
    await page.getByRole('heading', { name: 'Write Article' }).waitFor();

    // The code of the accounts, lost on its way.
    await page.route('**/assets/local-session-*.js', (route) => route.abort());
    await page.reload();
    await page.getByText('Pressroom cannot be reached').waitFor();
    await page.unroute('**/assets/local-session-*.js');
    await page.getByRole('heading', { name: 'Write Article' }).waitFor();

    // The client itself, lost on its way: nothing of it is there to say so.
    await page.route('**/assets/index-*.js', (route) => route.abort());
    await page.reload();
    await page.getByText('Part of Pressroom is not here yet').waitFor();
    expect(await settledViolations(page)).toEqual([]);
    await page.unroute('**/assets/index-*.js');
    await page.getByRole('link', { name: 'Load again' }).click();
    await page.getByRole('heading', { name: 'Write Article' }).waitFor();
  });

  it('keeps the typed text for a user whose session expires, and for no other user', async () => {
    const { page, account } = await signedIn();
    const form = await typed(page, 'Written before the session ended');
    const expire = async (next: string) => {
      await page.context().clearCookies();
      await page.route('**/api/user/**', (route) => route.fulfill({ status: 401, json: {} }));
      await page.getByRole('link', { name: next }).click();
      await page.getByText('Your session has ended').waitFor();
      await page.unroute('**/api/user/**');
    };
    await expire('Community');
    expect(await settledViolations(page)).toEqual([]);
    await page.getByLabel('Email').fill(account.email);
    await page.getByRole('textbox', { name: 'Password' }).fill('a long password');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('link', { name: 'Write Article' }).click();
    expect(await form()).toBe('Written before the session ended');
    await expire('Dashboard');
    await signUp(page, 'Somebody Else');
    await page.getByRole('link', { name: 'Write Article' }).click();
    expect(await form()).toBe('');
  });
});

/** Types a topic, and answers how to read it again. */
async function typed(page: Page, topic: string): Promise<() => Promise<string>> {
  const field = page.getByLabel('Topic');
  await field.fill(topic);
  return () => field.inputValue();
}

const submit = (page: Page) => page.getByRole('button', { name: ARTICLE_BUTTON }).click();

/** Calls the API as the page's user. */
const ask = <T>(page: Page, method: string, path: string): Promise<T> =>
  page.evaluate<T>(`fetch('/api/auth/token').then((answer) => answer.json()).then(({ token }) =>
    fetch('${path}', { method: '${method}', headers: { Authorization: 'Bearer ' + token } }))
    .then((answer) => answer.json())`);
