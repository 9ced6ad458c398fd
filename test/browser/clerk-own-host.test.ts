import { it } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { PROXY_PATH } from '../support/clerk-frontend.ts';
import { describeWithClerk, enterClerk, useClerkSuite } from './clerk-suite.ts';
import { tryNow } from './visitor.ts';

/**
 * Clerk as most operators have it: reached at its own host, without a proxy, so that the content security policy and
 * calls across origins are in the way. The browser's calls of that host are answered by the fake.
 */
describeWithClerk('hosted accounts at Clerk’s own host', () => {
  const clerk = useClerkSuite({ settings: ({ address }, service) => service.variables(address) });
  const { suite } = clerk;
  let away = false;

  async function visit(): Promise<Page> {
    const { page, context } = await suite.visit();
    await context.route(`${clerk.service.issuer}/**`, async (route) => {
      if (away) await route.abort();
      else await passOn(route, clerk.frontend.address);
    });
    return page;
  }

  it('sign users in, show their account and the plans, and sign them out', async () => {
    const email = 'grace@example.com';
    const password = 'a long password';
    clerk.frontend.addUser(email, password, { first_name: 'Grace', last_name: 'Abroad' });
    const page = await visit();
    await page.goto('/');
    await page.locator('#Plan').getByRole('heading', { name: 'Premium' }).first().waitFor();
    await page.goto('/ai');
    await enterClerk(page, { email, password });
    await page.getByText('30 of 30 credits left').waitFor();
    await page.getByRole('button', { name: 'Grace Abroad , open your account' }).click();
    await page.getByRole('dialog').getByText('Profile details').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('/');
    await page.getByRole('button', { name: 'Get Started' }).waitFor();
  });

  it('report that the host cannot be reached, and recover with it', async () => {
    away = true;
    const page = await visit();
    await page.goto('/ai');
    await page.getByText('Sign-in could not be loaded').waitFor();
    away = false;
    await tryNow(page);
    await page.getByRole('textbox', { name: 'Email address' }).waitFor();
    // Failed calls of another host are logged on the console; only violations of the policy count.
    suite.allowComplaints(/^(?!.*policy)/is);
  });
});

/** Answers a call of Clerk's host with what the fake answers under its path, as one browser's for all. */
async function passOn(route: Route, address: string): Promise<void> {
  const request = route.request();
  const { pathname, search } = new URL(request.url());
  const answer = await fetch(`${address}${PROXY_PATH}${pathname}${search}`, {
    method: request.method(),
    headers: {
      Cookie: '__client=abroad',
      'Content-Type': (await request.headerValue('content-type')) ?? 'text/plain',
    },
    body: request.postData(),
  });
  const origin = await request.headerValue('origin');
  const fulfilled = route.fulfill({
    status: answer.status,
    headers: {
      'Content-Type': answer.headers.get('content-type') ?? '',
      ...(origin !== null && {
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Allow-Credentials': 'true',
      }),
    },
    body: Buffer.from(await answer.arrayBuffer()),
  });
  // A page that is closed needs no answer.
  await fulfilled.catch(() => undefined);
}
