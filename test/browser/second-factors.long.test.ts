import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { query } from '../../scripts/stack/query.ts';
import { until } from '../support/until.ts';
import { codeOf } from '../support/authenticator-app.ts';
import { describeWithBrowser } from '../support/available.ts';
import { PASSWORD } from './account.ts';
import { useBrowserSuite } from './browser-suite.ts';
import { variants } from './screens.ts';
import { settledViolations } from './visitor.ts';

/** A folder for pictures of each state, for who wants to look at them. */
const PICTURES = process.env.SECOND_FACTOR_PICTURES;

/** An operator without a second factor sets up a passkey and an authenticator app, and signs in with each. */
describeWithBrowser('second factors', () => {
  const suite = useBrowserSuite({
    settings: () => ({ REQUIRE_TWO_FACTOR: 'operators' }),
    address: () => suite.product.address.replace('127.0.0.1', 'localhost'),
    allowedComplaints: /Failed to load resource.*status of 4(00|01|03)/,
  });
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const password = (page: Page, name = 'Password') => page.getByRole('textbox', { name, exact: true });
  const dashboard = (page: Page) => page.getByRole('heading', { name: 'Dashboard' }).waitFor();
  const openSecurity = async (page: Page) => {
    await page.getByRole('button', { name: /, open your account$/ }).click();
    await page.getByRole('tab', { name: 'Security' }).click();
  };
  const signOut = async (page: Page) => {
    await button(page, 'Sign out').click();
    await page.waitForURL('/');
    await page.goto('/ai');
  };

  const faults: string[] = [];
  let states = 0;
  async function look(page: Page, state: string) {
    // Each state in both widths and both themes, the one pair or the other.
    const phoneIsDark = (states += 1) % 2 === 1;
    const pair = variants.filter(
      ({ width, theme }) => (width === 390) === ((theme === 'dark') === phoneIsDark),
    );
    for (const { width, height, theme } of pair) {
      await page.setViewportSize({ width, height });
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`);
      faults.push(...(await settledViolations(page)).map((one) => `${state}, ${width} ${theme}: ${one}`));
      if (PICTURES) {
        mkdirSync(PICTURES, { recursive: true });
        await page.screenshot({ path: join(PICTURES, `${state}-${width}-${theme}.png`) });
      }
    }
    await page.setViewportSize({ width: 320, height: 640 });
    const tooWide = () =>
      page.evaluate<number>(
        `Math.max(...[document.documentElement, ...document.querySelectorAll('[role=dialog]')].map((one) => one.scrollWidth - one.clientWidth))`,
      );
    await until('the page to fit', async () => (await tooWide()) <= 0, { seconds: 15 }).catch(async () =>
      faults.push(`${state}, 320: ${await tooWide()} pixels too wide`),
    );
    await page.setViewportSize({ width: 1280, height: 900 });
  }

  it('are set up, and each works for a sign-in', async () => {
    const { page, context, account } = await suite.signedIn();
    await dashboard(page);
    const devices = await context.newCDPSession(page);
    await devices.send('WebAuthn.enable');
    await devices.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    // The device answers at once, also where the browser only offers its passkey in the field for the address.
    await context.addInitScript(
      `if (!sessionStorage.getItem('autofill')) PublicKeyCredential.isConditionalMediationAvailable = async () => false`,
    );
    const offerAutofill = (offered: boolean) =>
      page.evaluate(`sessionStorage.setItem('autofill', '${offered ? 'offered' : ''}')`);
    // The first call of the page makes the row.
    await until('the user to be an admin', async () => {
      const role = `UPDATE users SET role = 'admin' WHERE email = '${account.email}'`;
      return (await query(suite.product.databaseUrl, role)).rowCount === 1;
    });

    await page.reload();
    await button(page, 'Set up').waitFor();
    await look(page, 'prompt');
    await button(page, 'Later').click();
    await page.getByRole('link', { name: 'Administration' }).click();
    await button(page, 'Set one up').click();
    await page.getByRole('dialog').getByText('Operators need two-factor authentication').waitFor();
    await page.getByText('No passkeys yet.').waitFor();
    await look(page, 'security-empty');

    await button(page, 'Set up an app').click();
    await password(page, 'Your password').fill('not the one');
    await button(page, 'Continue').click();
    await page.getByText('Wrong password.').waitFor();
    await password(page, 'Your password').fill(PASSWORD);
    await button(page, 'Continue').click();
    await page.getByRole('img', { name: /^QR code/ }).waitFor();
    await look(page, 'app-scan');
    await page.getByLabel('Code', { exact: true }).fill('000000');
    await button(page, 'Turn on').click();
    await page.getByText('Wrong or expired code').waitFor();
    await button(page, 'Copy').click();
    await page.getByText('Key copied.').waitFor();
    const secret = await page.evaluate<string>('navigator.clipboard.readText()');
    await page.getByLabel('Code', { exact: true }).fill(codeOf(secret));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your authenticator app is set up' }).waitFor();
    const codes = await page
      .getByRole('list', { name: 'Recovery codes' })
      .getByRole('listitem')
      .allTextContents();
    expect(codes).toHaveLength(10);
    await look(page, 'recovery-codes');
    // They are not shown again, so nothing closes them by accident.
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    const saved = page.waitForEvent('download');
    await button(page, 'Download').click();
    expect((await saved).suggestedFilename()).toBe('pressroom-recovery-codes.txt');
    await button(page, 'I saved them').click();
    await page.getByText('asks for a code from the app.').waitFor();

    await button(page, 'Add a passkey').click();
    await page.getByLabel('Name', { exact: true }).fill('My laptop');
    await password(page, 'Your password').fill(PASSWORD);
    await look(page, 'passkey-new');
    await button(page, 'Add passkey').click();
    await page.getByText('My laptop').waitFor();
    await button(page, 'Rename My laptop').click();
    await page.getByLabel('Name', { exact: true }).fill('Work laptop');
    await button(page, 'Save').click();
    await page.getByText('Work laptop').waitFor();
    await look(page, 'security-on');
    await page.keyboard.press('Escape');

    await signOut(page);
    await button(page, 'Sign in with a passkey').waitFor();
    await look(page, 'sign-in');
    await button(page, 'Sign in with a passkey').click();
    await dashboard(page);
    await offerAutofill(true);
    await signOut(page);
    await dashboard(page);
    await offerAutofill(false);
    await signOut(page);

    const enter = async () => {
      await page.getByLabel('Email').fill(account.email);
      await password(page).fill(PASSWORD);
      await button(page, 'Sign in').click();
      await page.getByRole('heading', { name: 'Enter a code' }).waitFor();
    };
    await enter();
    await look(page, 'code');
    const code = codeOf(secret, 1);
    await page.getByLabel('Code', { exact: true }).fill(code);
    await button(page, 'Sign in').click();
    await dashboard(page);
    await page.getByRole('link', { name: 'Administration' }).click();
    await button(page, 'Queue board').click();
    await page.waitForURL('**/admin/queues**');
    await page.goto('/ai');
    await signOut(page);

    await enter();
    await page.getByLabel('Code', { exact: true }).fill(code);
    await button(page, 'Sign in').click();
    await page.getByText('This code was already used.').waitFor();
    await button(page, 'Use a recovery code').click();
    await page.getByLabel('Recovery code').fill(codes[0]!);
    await look(page, 'recovery');
    await page.getByRole('switch', { name: 'Trust this browser' }).click();
    await button(page, 'Sign in').click();
    await dashboard(page);
    await signOut(page);
    await page.getByLabel('Email').fill(account.email);
    await password(page).fill(PASSWORD);
    await button(page, 'Sign in').click();
    await dashboard(page);

    await openSecurity(page);
    await button(page, 'Remove Work laptop').click();
    await look(page, 'passkey-remove');
    await button(page, 'Remove passkey').click();
    await page.getByText('Enter your password to continue.').waitFor();
    await password(page, 'Your password').fill(PASSWORD);
    await button(page, 'Remove passkey').click();
    await page.getByText('No passkeys yet.').waitFor();
    await button(page, 'Turn off').click();
    await password(page, 'Your password').fill(PASSWORD);
    await button(page, 'Turn off').click();
    await page.getByText('The authenticator app is off.').waitFor();

    await query(
      suite.product.databaseUrl,
      `INSERT INTO auth_guessed_codes ("userId", "network") SELECT "id", '203.0.113.9' FROM auth_users WHERE "email" = '${account.email}'`,
    );
    await page.reload();
    const notice = page.getByRole('dialog', { name: 'Somebody knows your password' });
    await notice.getByText('somebody at the network address 203.0.113.9').waitFor();
    await look(page, 'guessed-codes');
    await button(page, 'Change the password').click();
    const security = page.getByRole('dialog', { name: 'Your account' });
    await security.getByText('Somebody knows your password').waitFor();
    await look(page, 'guessed-codes-security');
    await button(page, 'Dismiss').click();
    await security.getByText('Somebody knows your password').waitFor({ state: 'detached' });
    await page.reload();
    // The account has no second factor any more.
    await page.getByRole('dialog', { name: 'Operators need two-factor authentication' }).waitFor();
    expect(await notice.count()).toBe(0);
    expect(faults).toEqual([]);
  });
});
