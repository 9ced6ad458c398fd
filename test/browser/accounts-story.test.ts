import { expect } from '@jest/globals';
import { describeWithBrowser } from '../support/available.ts';
import { testAccountsStory, type User } from './accounts-story.ts';
import { useBrowserSuite } from './browser-suite.ts';

/** Chromium's own message for a sign-in that was refused. */
const REFUSED = /Failed to load resource.*status of 401/;

/** The story that hosted accounts share, in clerk.test.ts. */
describeWithBrowser('local accounts', () => {
  const suite = useBrowserSuite({ allowedComplaints: REFUSED });
  const users = new Map<string, string>();

  const call = async (path: string, body: object, token?: string) => {
    const answer = await fetch(`${suite.product.address}${path}`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Origin: suite.product.address,
        ...(token && { Authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(200);
    return (await answer.json()) as { token?: string };
  };

  testAccountsStory(() => ({
    visit: async () => {
      const visitor = await suite.visit();
      visitor.context.on('request', (request) => {
        if (/clerk/i.test(request.url())) visitor.complaints.push(`Clerk is loaded: ${request.url()}`);
      });
      return visitor;
    },
    newUser: async () => {
      const user: User = {
        name: 'Ada Local',
        email: 'ada.local@example.com',
        password: 'a long password',
      };
      const { token = '' } = await call('/api/auth/sign-up/email', user);
      users.set(user.email, token);
      return user;
    },
    enter: async (page, { email, password }) => {
      await page.getByLabel('Email').fill(email);
      await page.getByRole('textbox', { name: 'Password' }).fill(password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    },
    wrongPassword: 'That email and password do not go together',
    profileHeading: 'Your account',
    buyPremium: async ({ email }) => {
      const answer = await fetch(`${suite.product.address}/api/auth/token`, {
        headers: { Authorization: `Bearer ${users.get(email)}` },
      });
      const { token } = (await answer.json()) as { token: string };
      await call('/api/user/plan', { plan: 'premium' }, token);
    },
  }));
});
