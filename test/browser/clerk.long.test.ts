import { afterEach, expect, it } from '@jest/globals';
import type { ClerkUser } from '../support/clerk-service.ts';
import { until } from '../support/until.ts';
import { testAccount, type User } from './account-tests.ts';
import { describeWithClerk, enterClerk, useClerkSuite } from './clerk-suite.ts';
import { settledViolations, tryNow } from './visitor.ts';

/** Chromium's own message for a sign-in that was refused. */
const REFUSED = /Failed to load resource.*status of 4(01|22)/;

/** The product on Clerk, with Clerk's own code in a real browser; only Clerk's servers are fakes. */
describeWithClerk('hosted accounts', () => {
  const clerk = useClerkSuite({ settings: (frontend) => frontend.variables(), allowedComplaints: REFUSED });
  const { suite } = clerk;
  let users = 0;

  afterEach(() => {
    clerk.frontend.failing = null;
    clerk.frontend.tokenSeconds = 60;
  });

  const visit = async () => {
    const visitor = await suite.visit();
    // Neither telemetry nor other calls of Clerk's leave its path.
    visitor.context.on('request', (request) => {
      const url = new URL(request.url());
      if (url.protocol.startsWith('http') && url.origin !== clerk.frontend.address)
        visitor.pageErrors.push(`A request to ${url.origin}`);
    });
    return visitor;
  };
  const newUser = (): User & { user: ClerkUser } => {
    const email = `grace.${(users += 1)}@example.com`;
    const password = 'a long password';
    const user = clerk.frontend.addUser(email, password, {
      first_name: 'Grace',
      last_name: `Number ${users}`,
    });
    return { name: `Grace Number ${users}`, email, password, user };
  };
  const signedIn = async () => {
    const visitor = await visit();
    const user = newUser();
    await visitor.page.goto('/ai');
    await enterClerk(visitor.page, user);
    await visitor.page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    return { ...visitor, user };
  };
  testAccount(() => ({
    visit,
    newUser: async () => newUser(),
    enter: enterClerk,
    wrongPassword: 'Password is incorrect',
    profileHeading: 'Profile details',
    buyPremium: async ({ email }) => {
      const user = [...clerk.service.users.values()].find(
        (one) => one.email_addresses[0]?.email_address === email,
      );
      if (!user) throw new Error(`Nobody has ${email}.`);
      clerk.frontend.plans.set(user.id, 'u:premium');
      const answer = await fetch(
        `${clerk.frontend.address}/api/webhooks/clerk`,
        clerk.service.webhook(bought(user.id)),
      );
      expect(answer.status).toBe(200);
    },
  }));

  it('renews its tokens, takes a plan from a newer one, and shows that a session was ended', async () => {
    const renewals = () => clerk.frontend.calls.filter((call) => /\/tokens$/.test(call)).length;
    const before = renewals();
    clerk.frontend.tokenSeconds = 21;
    const { page, user } = await signedIn();
    await page.getByText('Free Plan', { exact: true }).waitFor();
    clerk.frontend.plans.set(user.user.id, 'u:premium');
    await page.getByText('Premium Plan', { exact: true }).waitFor();
    expect(renewals() - before).toBeLessThan(20);

    clerk.frontend.revoke(user.user.id);
    await page.getByText('Your session has ended').waitFor();
  });

  it('is requested through a path of our own origin where one is configured', async () => {
    const policy = (await fetch(clerk.frontend.address)).headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self' https://challenges.cloudflare.com");
    expect(policy).not.toContain(new URL(clerk.service.issuer).host);
  });

  it('has the colors of the theme, also after the theme changes', async () => {
    const { page } = await visit();
    await page.goto('/ai');
    await page.getByRole('button', { name: 'Continue', exact: true }).waitFor();
    const ink = () =>
      page.evaluate<string | false>(`(() => {
        const button = document.querySelector('.cl-formButtonPrimary');
        return button !== null && getComputedStyle(button).color;
      })()`);
    const first = await until('Clerk’s button', ink);
    await page.getByRole('button', { name: /theme/ }).click();
    await until('Clerk follows the theme', async () => ![first, false].includes(await ink()));
    expect(await settledViolations(page)).toEqual([]);
  });

  it('reports soon that Clerk’s scripts are delayed, and continues once they arrive', async () => {
    const visitor = await visit();
    const { page, context } = visitor;
    await context.route('**/npm/@clerk/**', (route) => route.abort());
    await page.goto('/ai');
    await page.getByText('Sign-in could not be loaded').waitFor();
    // Clerk itself shows this after a timeout.
    expect(visitor.pageErrors.filter((one) => /Failed to load Clerk/.test(one))).toEqual([]);
    expect(await settledViolations(page)).toEqual([]);
    await page.goto('/');
    await page.getByText('Plans could not be loaded').waitFor();
    await page.getByRole('link', { name: 'Get Started' }).click();
    await page.getByText('Sign-in could not be loaded').waitFor();
    await context.unroute('**/npm/@clerk/**');
    await tryNow(page);
    await page.getByRole('textbox', { name: 'Email address' }).waitFor();
    suite.allowComplaints(/ERR_FAILED|Failed to load Clerk/);
  });

  it('shows that Clerk’s API fails, recovers with it, and keeps working for signed-in users', async () => {
    const visitor = await signedIn();
    const other = await visit();
    clerk.frontend.failing = 'api';
    const looks = [
      visitor.page.reload().then(() => visitor.page.getByText('30 of 30 credits left').waitFor()),
      other.page.goto('/ai').then(() => other.page.getByText('Sign-in is unavailable').waitFor()),
    ];
    await Promise.all(looks);
    expect(await settledViolations(other.page)).toEqual([]);
    clerk.frontend.failing = null;
    await other.page.getByRole('textbox', { name: 'Email address' }).waitFor();
    suite.allowComplaints(/status of 500/);
  });
});

/** The event of a premium plan that was bought, as Clerk sends it. */
const bought = (userId: string) => ({
  object: 'event',
  type: 'subscriptionItem.active',
  timestamp: Date.now(),
  data: {
    object: 'commerce_subscription_item',
    id: 'csubitem_1',
    status: 'active',
    plan: { id: 'cplan_premium', slug: 'premium', name: 'Premium' },
    period_end: null,
    payer: { user_id: userId },
  },
});
