import { ConfigurationError } from './configuration-error.js';
import { isLoopback } from './own-origins.js';
import type { Variables } from './variables.js';

/** Reads the `STRIPE_` variables. @returns null if none is set @throws ConfigurationError, without the variables' values */
export function readStripe(v: Variables, accounts: 'local' | 'clerk') {
  const given = (Object.keys(v) as (keyof Variables)[]).filter(
    (name) => name.startsWith('STRIPE_') && v[name] !== undefined,
  );
  if (given.length === 0) return null;
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret } = v;
  const priceId = v.STRIPE_PRICE_PREMIUM;
  if (!secretKey || !webhookSecret || !priceId) {
    const missing = (['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'STRIPE_PRICE_PREMIUM'] as const).filter(
      (name) => v[name] === undefined,
    );
    throw new ConfigurationError(
      `${missing.join(' and ')} must be set too: without ${missing.length > 1 ? 'them' : 'it'} ${given.join(', ')} ${given.length > 1 ? 'mean' : 'means'} nothing.`,
    );
  }
  if (accounts === 'clerk')
    throw new ConfigurationError(
      `${given.join(', ')} must not be set with Clerk, which has its own billing: remove the STRIPE_ variables.`,
    );
  if (v.PLAN_SWITCH === 'self')
    throw new ConfigurationError(
      'PLAN_SWITCH must be operator with Stripe: with self, users would switch to Premium without payment.',
    );
  if (v.STRIPE_API_URL?.startsWith('http:') && !isLoopback(new URL(v.STRIPE_API_URL).hostname))
    throw new ConfigurationError(
      'STRIPE_API_URL must start with https://, except on this machine: otherwise the secret key is sent unencrypted.',
    );
  return {
    secretKey,
    webhookSecret,
    /** Id of the recurring price of the premium plan. */
    priceId,
    /** Days of a user's first subscription before the first payment. */
    trialDays: v.STRIPE_TRIAL_DAYS ?? 0,
    /** Days for which a user whose payment failed keeps the premium plan. */
    graceDays: v.STRIPE_GRACE_DAYS ?? 7,
    /** Origin of Stripe's API; null for Stripe's own. */
    apiUrl: v.STRIPE_API_URL ?? null,
  };
}

export type StripeConfig = NonNullable<ReturnType<typeof readStripe>>;
