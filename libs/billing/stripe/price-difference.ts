import type Stripe from 'stripe';

/** Currencies without a smaller unit, as Stripe counts them: https://docs.stripe.com/currencies#zero-decimal */
const WITHOUT_DECIMALS = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ');
const WITH_THREE_DECIMALS = 'BHD JOD KWD OMR TND'.split(' ');

interface Price {
  amount: number;
  currency: string;
}

/**
 * Compares the monthly price that the start page shows with the price that Stripe charges.
 * @returns a sentence if they differ, else null
 * @throws StripeError
 */
export async function findPriceDifference(
  stripe: Stripe,
  priceId: string,
  shown: Price,
): Promise<string | null> {
  const { unit_amount: units, currency, recurring } = await stripe.prices.retrieve(priceId);
  const charged = currency.toUpperCase();
  const amount = units === null ? null : units / 10 ** decimalsOf(charged);
  const isMonthly = recurring?.interval === 'month' && recurring.interval_count === 1;
  if (amount === shown.amount && charged === shown.currency && isMonthly) return null;
  const every = recurring ? everyOf(recurring) : 'once';
  return `The start page shows ${shown.amount} ${shown.currency} a month (PREMIUM_PRICE), but Stripe charges ${amount ?? 'another amount of'} ${charged} ${every} (STRIPE_PRICE_PREMIUM)`;
}

const everyOf = ({ interval, interval_count: count }: Stripe.Price.Recurring): string =>
  count === 1 ? `a ${interval}` : `every ${count} ${interval}s`;

function decimalsOf(currency: string): number {
  if (WITHOUT_DECIMALS.includes(currency)) return 0;
  return WITH_THREE_DECIMALS.includes(currency) ? 3 : 2;
}
