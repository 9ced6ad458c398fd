import type Stripe from 'stripe';
import type { StripeConfig } from '#libs/config/stripe.js';

const TIMEOUT_MS = 10_000;

/** Creates the client of Stripe's API. Loads the package only here, since most installations do not use it. */
export async function createStripe({
  secretKey,
  apiUrl,
}: Pick<StripeConfig, 'secretKey' | 'apiUrl'>): Promise<Stripe> {
  const { default: StripeClient } = await import('stripe');
  return new StripeClient(secretKey, {
    ...(apiUrl !== null && addressOf(new URL(apiUrl))),
    timeout: TIMEOUT_MS,
    maxNetworkRetries: 1,
    telemetry: false,
  });
}

const addressOf = ({ protocol, hostname, port }: URL) => ({
  host: hostname,
  port: port || (protocol === 'http:' ? 80 : 443),
  protocol: protocol === 'http:' ? ('http' as const) : ('https' as const),
});

/** True if Stripe does not know the object, for example because it was deleted. */
export const isMissing = (error: unknown): boolean =>
  (error as { code?: unknown } | null)?.code === 'resource_missing';
