import { beforeAll, afterAll, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { freePort } from '../support/ports.ts';
import { StripeService } from '../support/stripe-service.ts';
import { until } from '../support/until.ts';
import { useBrowserSuite } from './browser-suite.ts';

let stripe: StripeService;
let port: number;
beforeAll(async () => {
  [stripe, port] = await Promise.all([StripeService.start(), freePort()]);
});
afterAll(() => stripe?.stop());

const suite = useBrowserSuite({
  settings: () => ({
    ...stripe.variables,
    STRIPE_TRIAL_DAYS: '14',
    PLAN_SWITCH: 'operator',
    PORT: String(port),
    // Stripe leads back to it, where the session's cookie is.
    PUBLIC_URL: `http://127.0.0.1:${port}`,
  }),
});

const newest = <T>(map: Map<string, T>): T => [...map.values()].at(-1)!;
const send = (type: string, object: object) =>
  fetch(`${suite.product.address}/api/webhooks/stripe`, stripe.webhook(type, object));

/** Stripe's pages: a link that pays, and one that cancels. */
async function showStripePages(page: Page): Promise<void> {
  const answer = (text: string, href: string) => ({
    contentType: 'text/html',
    body: `<!doctype html><title>Stripe</title><a href="${href.replaceAll('&', '&amp;')}">${text}</a>`,
  });
  await page.route(`${stripe.url}/pay/**`, (route) => {
    const session = newest(stripe.sessions);
    stripe.completeCheckout(session.id);
    return route.fulfill(answer('Pay', session.success_url));
  });
  await page.route(`${stripe.url}/portal/**`, (route) => {
    stripe.cancelAtPeriodEnd(newest(stripe.subscriptions));
    return route.fulfill(answer('Cancel', `${suite.product.address}/ai`));
  });
}

async function openAccount(page: Page) {
  await page.getByRole('button', { name: /, open your account$/ }).click();
  return page.getByRole('dialog', { name: 'Your account' });
}

it('A user buys Premium, cancels it, and keeps it until the end of the period', async () => {
  const { page } = await suite.signedIn();
  await showStripePages(page);
  const free = await openAccount(page);
  await free.getByText(/^Your first 14 days are free/).waitFor();
  await free.getByRole('button', { name: 'Upgrade to Premium' }).click();
  await page.getByRole('link', { name: 'Pay' }).click();

  await page.getByRole('heading', { name: 'Welcome to Premium' }).waitFor();
  await page.getByRole('button', { name: 'Continue' }).click();
  const inTrial = await openAccount(page);
  await inTrial.getByText('Premium Plan').waitFor();
  await inTrial.getByText(/^Your trial lasts until/).waitFor();
  await inTrial.getByRole('button', { name: 'Manage billing' }).click();
  await page.getByRole('link', { name: 'Cancel' }).click();

  const subscription = newest(stripe.subscriptions);
  await until(
    'the event is taken',
    async () => (await send('customer.subscription.updated', subscription)).ok,
  );
  const cancelled = await openAccount(page);
  await cancelled.getByText(/^Cancelled\. You keep Premium until/).waitFor();
  await cancelled.getByText('Premium Plan').waitFor();

  stripe.end(subscription);
  await send('customer.subscription.deleted', subscription);
  await cancelled.getByText('Free Plan').waitFor();
  await cancelled.getByRole('button', { name: 'Upgrade to Premium' }).waitFor();
});
