import { describe, expect, it } from '@jest/globals';
import { readConfig } from './environment.js';

const keys = {
  STRIPE_SECRET_KEY: 'sk_test_hunter2',
  STRIPE_WEBHOOK_SECRET: 'whsec_hunter2',
  STRIPE_PRICE_PREMIUM: 'price_1',
};
const read = (variables: Record<string, string | undefined> = {}) =>
  readConfig({
    DATABASE_URL: 'postgres://localhost/pressroom',
    AUTH_SECRET: '7d3f0b9c5a1e8642f0c7b3d95e1a6480',
    ...variables,
  });

describe('the configuration of Stripe', () => {
  it('is off without its variables', () => {
    expect(read()).toMatchObject({ stripe: null, premiumPrice: { amount: 12, currency: 'USD' } });
  });

  it('needs the key, the secret of the webhook and the price', () => {
    expect(read(keys).stripe).toEqual({
      secretKey: 'sk_test_hunter2',
      webhookSecret: 'whsec_hunter2',
      priceId: 'price_1',
      trialDays: 0,
      graceDays: 7,
      apiUrl: null,
    });
    expect(
      read({
        ...keys,
        STRIPE_TRIAL_DAYS: '14',
        STRIPE_GRACE_DAYS: '0',
        STRIPE_API_URL: 'http://127.0.0.1:4000',
        PLAN_SWITCH: 'operator',
        PREMIUM_PRICE: '9.50 EUR',
      }),
    ).toMatchObject({
      stripe: { trialDays: 14, graceDays: 0, apiUrl: 'http://127.0.0.1:4000' },
      planSwitch: false,
      premiumPrice: { amount: 9.5, currency: 'EUR' },
    });
  });

  it.each<[Record<string, string | undefined>, RegExp]>([
    [
      { ...keys, STRIPE_WEBHOOK_SECRET: undefined },
      /^STRIPE_WEBHOOK_SECRET must be set too: without it STRIPE_SECRET_KEY, STRIPE_PRICE_PREMIUM mean nothing/,
    ],
    [
      { STRIPE_TRIAL_DAYS: '3' },
      /^STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET and STRIPE_PRICE_PREMIUM must/,
    ],
    [{ ...keys, PLAN_SWITCH: 'self' }, /^PLAN_SWITCH must be operator with Stripe/],
    [
      {
        ...keys,
        CLERK_PUBLISHABLE_KEY: `pk_test_${Buffer.from('clerk.example.com$').toString('base64')}`,
        CLERK_SECRET_KEY: 'sk_test_hunter2',
      },
      /^STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_PRICE_PREMIUM must not be set with Clerk/,
    ],
    [
      { ...keys, STRIPE_SECRET_KEY: 'pk_test_hunter2' },
      /^STRIPE_SECRET_KEY must hold a secret or restricted key/,
    ],
    [{ ...keys, STRIPE_WEBHOOK_SECRET: 'hunter2' }, /^STRIPE_WEBHOOK_SECRET must hold the signing secret/],
    [
      { ...keys, STRIPE_PRICE_PREMIUM: 'prod_1' },
      /^STRIPE_PRICE_PREMIUM must be the id of a recurring price/,
    ],
    [{ ...keys, STRIPE_API_URL: 'http://stripe.example.com' }, /^STRIPE_API_URL must start with https/],
    [{ ...keys, STRIPE_GRACE_DAYS: '-1' }, /^STRIPE_GRACE_DAYS must be a whole number/],
    [{ PREMIUM_PRICE: '$12' }, /^PREMIUM_PRICE must be an amount and a currency, such as 12 USD/],
  ])('refuses %j', (variables, message) => {
    expect(() => read(variables)).toThrow(message);
    expect(() => read(variables)).not.toThrow(/hunter2/);
  });
});
