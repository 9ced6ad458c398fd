import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type Stripe from 'stripe';
import { PRICE, StripeService } from '../../../test/support/stripe-service.ts';
import { createStripe } from './client.js';
import { findPriceDifference } from './price-difference.js';

let service: StripeService;
let stripe: Stripe;
beforeAll(async () => {
  service = await StripeService.start();
  const { STRIPE_SECRET_KEY: secretKey } = service.variables;
  stripe = await createStripe({ secretKey: secretKey!, apiUrl: service.url });
});
afterAll(() => service.stop());

const shown = { amount: 12, currency: 'USD' };

it('finds no difference between equal prices, in the units of each currency', async () => {
  expect(await findPriceDifference(stripe, PRICE, shown)).toBeNull();
  Object.assign(service.price, { unit_amount: 1_200, currency: 'jpy' });
  expect(await findPriceDifference(stripe, PRICE, { amount: 1_200, currency: 'JPY' })).toBeNull();
  Object.assign(service.price, { unit_amount: 9_500, currency: 'kwd' });
  expect(await findPriceDifference(stripe, PRICE, { amount: 9.5, currency: 'KWD' })).toBeNull();
});

it.each([
  [{ unit_amount: 1_500 }, '15 USD a month'],
  [{ currency: 'eur' }, '12 EUR a month'],
  [{ interval: 'year' }, '12 USD a year'],
  [{ interval_count: 3 }, '12 USD every 3 months'],
])('names a difference: %j', async (change, charged) => {
  Object.assign(service.price, { unit_amount: 1_200, currency: 'usd', interval: 'month', interval_count: 1 });
  Object.assign(service.price, change);
  expect(await findPriceDifference(stripe, PRICE, shown)).toBe(
    `The start page shows 12 USD a month (PREMIUM_PRICE), but Stripe charges ${charged} (STRIPE_PRICE_PREMIUM)`,
  );
});
