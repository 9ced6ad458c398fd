import { afterAll, beforeAll, expect, it } from '@jest/globals';
import sharp from 'sharp';
import type { Page } from 'playwright-core';
import { describeWithBrowser } from '../support/available.ts';
import { MailServer } from '../support/mail-server.ts';
import { until } from '../support/until.ts';
import { PASSWORD } from './account.ts';
import { variants } from './screens.ts';
import { useBrowserSuite } from './browser-suite.ts';
import { clickTwice, settledViolations } from './visitor.ts';

const SIGN_INS_A_MINUTE = 20;

/** Chromium's console message for a refused request; these tests cause many. */
const REFUSED = /Failed to load resource.*status of 4(00|01|03|22|29)/;

/** The life of a local account where mail is sent, in real browsers, with a real mail server. */
describeWithBrowser('a local account', () => {
  let mail: MailServer;

  beforeAll(async () => {
    mail = await MailServer.start();
  });
  const suite = useBrowserSuite({
    settings: () => ({
      ...mail.variables(),
      RATE_LIMIT_SIGN_IN: String(SIGN_INS_A_MINUTE),
    }),
    allowedComplaints: REFUSED,
  });
  afterAll(() => mail?.stop());

  /** The next mail's link, at the address that the test's browser uses. */
  const mailedLink = async (email: string) => {
    const { pathname, search } = new URL((await mail.next(email)).link);
    return pathname + search;
  };
  const password = (page: Page, name = 'Password') => page.getByRole('textbox', { name, exact: true });
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const enter = async (page: Page, email: string, word: string) => {
    await page.getByLabel('Email').fill(email);
    await password(page).fill(word);
    await button(page, 'Sign in').click();
  };
  const dashboard = (page: Page) => page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  const post = (page: Page, path: string, data: object) =>
    page.request.post(`/api/auth${path}`, { headers: { origin: suite.product.address }, data });
  /** A confirmed account, signed in in a browser of its own. */
  const signedIn = async (name: string) => {
    const { page, context } = await suite.visit();
    const email = `${name.toLowerCase()}@example.com`;
    const signUp = await post(page, '/sign-up/email', { name, email, password: PASSWORD });
    const confirmed = await page.request.get(await mailedLink(email), { maxRedirects: 0 });
    const signIn = await post(page, '/sign-in/email', { email, password: PASSWORD });
    expect([signUp, confirmed, signIn].map((answer) => answer.status())).toEqual([200, 302, 200]);
    await page.goto('/ai');
    await dashboard(page);
    return { page, context, email };
  };
  const openProfile = async (page: Page, tab = 'Profile') => {
    await page.getByRole('button', { name: /, open your account$/ }).click();
    await page.getByRole('tab', { name: tab }).click();
  };

  it('is confirmed by a mailed link before its first sign-in, and keeps the topic of the start page', async () => {
    const { page, context } = await suite.visit();
    await page.goto('/');
    await page.getByLabel('What should the article be about?').fill('Ships of the harbour');
    await button(page, 'Write an article').click();
    await page.getByLabel('Name').fill('Ada Lovelace');
    await page.getByLabel('Email').fill('ada@example.com');
    await password(page).fill(PASSWORD);
    await button(page, 'Create account').click();
    await page.getByRole('heading', { name: 'Confirm your address' }).waitFor();
    const first = await mailedLink('ada@example.com');
    await button(page, 'I opened it, sign me in').click();
    await page.getByText('Not confirmed yet').waitFor();
    await mailedLink('ada@example.com');
    await button(page, 'Resend link').click();
    await page.getByText(/we sent another link\.$/).waitFor();
    await mailedLink('ada@example.com');

    const link = await context.newPage();
    await link.goto(first.replace(/token=[^&]+/, 'token=eyJhbGciOiJIUzI1NiJ9.e30.AAAA'));
    await link.getByText('This link has expired').waitFor();
    await link.goto(first);
    await link.getByText('Your address is confirmed').waitFor();
    await button(link, 'Close').click();
    await until('the address is clean', () => new URL(link.url()).search === '');

    await page.bringToFront();
    await button(page, 'I opened it, sign me in').click();
    await until(
      'the topic',
      async () => (await page.getByLabel('Topic').inputValue()) === 'Ships of the harbour',
    );
    await link.getByRole('button', { name: 'Ada Lovelace, account menu' }).waitFor();
  });

  it('changes its name, picture and password, and ends other sessions', async () => {
    const { page, context, email } = await signedIn('Grace');
    const tab = await context.newPage();
    await tab.goto('/ai/write-article');
    await tab.getByRole('button', { name: /^Grace ?, open/ }).waitFor();
    const { page: elsewhere } = await suite.visit();
    await elsewhere.goto('/ai/write-article');
    await enter(elsewhere, email, PASSWORD);
    await elsewhere.getByLabel('Topic').fill('A draft that stays');

    // A page in the background draws once a second, and every click waits for that.
    await page.bringToFront();
    await openProfile(page);
    await page.getByText('confirmed').waitFor();
    await page.getByLabel('Name').fill('x'.repeat(101));
    await button(page, 'Save').click();
    await page.getByText('Use at most 100 characters.').waitFor();
    await page.getByLabel('Name').fill('Grace Hopper');
    await button(page, 'Save').click();
    for (const one of [tab, elsewhere])
      await one.getByRole('button', { name: /^Grace Hopper ?, open/ }).waitFor();

    const picture = page.getByLabel('Choose picture');
    await picture.setInputFiles({ name: 'me.gif', mimeType: 'image/gif', buffer: Buffer.from('GIF89a') });
    await page.getByText('“me.gif” cannot be used.').waitFor();
    await picture.setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
    await page.getByText('This image is damaged').waitFor();
    const photo = sharp({ create: { width: 300, height: 200, channels: 3, background: '#1a7' } });
    await picture.setInputFiles({
      name: 'me.png',
      mimeType: 'image/png',
      buffer: await photo.png().toBuffer(),
    });
    await page.getByRole('img', { name: 'Preview' }).waitFor();
    await button(page, 'Save picture').click();
    const avatar = (one: Page) => one.getByRole('button', { name: /, open your account$/ }).locator('img');
    for (const one of [tab, elsewhere])
      await until('the picture is there', () =>
        avatar(one).evaluate((image) => 'naturalWidth' in image && Number(image.naturalWidth) > 0),
      );
    await button(page, 'Remove').click();
    await avatar(tab).waitFor({ state: 'detached' });

    await page.getByRole('tab', { name: 'Sessions' }).click();
    await page.getByText('this browser').waitFor();
    await page.getByRole('button', { name: /^End the session of/ }).click();
    await elsewhere.getByText('Your session has ended').waitFor();
    await page.getByText('No other sessions.').waitFor();
    await enter(elsewhere, email, PASSWORD);
    await elsewhere.getByLabel('Topic').waitFor();
    expect(await elsewhere.getByLabel('Topic').inputValue()).toBe('A draft that stays');

    await page.getByRole('tab', { name: 'Security' }).click();
    await password(page, 'Current password').fill('not the one');
    await password(page, 'New password').fill('another password');
    await button(page, 'Change password').click();
    await page.getByText('Wrong password.').waitFor();
    await password(page, 'Current password').fill(PASSWORD);
    await password(page, 'New password').fill('Password1');
    await button(page, 'Change password').click();
    await page.getByText('This password is too common.').waitFor();
    await password(page, 'New password').fill('another password');
    await button(page, 'Change password').click();
    await page.getByText('All other browsers are signed out.').waitFor();
    await elsewhere.getByText('Your session has ended').waitFor();
    await enter(elsewhere, email, PASSWORD);
    await elsewhere.getByText('Wrong email or password.').waitFor();
    await page.keyboard.press('Escape');
    await until('the focus is back', () =>
      page.evaluate<boolean>(
        `document.activeElement.matches('button') && document.activeElement.textContent.endsWith('open your account')`,
      ),
    );
    await page.reload();
    await dashboard(page);
  });

  it('changes its address once both have confirmed', async () => {
    const { page, email } = await signedIn('Mary');
    await openProfile(page);
    await button(page, 'Change').click();
    await page.getByLabel('New email address').fill(email.toUpperCase());
    await password(page, 'Your password').fill('not the one');
    await button(page, 'Send link').click();
    await page.getByText('This is already your address.').waitFor();
    await page.getByLabel('New email address').fill('mary.s@example.com');
    await button(page, 'Send link').click();
    await page.getByText('Wrong password.').waitFor();
    await password(page, 'Your password').fill(PASSWORD);
    await button(page, 'Send link').click();
    await page.getByText(`Open the link that we sent to ${email}.`).waitFor();
    await page.goto(await mailedLink(email));
    await page.getByText('One more step').waitFor();
    await page.goto(await mailedLink('mary.s@example.com'));
    await page.getByText('Your address is confirmed').waitFor();
    await button(page, 'Continue').click();
    await page.goto('/ai');
    await openProfile(page);
    await page.getByText('mary.s@example.com').waitFor();
  });

  it('shows its menu on a low screen, as with a zoom of 400 %', async () => {
    const { page } = await signedIn('Dorothy');
    await page.setViewportSize({ width: 320, height: 256 });
    await button(page, 'Open the menu').click();
    const list = page.getByRole('dialog').getByRole('navigation', { name: 'Tools' });
    await list.waitFor();
    const hidden = `(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)(document.querySelector('[role=dialog] nav'))`;
    expect(await page.evaluate(hidden)).toBe(0);
    await list.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
  });

  it('is accessible and no wider than the window in every part, on a phone and a desk, in both themes', async () => {
    const { page, email } = await signedIn('Katherine');
    const faults: string[] = [];
    let parts = 0;
    const look = async (part: string) => {
      // Each part in both widths and both themes, the one pair or the other.
      const phoneIsDark = (parts += 1) % 2 === 1;
      const pair = variants.filter(
        ({ width, theme }) => (width === 390) === ((theme === 'dark') === phoneIsDark),
      );
      for (const { width, height, theme } of pair) {
        await page.setViewportSize({ width, height });
        await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
        const found = [...(await settledViolations(page)), ...(await tooWide())];
        faults.push(...found.map((one) => `${part}, ${width} ${theme}: ${one}`));
      }
      await page.setViewportSize({ width: 320, height: 640 });
      faults.push(...(await tooWide()).map((one) => `${part}, 320: ${one}`));
    };
    const tooWide = async () => {
      const width = () =>
        page.evaluate<number>(
          `Math.max(...[document.documentElement, ...document.querySelectorAll('[role=dialog], [role=tablist]')]
             .map((one) => one.scrollWidth - one.clientWidth))`,
        );
      // A new size of the window is drawn with one of the next frames.
      const fits = until('the page to fit', async () => (await width()) <= 0, { seconds: 15 });
      return fits.then(
        () => [],
        async () => [`${await width()} pixels too wide`],
      );
    };
    await openProfile(page);
    await button(page, 'Change').click();
    await look('profile');
    for (const tab of ['Security', 'Sessions', 'Delete']) {
      await page.getByRole('tab', { name: tab }).click();
      await look(tab);
    }
    await page.goto('/reset-password');
    await page.getByText('This link has expired').waitFor();
    await look('spent link');
    await page.context().clearCookies();
    await page.goto('/ai');
    await page.getByLabel('Email').fill(email);
    await look('sign-in');
    await button(page, 'Forgot your password?').click();
    await button(page, 'Send link').click();
    await page.getByText('Check your email').waitFor();
    await look('forgotten password');
    expect(faults).toEqual([]);
  });

  it('resets a forgotten password, and is deleted with all data', async () => {
    const { page, context, email } = await signedIn('Joan');
    const { page: elsewhere } = await suite.visit();
    await elsewhere.goto('/ai');
    await elsewhere.getByLabel('Email').fill(email);
    await button(elsewhere, 'Forgot your password?').click();
    expect(await elsewhere.getByLabel('Email').inputValue()).toBe(email);
    await button(elsewhere, 'Send link').click();
    await elsewhere.getByText(`If ${email} has an account, we sent a link.`).waitFor();
    await elsewhere.getByLabel('Email').fill('nobody@example.com');
    await button(elsewhere, 'Resend link').click();
    await elsewhere.getByText('If nobody@example.com has an account, we sent a link.').waitFor();

    const link = await mailedLink(email);
    await elsewhere.goto(link);
    await password(elsewhere, 'New password').fill('short');
    await button(elsewhere, 'Set password').click();
    await elsewhere.getByText('Use at least 8 characters.').waitFor();
    await password(elsewhere, 'New password').fill('a password to remember');
    await button(elsewhere, 'Set password').click();
    await elsewhere.getByRole('heading', { name: 'Password changed' }).waitFor();
    await page.getByText('Your session has ended').waitFor();
    await elsewhere.goto(link);
    await password(elsewhere, 'New password').fill('yet another word');
    await button(elsewhere, 'Set password').click();
    await elsewhere.getByText('This link has expired').waitFor();

    await enter(page, email, 'a password to remember');
    await dashboard(page);
    const tab = await context.newPage();
    await tab.goto('/ai');
    await dashboard(tab);
    await page.bringToFront();
    await openProfile(page, 'Delete');
    await password(page, 'Your password').fill(PASSWORD);
    await button(page, 'Delete my account').click();
    await page.getByText('Wrong password. Nothing was changed.').waitFor();
    await password(page, 'Your password').fill('a password to remember');
    let deletions = 0;
    page.on('request', (request) => (deletions += Number(request.url().endsWith('/delete-user'))));
    await clickTwice(button(page, 'Delete my account'));
    await page.getByText('All your data is deleted').waitFor();
    await page.waitForURL('/');
    expect(deletions).toBe(1);
    await tab.getByText('This account is deleted').waitFor();
    await tab.bringToFront();
    await enter(tab, email, 'a password to remember');
    await tab.getByText('Wrong email or password.').waitFor();

    // Used up with enough of the minute left for the form to meet the refusal.
    await until(
      'the tries to be used up',
      async () => {
        const answers = await Promise.all(
          Array.from({ length: SIGN_INS_A_MINUTE }, () => post(page, '/request-password-reset', { email })),
        );
        return answers.some((one) => one.status() === 429 && Number(one.headers()['retry-after']) > 25);
      },
      { seconds: 90, every: 1_000 },
    );
    await button(tab, 'Forgot your password?').click();
    await button(tab, 'Send link').click();
    await tab.getByText(/^You can try again in \d+ s\.$/).waitFor();
  });
});
