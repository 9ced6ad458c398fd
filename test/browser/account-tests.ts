import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { until } from '../support/until.ts';
import { settledViolations, waitForStatusMessage, type Visitor } from './visitor.ts';

export interface User {
  name: string;
  email: string;
  password: string;
}

/** The parts of the shared tests that differ between the two kinds of accounts. */
export interface AccountsProvider {
  /** Opens a browser profile; its errors are checked afterwards. */
  visit: () => Promise<Visitor>;
  /** A user with an account. */
  newUser: () => Promise<User>;
  /** Fills in and sends the sign-in form that is open. */
  enter: (page: Page, user: User) => Promise<void>;
  /** The message for a wrong password. */
  wrongPassword: string;
  /** Gives the user the premium plan, outside of the open pages. */
  buyPremium: (user: User) => Promise<void>;
  /** A text of the account profile. */
  profileHeading: string;
}

/** Tests of an account of either kind: from the start page to the premium plan and back. */
export function testAccount(provider: () => AccountsProvider): void {
  it('goes from the start page to a premium tool and back to the start page', async () => {
    const { visit, newUser, enter, wrongPassword, buyPremium, profileHeading } = provider();
    const user = await newUser();
    const { page, context } = await visit();
    await page.goto('/');
    await page.locator('#Plan').getByRole('heading', { name: 'Premium' }).first().waitFor();
    await page.getByRole('button', { name: 'Get Started' }).click();
    await page.getByRole('dialog').getByRole('textbox', { name: 'Email' }).first().waitFor();
    await page.keyboard.press('Escape');

    await page.goto('/ai');
    await enter(page, { ...user, password: 'not that one' });
    await page.getByText(wrongPassword).first().waitFor();
    await page.goto('/ai');
    await enter(page, user);
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    await page.getByText('30 of 30 credits left').waitFor();
    expect(await settledViolations(page)).toEqual([]);

    await page.getByRole('button', { name: `${user.name} , open your account` }).click();
    const profile = page.getByRole('dialog');
    await profile.getByText(profileHeading).first().waitFor();
    await profile.getByText(user.email).first().waitFor();
    await page.keyboard.press('Escape');
    await profile.waitFor({ state: 'detached' });

    await page.goto('/ai/generate-images');
    await page.getByLabel('Description').fill('A lamp in the fog');
    await page.getByText('This is part of the premium plan').waitFor();
    const submit = page.getByRole('button', { name: 'Generate Image' });
    expect(await submit.isDisabled()).toBe(true);
    const second = await context.newPage();
    await second.goto('/ai');
    await second.getByText('Free Plan', { exact: true }).waitFor();
    await buyPremium(user);
    for (const tab of [page, second]) await tab.getByText('Premium Plan', { exact: true }).waitFor();
    await submit.click();
    await waitForStatusMessage(page, 'Image Generated');

    await second.goto('/ai/write-article');
    await second.getByLabel('Topic').fill('For nobody else');
    const stored = () =>
      second.evaluate<string>(`JSON.stringify([{ ...localStorage }, { ...sessionStorage }])`);
    await until('the draft to be kept', async () => (await stored()).includes('For nobody else'));

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('/');
    await page.getByRole('button', { name: 'Get Started' }).waitFor();
    await second.getByRole('textbox', { name: 'Email' }).first().waitFor();
    await second.getByText('You are signed out').waitFor();
    expect(await stored()).not.toMatch(/For nobody else|pdfChat/);
  });
}
