import type { BetterAuthPlugin } from 'better-auth';
import { APIError, createAuthMiddleware } from 'better-auth/api';
import type { stripe as stripePlugin } from '@better-auth/stripe';
import type Stripe from 'stripe';
import type { StripeConfig } from '#libs/config/stripe.js';
import { sessionOf, textOf } from './hook-context.js';

export interface PaymentOptions {
  stripe: Stripe;
  config: Pick<StripeConfig, 'priceId' | 'trialDays' | 'webhookSecret'>;
  /** Reads the user's subscriptions from Stripe and stores them. */
  syncSubscriptions: (userId: string) => Promise<void>;
  /** Whether a stored subscription of the user has not ended. */
  isSubscribed: (userId: string) => Promise<boolean>;
  /** @returns the user's customer at Stripe, who is created if there is none, or null if the user was deleted */
  ensureCustomer: (userId: string) => Promise<string | null>;
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

/** Otherwise a checkout in another tab could be paid too. Stripe lists the newest first. */
async function expireOlderCheckouts(stripe: Stripe, customer: string): Promise<void> {
  const { data } = await stripe.checkout.sessions.list({ customer, status: 'open', limit: 10 });
  for (const { id } of data.slice(1)) await stripe.checkout.sessions.expire(id);
}

/**
 * Refuses a second subscription, creates the user's customer, and updates the plan when a user returns from the checkout, also
 * before the event. The plugin would take a customer of another product with the user's address.
 */
const paymentRules = ({
  stripe,
  syncSubscriptions,
  isSubscribed,
  ensureCustomer,
  onError,
}: PaymentOptions): BetterAuthPlugin => ({
  id: 'payment-rules',
  hooks: {
    before: [
      {
        matcher: ({ path }) => path === CHECKOUT,
        handler: createAuthMiddleware(async (context) => {
          requireFields(context.body, ['plan', 'successUrl', 'cancelUrl']);
          const session = await sessionOf(context);
          if (!session) throw new APIError('UNAUTHORIZED', { code: 'UNAUTHORIZED' });
          const { user } = session;
          const customer = await refuseOnError(onError, async () => {
            await syncSubscriptions(user.id);
            if (await isSubscribed(user.id)) throw new APIError('CONFLICT', { code: 'ALREADY_SUBSCRIBED' });
            return ensureCustomer(user.id);
          });
          if (customer === null) throw new APIError('UNAUTHORIZED', { code: 'UNAUTHORIZED' });
          // The plugin gets the same session.
          Object.assign(user, { stripeCustomerId: customer });
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
          const customer = context.path === CHECKOUT && textOf(returned, 'customer');
          if (customer) await refuseOnError(onError, () => expireOlderCheckouts(stripe, customer));
          if (!(returned instanceof APIError) || isOwn(returned)) return;
          // Stripe's own message, such as about an invalid key, is for the operator.
          onError(returned);
          throw unavailable();
        }),
      },
    ],
  },
});

async function refuseOnError<T>(onError: PaymentOptions['onError'], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof APIError) throw error;
    onError(error);
    throw unavailable();
  }
}

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
