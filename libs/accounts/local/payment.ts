import type { BetterAuthPlugin } from 'better-auth';
import { APIError, createAuthMiddleware } from 'better-auth/api';
import type { stripe as stripePlugin } from '@better-auth/stripe';
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
  const { stripe, config, onError } = options;
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
        if (subscription.stripeCustomerId)
          await expireCheckouts(stripe, subscription.stripeCustomerId).catch((error: unknown) => {
            onError(error);
            throw unavailable();
          });
        return {};
      },
    },
    schema: { subscription: { modelName: 'auth_subscriptions' } },
  });
  // Otherwise a user could set it by `/update-user` to the customer of another user.
  const user = plugin.schema.user as { fields: Record<string, object> };
  user.fields.stripeCustomerId = { type: 'string', required: false, input: false };
  copyAddressInBackground(plugin);
  return [paymentRules(options), plugin];
}

/** The user of a changed address does not wait for Stripe. The plugin's hook catches its errors. */
function copyAddressInBackground(plugin: ReturnType<typeof stripePlugin>): void {
  const init = plugin.init.bind(plugin);
  plugin.init = (context) => {
    const started = init(context);
    const hooks = started?.options.databaseHooks.user.update;
    const after = hooks?.after.bind(hooks);
    if (hooks && after) hooks.after = async (user, request) => void after(user, request);
    return started;
  };
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
          requireFields(context.body, ['plan', 'successUrl', 'cancelUrl']);
          const session = await sessionOf(context);
          if (!session) throw new APIError('UNAUTHORIZED', { code: 'UNAUTHORIZED' });
          const { isSubscribed } = await syncSubscriptions(session.user.id).catch((error: unknown) => {
            onError(error);
            throw unavailable();
          });
          if (isSubscribed) throw new APIError('CONFLICT', { code: 'ALREADY_SUBSCRIBED' });
        }),
      },
      {
        matcher: ({ path }) => path === PORTAL,
        handler: createAuthMiddleware(async (context) => {
          requireFields(context.body, ['returnUrl']);
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
          if (!(returned instanceof APIError) || isOwn(returned)) return;
          // Stripe's own message, such as about an invalid key, is for the operator.
          onError(returned);
          throw unavailable();
        }),
      },
    ],
  },
});

/** Other fields would choose a number of seats, metadata, another user and more. */
function requireFields(body: unknown, names: readonly string[]): void {
  const other = Object.keys(body ?? {}).find((name) => !names.includes(name));
  if (other !== undefined)
    throw new APIError('BAD_REQUEST', {
      code: 'VALIDATION_ERROR',
      message: `This call takes only ${names.join(', ')}.`,
    });
}

const isOwn = ({ statusCode, body }: APIError) =>
  [401, 403, 429].includes(statusCode) || OWN_CODES.includes(String(body?.code));

const OWN_CODES = [
  'ALREADY_SUBSCRIBED',
  'PAYMENT_UNAVAILABLE',
  'CUSTOMER_NOT_FOUND',
  'VALIDATION_ERROR',
  'SUBSCRIPTION_PLAN_NOT_FOUND',
];

const unavailable = () => new APIError('SERVICE_UNAVAILABLE', { code: 'PAYMENT_UNAVAILABLE' });
