import type { BetterAuthPlugin } from 'better-auth';
import { APIError, createAuthMiddleware } from 'better-auth/api';
import type Stripe from 'stripe';
import type { StripeConfig } from '#libs/config/stripe.js';
import { sessionOf } from './hook-context.js';

export interface PaymentOptions {
  stripe: Stripe;
  config: Pick<StripeConfig, 'priceId' | 'trialDays' | 'webhookSecret'>;
  /** Reads the user's subscriptions from Stripe and stores them. @returns whether one of them has not ended */
  syncSubscriptions: (userId: string) => Promise<{ isSubscribed: boolean }>;
  onError: (error: unknown) => void;
}

const CHECKOUT = '/subscription/upgrade';
const CHECKOUT_RETURN = '/subscription/success';
const PORTAL = '/subscription/billing-portal';

/**
 * Paths of `@better-auth/stripe` that we do not offer. Its webhook writes the state in the event, which may be old, and loses
 * an event that it cannot process; ours is `/api/webhooks/stripe`. The billing portal cancels and restores subscriptions.
 */
export const PAYMENT_PATHS_OFF = [
  '/stripe/webhook',
  '/subscription/cancel',
  '/subscription/restore',
  '/subscription/list',
];

/** Checkout and billing portal by Stripe. */
export async function paymentPlugins(options: PaymentOptions): Promise<BetterAuthPlugin[]> {
  const { stripe, config } = options;
  const { stripe: createPlugin } = await import('@better-auth/stripe');
  const { trialDays } = config;
  const plugin = createPlugin({
    stripeClient: stripe,
    stripeWebhookSecret: config.webhookSecret,
    subscription: {
      enabled: true,
      plans: [
        {
          name: 'premium',
          priceId: config.priceId,
          ...(trialDays > 0 && { freeTrial: { days: trialDays } }),
        },
      ],
      async getCheckoutSessionParams({ subscription }) {
        // Otherwise a checkout in another tab could be paid too.
        if (subscription.stripeCustomerId) await expireCheckouts(stripe, subscription.stripeCustomerId);
        return {};
      },
    },
    schema: { subscription: { modelName: 'auth_subscriptions' } },
  });
  // Otherwise a user could set it by `/update-user` to the customer of another user.
  const user = plugin.schema.user as { fields: Record<string, object> };
  user.fields.stripeCustomerId = { type: 'string', required: false, input: false };
  return [paymentRules(options), plugin as BetterAuthPlugin];
}

async function expireCheckouts(stripe: Stripe, customer: string): Promise<void> {
  const { data } = await stripe.checkout.sessions.list({ customer, status: 'open', limit: 10 });
  for (const { id } of data) await stripe.checkout.sessions.expire(id);
}

/** Refuses a second subscription, and updates the plan when a user returns from the checkout, also before the event. */
const paymentRules = ({ syncSubscriptions, onError }: PaymentOptions): BetterAuthPlugin => ({
  id: 'payment-rules',
  hooks: {
    before: [
      {
        matcher: ({ path }) => path === CHECKOUT,
        handler: createAuthMiddleware(async (context) => {
          const session = await sessionOf(context);
          if (!session) throw new APIError('UNAUTHORIZED', { code: 'UNAUTHORIZED' });
          const { isSubscribed } = await syncSubscriptions(session.user.id).catch((error: unknown) => {
            onError(error);
            throw unavailable();
          });
          if (isSubscribed) throw new APIError('CONFLICT', { code: 'ALREADY_SUBSCRIBED' });
          const { successUrl, cancelUrl } = (context.body ?? {}) as Record<string, unknown>;
          // One plan for one user. Without this, callers could choose a number of seats, metadata and more.
          return { context: { body: { plan: 'premium', successUrl, cancelUrl } } };
        }),
      },
      {
        matcher: ({ path }) => path === PORTAL,
        handler: createAuthMiddleware(async (context) => {
          const { returnUrl } = (context.body ?? {}) as Record<string, unknown>;
          return { context: { body: { returnUrl } } };
        }),
      },
    ],
    after: [
      {
        matcher: ({ path }) => path === CHECKOUT_RETURN,
        handler: createAuthMiddleware(async (context) => {
          const session = await sessionOf(context);
          if (session) await syncSubscriptions(session.user.id).catch(onError);
        }),
      },
      {
        matcher: ({ path }) => path === CHECKOUT || path === PORTAL,
        handler: createAuthMiddleware(async (context) => {
          const { returned } = context.context;
          if (!(returned instanceof APIError) || ownCodes.includes(String(returned.body?.code))) return;
          // Stripe's own message, such as about an invalid key, is for the operator.
          onError(returned);
          throw unavailable();
        }),
      },
    ],
  },
});

const ownCodes = [
  'ALREADY_SUBSCRIBED',
  'PAYMENT_UNAVAILABLE',
  'UNAUTHORIZED',
  'CUSTOMER_NOT_FOUND',
  'VALIDATION_ERROR',
  'INVALID_ORIGIN',
];

const unavailable = () => new APIError('SERVICE_UNAVAILABLE', { code: 'PAYMENT_UNAVAILABLE' });
