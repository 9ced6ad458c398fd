import { describe, expect, it } from '@jest/globals';
import { describeWithBrowser } from '../support/available.ts';
import { until } from '../support/until.ts';
import { PASSWORD, type Account } from './account.ts';
import { testAccount } from './account-tests.ts';
import { switchTheme, themes } from './screens.ts';
import { useBrowserSuite } from './browser-suite.ts';
import { ARTICLE_BUTTON } from '../support/article-button.ts';
import {
  waitForStatusMessage,
  beginArticle,
  createAccount,
  finishedText,
  resultText,
  settledViolations,
  stillText,
} from './visitor.ts';

/** A first article, in a real browser with the real api and worker. */
describeWithBrowser('the first article', () => {
  const suite = useBrowserSuite();

  it('leads from the start page over the account to an article on the dashboard', async () => {
    const { page } = await suite.visit();
    await page.goto('/');
    await page.getByRole('link', { name: 'Start creating now' }).click();
    await page.getByRole('heading', { name: 'Create an account' }).waitFor();
    await createAccount(page, 'Ada Lovelace');
    await page.getByText('No creations found').waitFor();
    await page.getByText('30 of 30 credits left').waitFor();

    await page.getByRole('link', { name: 'Create Your First Content' }).click();
    await page.getByLabel('Topic').fill('Ink that never dries [[stop:2]]');
    await page.getByRole('button', { name: ARTICLE_BUTTON }).click();
    await resultText(page).getByText('Where it begins').waitFor();
    const early = await stillText(page);
    await suite.goOn();
    await until('the text grows', async () => (await resultText(page).innerText()).length > early.length);
    expect(await page.getByRole('button', { name: 'Cancel' }).count()).toBe(1);
    await suite.goOn();
    const whole = await finishedText(page);
    await waitForStatusMessage(page, 'Article Generated');
    expect(whole.length).toBeGreaterThan(early.length * 2);
    expect(whole.startsWith(early.slice(0, 100))).toBe(true);

    await page.getByRole('button', { name: 'Copy' }).click();
    await waitForStatusMessage(page, 'Article copied to clipboard!');
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^# .+\n\n## Where it begins/);

    await page.getByRole('link', { name: 'Dashboard' }).click();
    await page.getByText('29 of 30 credits left').waitFor();
    await page.getByRole('button', { name: /^Ink that never dries/ }).click();
    await page.getByRole('heading', { name: 'Where it begins', level: 4 }).first().waitFor();
  });

  it('finds the running job again after a reload', async () => {
    const { page } = await suite.newUser();
    await beginArticle(page, 'A page that is loaded again [[stop]]');
    await page.reload();
    await resultText(page).waitFor();
    expect(await page.getByRole('heading', { name: 'Done' }).count()).toBe(0);
    await suite.goOn();
    const text = await finishedText(page);
    await page.reload();
    expect(await finishedText(page)).toBe(text);
  });

  it('shows the same text in a second tab', async () => {
    const { page, context } = await suite.newUser();
    await beginArticle(page, 'Two windows on one press [[stop]]');
    const second = await context.newPage();
    await second.goto('/ai/write-article');
    await resultText(second).waitFor();
    await suite.goOn();
    const [first, other] = await Promise.all([finishedText(page), finishedText(second)]);
    expect(other).toBe(first);
  });

  it('catches up with the text after a lost connection', async () => {
    const { page, context } = await suite.newUser();
    await beginArticle(page, 'A line that goes dead [[stop:2]]');
    await context.setOffline(true);
    await page.getByText('Reconnecting').waitFor();
    const before = await stillText(page);
    await suite.goOn();
    // The server goes on as far as its next stop.
    await until('the text to be written on', () => suite.product.provider.stopped === 1);
    expect(await resultText(page).innerText()).toBe(before);
    await context.setOffline(false);
    await page.getByText('Reconnecting').waitFor({ state: 'detached' });
    await until('the text goes on', async () => (await resultText(page).innerText()).length > before.length);
    await suite.goOn();
    const text = await finishedText(page);
    await page.reload();
    expect(await finishedText(page)).toBe(text);
  });

  it('cancels a run, gives the credit back, and runs it again', async () => {
    const { page } = await suite.newUser();
    await beginArticle(page, 'An article nobody needs [[stop]]');
    await page.getByText('29 of 30 credits left').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('heading', { name: 'Cancelled' }).waitFor();
    await page.getByText('30 of 30 credits left').waitFor();
    await until('the request to the provider ends', () => suite.product.provider.open === 0);
    await page.getByRole('button', { name: 'Retry' }).click();
    await suite.goOn();
    await finishedText(page);
    await page.getByText('29 of 30 credits left').waitFor();
  });

  it('keeps the typed text, and starts one job on a double click', async () => {
    const { page } = await suite.newUser();
    await page.goto('/ai/write-article');
    const submit = page.getByRole('button', { name: ARTICLE_BUTTON });
    expect(await submit.isDisabled()).toBe(true);
    await page.getByLabel('Topic').fill('Kept over a reload');
    await page.getByLabel('Medium (800-1200 words)').check();
    await page.reload();
    expect(await page.getByLabel('Topic').inputValue()).toBe('Kept over a reload');
    expect(await page.getByLabel('Medium (800-1200 words)').isChecked()).toBe(true);
    await page.getByLabel('Topic').fill('x'.repeat(4_001));
    await page.getByText('Keep the topic within 4,000 characters.').waitFor();
    await page.getByLabel('Topic').fill('Twice clicked');
    await submit.dblclick();
    await finishedText(page);
    await page.getByText('29 of 30 credits left').waitFor();
  });

  it('signs out in every tab', async () => {
    const { page, context } = await suite.signedIn();
    const second = await context.newPage();
    await second.goto('/ai');
    await second.getByRole('heading', { name: 'Dashboard' }).waitFor();
    // A request of the second tab that is under way at the sign-out is refused, and Chromium logs it.
    await second.waitForLoadState('networkidle');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('/');
    await second.getByRole('heading', { name: 'Sign in' }).waitFor();
  });

  // The screens at rest are looked at in every-screen.long.test.ts.
  it('has no accessibility violation in either theme', async () => {
    const { page } = await suite.signedIn();
    const expectAccessible = async () => {
      for (const theme of themes) {
        await switchTheme(page, theme);
        expect(await settledViolations(page, { onlyColours: theme !== themes[0] })).toEqual([]);
      }
    };
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    await expectAccessible();
    await page.goto('/ai/generate-images');
    await page.getByRole('heading', { name: 'Generate Images' }).waitFor();
    await expectAccessible();
    await beginArticle(page, 'Read aloud [[stop]]');
    await expectAccessible();
    await suite.goOn();
    await finishedText(page);
    await expectAccessible();
  });

  // The story that hosted accounts share, in clerk.long.test.ts.
  describe('with a local account', () => {
    let account: Account;
    testAccount(() => ({
      visit: async () => {
        // Chromium's own message for a sign-in that was refused.
        suite.allowComplaints(/Failed to load resource.*status of 401/);
        const visitor = await suite.visit();
        visitor.context.on('request', (request) => {
          if (/clerk/i.test(request.url())) visitor.pageErrors.push(`Clerk is loaded: ${request.url()}`);
        });
        return visitor;
      },
      newUser: async () => {
        const name = 'Ada Local';
        ({ account } = await suite.newUser({ name }));
        return { name, email: account.email, password: PASSWORD };
      },
      enter: async (page, { email, password }) => {
        await page.getByLabel('Email').fill(email);
        await page.getByRole('textbox', { name: 'Password' }).fill(password);
        await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      },
      wrongPassword: 'Wrong email or password',
      profileHeading: 'Your account',
      buyPremium: () => account.post('/api/user/plan', { data: { plan: 'premium' } }),
    }));
  });
});
