/** @jest-environment ./test/web/dom-environment.mjs */
import { describe, expect, it } from '@jest/globals';
import { screen } from '@testing-library/react';
import type { Subscription } from '#libs/contract/account.js';
import { renderInApp } from '../../../../../../test/web/render-in-app';
import { config, stubApi } from '../../../../../../test/web/stub-api';
import PlanAction from '../plan-action';
import { PlanSection } from './plan-section';

const api = stubApi();

const active: Subscription = {
  status: 'active',
  trialEndsAt: null,
  periodEndsAt: '2026-12-24T12:00:00.000Z',
  cancelsAt: null,
  graceUntil: null,
};

function setUp(subscription: Subscription | null, plan: 'free' | 'premium') {
  const payment = { trialDays: 14 };
  api.on('GET /api/config', { ...config, accounts: { ...config.accounts, planSwitch: false, payment } });
  api.on('GET /api/user/subscription', { subscription });
  api.setAccount({ plan });
}

describe('the subscription in the account', () => {
  it.each<[string, Partial<Subscription>, 'free' | 'premium', RegExp]>([
    ['goes on', {}, 'premium', /^The next payment is due on Dec 24, 2026\.$/],
    [
      'is in its trial',
      { status: 'trialing', trialEndsAt: '2026-12-10T12:00:00.000Z' },
      'premium',
      /^Your trial lasts until Dec 10, 2026\. The first payment is then due\.$/,
    ],
    [
      'is cancelled',
      { cancelsAt: '2026-12-24T12:00:00.000Z' },
      'premium',
      /^Cancelled\. You keep Premium until Dec 24, 2026; then your plan is Free\./,
    ],
    [
      'was not paid, in the days of grace',
      { status: 'past_due', graceUntil: '2026-12-01T12:00:00.000Z' },
      'premium',
      /^You keep Premium until Dec 1, 2026\. Check your payment method/,
    ],
    ['was not paid', { status: 'past_due' }, 'free', /^Your plan is Free until it is paid\./],
  ])('says that it %s', async (_, changes, plan, words) => {
    setUp({ ...active, ...changes }, plan);
    renderInApp(<PlanSection />);
    expect(await screen.findByText(words)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Manage billing' })).toBeTruthy();
  });

  it('offers the checkout to a user without one, and says why it fails', async () => {
    setUp(null, 'free');
    api.on(
      'POST /api/auth/subscription/upgrade',
      Response.json({ code: 'PAYMENT_UNAVAILABLE', message: 'No' }, { status: 503 }),
    );
    const { user } = renderInApp(<PlanSection />);
    await user.click(await screen.findByRole('button', { name: 'Upgrade to Premium' }));
    expect((await screen.findByRole('alert')).textContent).toBe(
      'The payment service cannot be reached. Nothing was charged. Try again in a moment.',
    );
    expect(api.requests.at(-1)!.body).toEqual({
      plan: 'premium',
      successUrl: '/ai?checkout=done',
      cancelUrl: '/#Plan',
    });
  });

  it('has nothing to pay for a plan that an operator gave', async () => {
    setUp(null, 'premium');
    renderInApp(<PlanSection />);
    expect(await screen.findByText('Premium Plan')).toBeTruthy();
    expect(screen.queryByRole('button')).toBeNull();
  });
});

it('says on the card of the plan how long the trial is', async () => {
  setUp(null, 'free');
  renderInApp(<PlanAction plan="premium" />);
  expect(await screen.findByText(/^Your first 14 days are free/)).toBeTruthy();
});
