import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Page, Route } from 'playwright-core';
import { describeWithBrowser } from '../support/available.ts';
import { ClerkFrontend, PROXY_PATH } from '../support/clerk-frontend.ts';
import { clerkScripts } from '../support/clerk-scripts.ts';
import { ClerkService } from '../support/clerk-service.ts';
import { useStage } from './stage.ts';
import { tryNow, type Visitor } from './visitor.ts';

const scripts = clerkScripts();
const describeWithClerk = scripts === null ? describe.skip : describeWithBrowser;

/**
 * Clerk as most operators have it: reached at its own host, without a proxy, so that the content security policy and
 * calls across origins are in the way. The browser's calls of that host are answered by the stand-in.
 */
describeWithClerk('hosted accounts at Clerk’s own host', () => {
  let service: ClerkService;
  let frontend: ClerkFrontend;
  let visitor: Visitor;
  let away = false;

  beforeAll(async () => {
    service = await ClerkService.start();
    frontend = await ClerkFrontend.start(service, scripts ?? '');
  });
  const stage = useStage({
    settings: () => service.variables(frontend.address),
    address: () => frontend.address,
  });
  beforeAll(() => frontend.passTo(stage.product.address));
  afterAll(async () => {
    await frontend?.stop();
    await service?.stop();
  });

  afterEach(() => expect(frontend.unknown).toEqual([]));

  async function visit(): Promise<Page> {
    visitor = await stage.visit();
    await visitor.context.route(`${service.issuer}/**`, async (route) => {
      if (away) await route.abort();
      else await passOn(route, frontend.address);
    });
    return visitor.page;
  }

  it('sign people in, show their account and the plans, and sign them out', async () => {
    const email = 'grace@example.com';
    const password = 'a long password';
    frontend.addPerson(email, password, { first_name: 'Grace', last_name: 'Abroad' });
    const page = await visit();
    await page.goto('/');
    await page.locator('#Plan').getByRole('heading', { name: 'Premium' }).first().waitFor();
    await page.goto('/ai');
    await page.getByRole('textbox', { name: 'Email address' }).fill(email);
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await page.getByRole('heading', { name: 'Enter your password' }).waitFor();
    await page.locator('input[name=password]').fill(password);
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await page.getByText('30 of 30 credits left').waitFor();
    await page.getByRole('button', { name: 'Grace Abroad , open your account' }).click();
    await page.getByRole('dialog').getByText('Profile details').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('/');
    await page.getByRole('button', { name: 'Get Started' }).waitFor();
  });

  it('say so when that host cannot be reached, and go on once it can', async () => {
    away = true;
    const page = await visit();
    await page.goto('/ai');
    await page.getByText('Sign-in could not be loaded').waitFor();
    away = false;
    await tryNow(page);
    await page.getByRole('textbox', { name: 'Email address' }).waitFor();
    // Calls of a host that is away are lines on the console; breaches of the policy are none of the story.
    stage.forgive(/^(?!.*policy)/is);
  });
});

/** Answers a call of Clerk's host with what the stand-in answers under its path, as one browser's for all. */
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
  // A page that was closed meanwhile needs no answer.
  await fulfilled.catch(() => undefined);
}
