import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { query } from '../../scripts/stack/query.ts';
import { describeWithBrowser } from '../support/available.ts';
import { until } from '../support/until.ts';
import type { Account } from './account.ts';
import { useBrowserSuite } from './browser-suite.ts';
import { layoutFaults } from './layout-faults.ts';
import { sizes, switchTheme, themes } from './screens.ts';
import { settledViolations, type Visitor } from './visitor.ts';

/** A folder for pictures of each part, for who wants to look at them. */
const PICTURES = process.env.ADMIN_PICTURES;

type User = Visitor & { account: Account };

describeWithBrowser('the admin page', () => {
  const suite = useBrowserSuite({
    settings: () => ({
      PRICES_PROVIDER: 'ops/prices/example.json',
      BUDGET_MONTHLY: '50',
      BUDGET_MONTHLY_FREE: '20',
      BUDGET_MONTHLY_USER: '5',
    }),
  });
  const sql = (text: string) => query(suite.product.databaseUrl, text);

  /** A new operator with a second factor, whose page shows the overview. */
  async function operator(): Promise<User> {
    const user = await suite.newUser();
    const { email } = user.account;
    await user.account.get('/api/user/account');
    await sql(`UPDATE users SET role = 'admin' WHERE email = '${email}'`);
    await sql(`UPDATE auth_users SET "twoFactorEnabled" = true WHERE email = '${email}'`);
    await user.page.goto('/ai');
    await user.page.getByRole('link', { name: 'Administration' }).click();
    await user.page.getByRole('heading', { name: 'Queues' }).waitFor();
    return user;
  }

  /** Starts an article of a user. @returns the job's id */
  async function startArticle({ account, context }: User, prompt: string): Promise<string> {
    const { token } = await account.get<{ token: string }>('/api/auth/token');
    const answer = await context.request.post('/api/ai/generate-article', {
      headers: { authorization: `Bearer ${token}`, prefer: 'respond-async' },
      data: { prompt, length: 800 },
    });
    return ((await answer.json()) as { job: { id: string } }).job.id;
  }
  async function endedArticle(user: User, prompt: string): Promise<string> {
    const id = await startArticle(user, prompt);
    await until('the job to end', async () => {
      const { job } = await user.account.get<{ job: { status: string } }>(`/api/jobs/${id}`);
      return job.status === 'succeeded' || job.status === 'failed';
    });
    return id;
  }

  const tab = (page: Page, name: string) =>
    page.getByRole('navigation', { name: 'Administration' }).getByRole('link', { name });
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  /** Gives the reason of an act in its dialog. */
  async function confirm(page: Page, label: string, reason: string): Promise<void> {
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill(reason);
    await dialog.getByRole('button', { name: label, exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
  }

  it.each([390, 1_440])(
    'tells in at most three clicks why a job failed, who waits longest, and what yesterday cost, %i px wide',
    async (width) => {
      const user = await suite.newUser();
      await endedArticle(user, 'Boats');
      const failed = await endedArticle(user, 'Boats [[400]]');
      await sql(`UPDATE provider_calls SET started_at = started_at - interval '1 day'`);
      const { page } = await operator();
      await page.setViewportSize({ width, height: 900 });
      await button(page, 'Pause the queue text').click();
      await confirm(page, 'Pause', 'A test');
      const waiting = await startArticle(user, 'Waiting');
      let clicks = 0;
      const click = async (target: Locator) => {
        await target.click();
        clicks += 1;
      };

      await click(tab(page, 'Jobs'));
      await page.getByLabel('Id, error code or words of the error').fill(failed);
      await click(page.getByRole('listitem').filter({ hasText: failed }).getByRole('link'));
      await page.getByRole('heading', { name: 'generate-article failed' }).waitFor();
      await page.getByRole('status').filter({ hasText: 'PROVIDER' }).first().waitFor();
      await page.getByText('400', { exact: true }).first().waitFor();
      expect(clicks).toBeLessThanOrEqual(3);

      clicks = 0;
      await click(tab(page, 'Overview'));
      const wait = page.locator('dt', { hasText: 'Longest wait' }).locator('xpath=following-sibling::dd//a');
      await click(wait);
      await page.getByText(waiting).first().waitFor();
      await page.getByRole('link', { name: user.account.email }).waitFor();
      expect(clicks).toBeLessThanOrEqual(3);

      clicks = 0;
      await click(tab(page, 'Costs'));
      await page
        .getByText(/^\$\d+\.\d+$/)
        .first()
        .waitFor();
      expect(await page.getByLabel('Yesterday').isChecked()).toBe(true);
      expect(clicks).toBeLessThanOrEqual(3);
      await tab(page, 'Overview').click();
      await button(page, 'Resume the queue text').click();
      await confirm(page, 'Resume', 'The test is over');
      // Else a wide window's wait would be that of a narrow one's job.
      await until('the job to end', async () => {
        const { job } = await user.account.get<{ job: { status: string } }>(`/api/jobs/${waiting}`);
        return job.status === 'succeeded';
      });
    },
  );

  it('pauses and resumes a queue, cancels a job and reveals its contents, and records it', async () => {
    const user = await suite.newUser();
    const { page } = await operator();
    await button(page, 'Pause the queue text').click();
    await button(page, 'Pause').click();
    await page.getByText('Give a reason.').waitFor();
    await confirm(page, 'Pause', 'Provider is down');
    await page.getByText('Paused: Provider is down').waitFor();
    const id = await startArticle(user, 'A private topic');

    await page.goto(`/admin/jobs/${id}`);
    await page.getByRole('heading', { name: 'generate-article' }).waitFor();
    expect(await page.getByRole('main').innerText()).not.toContain('A private topic');
    await button(page, 'Reveal').click();
    await confirm(page, 'Reveal', 'The user asked why');
    await page.getByText('"prompt": "A private topic"').waitFor();
    await page.getByRole('main').getByRole('button', { name: 'Cancel', exact: true }).click();
    await confirm(page, 'Cancel the job', 'Waits too long');
    await page.getByRole('heading', { name: 'generate-article cancelled' }).waitFor();

    await tab(page, 'Overview').click();
    await button(page, 'Resume the queue text').click();
    await confirm(page, 'Resume', 'Provider is back');
    await button(page, 'Pause the queue text').waitFor();
    await tab(page, 'Audit log').click();
    const entries = page.getByRole('main').getByRole('listitem');
    await entries.filter({ hasText: 'Provider is back' }).waitFor();
    for (const [action, reason] of [
      ['queue.pause', 'Provider is down'],
      ['job.reveal', 'The user asked why'],
      ['job.cancel', 'Waits too long'],
      ['queue.resume', 'Provider is back'],
    ] as const)
      expect(await entries.filter({ hasText: action }).filter({ hasText: reason }).count()).toBe(1);
  });

  it('is for operators only', async () => {
    const { page, account } = await suite.signedIn();
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    expect(await page.getByRole('link', { name: 'Administration' }).count()).toBe(0);
    await expect(account.get('/api/admin/overview')).rejects.toThrow(/answered 403: .*FORBIDDEN/);
    await page.goto('/admin/jobs');
    await page.getByText('For operators').waitFor();
    expect(await page.getByRole('navigation', { name: 'Administration' }).count()).toBe(0);
  });

  it('is accessible in both themes and no wider than the window', async () => {
    const user = await suite.newUser({ name: 'Bo Lind' });
    await user.account.post('/api/user/plan', { data: { plan: 'premium' } });
    await endedArticle(user, 'Boats');
    const failed = await endedArticle(user, 'Boats [[400]]');
    await user.account.post('/api/ai/generate-image', {
      data: { prompt: 'A fox in the snow', style: 'Cartoon style', publish: true },
    });
    const { page, account } = await operator();
    const { creations } = await account.get<{ creations: { id: string }[] }>(
      '/api/user/get-published-creations',
    );
    await account.post(`/api/community/creations/${creations[0]!.id}/report`, {
      data: { reason: 'violence' },
    });
    await account.post('/api/admin/queues/pdf/pause', { data: { reason: 'New models' } });
    // Most of the budget for all jobs.
    await sql(
      `INSERT INTO provider_spending (month, plan, cost) VALUES (date_trunc('month', now() AT TIME ZONE 'UTC'), 'premium', 43e6)
       ON CONFLICT (month, plan) DO UPDATE SET cost = excluded.cost`,
    );
    const { rows } = await sql(`SELECT id FROM users WHERE email = '${user.account.email}'`);
    const bo = (rows[0] as { id: string }).id;
    const parts: { name: string; path?: string; ready: string; open?: Locator }[] = [
      { name: 'overview', ready: 'Paused: New models' },
      { name: 'jobs', path: '/jobs', ready: failed },
      { name: 'job', path: `/jobs/${failed}`, ready: 'Calls of the AI service' },
      { name: 'reason', path: `/jobs/${failed}`, ready: 'Contents', open: button(page, 'Reveal') },
      { name: 'users', path: '/users', ready: 'Bo Lind' },
      { name: 'user', path: `/users/${bo}`, ready: 'API keys' },
      { name: 'reports', path: '/reports', ready: 'violence', open: button(page, 'Show') },
      { name: 'costs', path: '/costs?period=today', ready: 'generate-article' },
      { name: 'audit', path: '/audit', ready: 'New models' },
    ];
    const faults: Record<string, string[]> = {};
    if (PICTURES) mkdirSync(PICTURES, { recursive: true });
    for (const { name, path = '', ready, open } of parts) {
      await page.goto(`/admin${path}`);
      await page.getByRole('main').getByText(ready).first().waitFor();
      await open?.click();
      for (const size of sizes) {
        await page.setViewportSize(size);
        for (const theme of themes) {
          await switchTheme(page, theme);
          const isFirst = theme === themes[0];
          const found = [
            ...(await settledViolations(page, { onlyColours: !isFirst })),
            // A dialog covers the page's controls.
            ...(isFirst && name !== 'reason' ? await layoutFaults(page) : []),
          ];
          const variant = `${name}-${size.width}-${theme}`;
          if (found.length > 0) faults[variant] = found;
          if (PICTURES) await page.screenshot({ path: join(PICTURES, `${variant}.png`), fullPage: true });
        }
      }
    }
    expect(faults).toEqual({});
  });
});
