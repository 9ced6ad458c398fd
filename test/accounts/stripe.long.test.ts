import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { io } from 'socket.io-client';
import type { Account, Subscription } from '#libs/contract/account.js';
import { json, startInProcessProduct, type InProcessProduct } from '../support/in-process-product.ts';
import { PRICE, StripeService, type StoredSession } from '../support/stripe-service.ts';
import { allowTimeForPrograms } from '../support/time-limits.ts';
import { until } from '../support/until.ts';

allowTimeForPrograms();

const DAY = 86_400;
const seconds = () => Math.floor(Date.now() / 1000);

let stripe: StripeService;
let product: InProcessProduct;

beforeAll(async () => {
  stripe = await StripeService.start();
  product = await startInProcessProduct({ ...stripe.variables, STRIPE_TRIAL_DAYS: '14' });
});
afterAll(async () => {
  await product.stop();
  await stripe.stop();
});
afterEach(() => {
  stripe.refusals.length = 0;
  stripe.delayAnswer = async () => undefined;
});

it('reads the price at the start, to compare it with the one that is shown', async () => {
  await until('the price was read', () => stripe.calls.includes(`GET /v1/prices/${PRICE}`));
});

let users = 0;
/** A user with a session in a browser, and with a token for the API. */
async function signUp(more: object = {}) {
  const email = `ada${(users += 1)}@payment.example`;
  const password = 'correct horse';
  const headers = { 'Content-Type': 'application/json', Origin: product.origin };
  const answer = await fetch(`${product.origin}/api/auth/sign-up/email`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'Ada', email, password, ...more }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  const cookie = answer.headers
    .getSetCookie()
    .map((one) => one.split(';')[0]!)
    .join('; ');
  const { user } = (await answer.json()) as { user: { id: string } };
  const visit = (url: string, body?: object) =>
    fetch(url, {
      method: body ? 'POST' : 'GET',
      headers: { ...headers, cookie },
      body: body && JSON.stringify(body),
      redirect: 'manual',
    });
  const auth = async (path: string, body?: object) => {
    // The limit on checkouts counts those of all tests, which come from one address.
    await product.sql(`DELETE FROM auth_rate_limits`);
    return visit(`${product.origin}/api/auth${path}`, body);
  };
  const { token } = (await (await auth('/token')).json()) as { token: string };
  const read = (path: string) =>
    fetch(`${product.origin}/api/user${path}`, { headers: { Authorization: `Bearer ${token}` } });
  return {
    id: user.id,
    email,
    password,
    token,
    auth,
    visit,
    account: async (): Promise<Account> => json(await read('/account')),
    subscription: async () =>
      ((await (await read('/subscription')).json()) as { subscription: Subscription | null }).subscription,
    checkout: (more: object = {}) =>
      auth('/subscription/upgrade', { plan: 'premium', successUrl: '/ai', cancelUrl: '/', ...more }),
  };
}
type User = Awaited<ReturnType<typeof signUp>>;

const lastSession = (): StoredSession => [...stripe.sessions.values()].at(-1)!;
const deliver = (webhook: RequestInit) => fetch(`${product.origin}/api/webhooks/stripe`, webhook);
const send = async (type: string, object: object) => {
  const answer = await deliver(stripe.webhook(type, object));
  return [answer.status, ((await answer.json()) as { message: string }).message];
};
const PROCESSED = [200, 'The event was processed.'];

/** A user who has paid, with the subscription at Stripe. */
async function subscribe(user?: User) {
  const ada = user ?? (await signUp());
  expect((await ada.checkout()).status).toBe(200);
  const subscription = stripe.completeCheckout(lastSession().id);
  expect(await send('customer.subscription.created', subscription)).toEqual(PROCESSED);
  return { ada, subscription };
}

const planChanges = async ({ id }: User) =>
  (
    await product.sql(
      `SELECT concat_ws(' ', plan, source) AS name FROM plan_changes WHERE user_id = $1 ORDER BY id`,
      [id],
    )
  ).map(({ name }) => name);

describe('the checkout', () => {
  it('leads by a signed event to the premium plan, which open pages learn at once', async () => {
    const ada = await signUp();
    const answer = await ada.checkout();
    const { url } = (await answer.json()) as { url: string };
    expect([answer.status, url]).toEqual([200, lastSession().url]);
    expect(lastSession().cancel_url).toBe(`${product.origin}/`);
    const socket = io(product.origin, { auth: { token: ada.token }, transports: ['websocket'] });
    const accounts: Account[] = [];
    socket.on('account', (account: Account) => void accounts.push(account));
    await new Promise<void>((resolve) => socket.once('connect', resolve));
    const subscription = stripe.completeCheckout(lastSession().id);
    expect([(await ada.account()).plan, await ada.subscription()]).toEqual(['free', null]);
    expect(await send('customer.subscription.created', subscription)).toEqual(PROCESSED);
    await until('the open page has the plan', () => accounts.at(-1)?.plan === 'premium');
    socket.close();
    expect((await ada.account()).plan).toBe('premium');
    expect(await planChanges(ada)).toEqual(['premium stripe']);
  });

  it('applies the plan when the user returns, also before the event', async () => {
    const ada = await signUp();
    await ada.checkout();
    stripe.completeCheckout(lastSession().id);
    const returned = await ada.visit(lastSession().success_url);
    expect([returned.status, returned.headers.get('location')]).toEqual([302, `${product.origin}/ai`]);
    expect((await ada.account()).plan).toBe('premium');
  });

  it('gives a trial once', async () => {
    const { ada, subscription } = await subscribe();
    expect(await ada.subscription()).toMatchObject({
      status: 'trialing',
      trialEndsAt: new Date(subscription.trial_end! * 1000).toISOString(),
      cancelsAt: null,
      graceUntil: null,
    });
    stripe.end(subscription);
    expect(await send('customer.subscription.deleted', subscription)).toEqual(PROCESSED);
    expect((await ada.account()).plan).toBe('free');
    await ada.checkout();
    expect(lastSession().hidden.trialDays).toBe(0);
    stripe.completeCheckout(lastSession().id);
    expect(await send('checkout.session.completed', lastSession())).toEqual(PROCESSED);
    expect(await ada.subscription()).toMatchObject({ status: 'active', trialEndsAt: null });
    expect(await planChanges(ada)).toEqual(['premium stripe', 'free stripe', 'premium stripe']);
  });

  it('sells one plan to one user', async () => {
    const ada = await signUp();
    for (const more of [
      { seats: 5 },
      { metadata: { referenceId: 'another' } },
      { referenceId: ada.id },
      { customerType: 'organization' },
      { plan: 'gold' },
    ])
      expect([more, (await ada.checkout(more)).status]).toEqual([more, 400]);
    expect((await ada.checkout()).status).toBe(200);
    expect(lastSession()).toMatchObject({
      client_reference_id: ada.id,
      hidden: { quantity: 1, metadata: { referenceId: ada.id, userId: ada.id } },
    });
  });

  it('ends an open checkout of another tab, and refuses a second subscription', async () => {
    const ada = await signUp();
    await ada.checkout();
    const first = lastSession();
    await ada.checkout();
    expect([first.status, lastSession().status]).toEqual(['expired', 'open']);
    stripe.completeCheckout(lastSession().id);
    // The event has not arrived yet.
    const answer = await ada.checkout();
    expect([answer.status, await answer.json()]).toMatchObject([409, { code: 'ALREADY_SUBSCRIBED' }]);
  });

  it('is not refused because a later request has stored its result', async () => {
    const { ada, subscription } = await subscribe();
    stripe.end(subscription);
    await send('customer.subscription.deleted', subscription);
    let release = () => undefined as void;
    const held = new Promise<void>((resolve) => (release = resolve));
    let reads = 0;
    stripe.delayAnswer = async (call) => {
      if (call === 'GET /v1/subscriptions' && (reads += 1) === 1) await held;
    };
    const slow = ada.checkout();
    await until('the first read is held', () => reads === 1);
    await send('customer.subscription.deleted', subscription);
    release();
    expect((await slow).status).toBe(200);
  });

  it('refuses addresses of other sites, and calls without a session', async () => {
    const ada = await signUp();
    expect((await ada.checkout({ successUrl: 'https://evil.example/' })).status).toBe(403);
    expect(
      (await ada.auth('/subscription/billing-portal', { returnUrl: 'https://evil.example/' })).status,
    ).toBe(403);
    const anonymous = await fetch(`${product.origin}/api/auth/subscription/upgrade`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: product.origin },
      body: JSON.stringify({ plan: 'premium' }),
    });
    expect(anonymous.status).toBe(401);
  });

  it('does not show users what Stripe says', async () => {
    const ada = await signUp();
    stripe.refusals.push(...Array<number>(6).fill(401));
    const answer = await ada.checkout();
    expect([answer.status, await answer.json()]).toEqual([
      503,
      {
        code: 'PAYMENT_UNAVAILABLE',
        message: 'The payment service cannot be reached. Nothing was charged. Try again in a moment.',
      },
    ]);
  });
});

describe('the customer of a user', () => {
  it('is never that of another product with the same address', async () => {
    const ada = await signUp();
    await product.sql(`UPDATE auth_users SET "emailVerified" = true WHERE "id" = $1`, [ada.id]);
    const { id: foreign } = stripe.addCustomer(ada.email);
    const other = stripe.addSubscription(foreign, { price: 'price_other' });
    const { subscription } = await subscribe(ada);
    expect(subscription.customer).not.toBe(foreign);
    await ada.auth('/delete-user', { password: ada.password });
    await until('the subscription has ended', () => subscription.status === 'canceled');
    expect([stripe.customers.get(foreign)!.deleted, other.status]).toEqual([undefined, 'active']);
  });

  it('is one after two checkouts at once, of which one can be paid', async () => {
    const ada = await signUp();
    let waiting = 0;
    stripe.delayAnswer = async (call) => {
      if (call !== 'POST /v1/customers') return;
      waiting += 1;
      await until('both checkouts have created a customer', () => waiting === 2);
    };
    const answers = await Promise.all([ada.checkout(), ada.checkout()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const customersOf = () => [...stripe.customers.values()].filter(({ email }) => email === ada.email);
    await until('the unused customer is deleted', () => customersOf().length === 1);
    const sessions = [...stripe.sessions.values()].filter(({ client_reference_id: id }) => id === ada.id);
    expect(sessions.map(({ customer }) => customer)).toEqual(Array(2).fill(customersOf()[0]!.id));
    expect(sessions.filter(({ status }) => status === 'open').length).toBe(1);
  });

  it('opens the billing portal', async () => {
    const { ada, subscription } = await subscribe();
    const answer = await ada.auth('/subscription/billing-portal', { returnUrl: '/ai' });
    expect([answer.status, await answer.json()]).toMatchObject([
      200,
      { url: `${stripe.url}/portal/${subscription.customer}` },
    ]);
    const bob = await signUp();
    const refused = await bob.auth('/subscription/billing-portal', { returnUrl: '/ai' });
    expect([refused.status, await refused.json()]).toMatchObject([404, { code: 'CUSTOMER_NOT_FOUND' }]);
  });

  it('cannot be set by the user', async () => {
    const { subscription } = await subscribe();
    const eve = await signUp();
    const answer = await eve.auth('/update-user', { stripeCustomerId: subscription.customer });
    expect(answer.status).toBe(400);
    await expect(signUp({ stripeCustomerId: subscription.customer })).rejects.toThrow(/not allowed/);
    expect((await eve.auth('/subscription/billing-portal', { returnUrl: '/ai' })).status).toBe(404);
  });

  it('is created again after an operator deleted it at Stripe', async () => {
    const { ada, subscription } = await subscribe();
    await fetch(`${stripe.url}/v1/customers/${subscription.customer}`, {
      method: 'DELETE',
      headers: { Authorization: 'Bearer sk_test_of_the_tests', 'Stripe-Version': 'any' },
    });
    // As after a checkout that Stripe refused once the customer was created.
    await product.sql(`DELETE FROM auth_subscriptions WHERE "referenceId" = $1`, [ada.id]);
    expect(await send('customer.deleted', { id: subscription.customer, object: 'customer' })).toEqual(
      PROCESSED,
    );
    expect((await ada.account()).plan).toBe('free');
    expect((await ada.checkout()).status).toBe(200);
    expect(lastSession().customer).not.toBe(subscription.customer);
  });

  it('gets the address of the user, who does not wait for Stripe', async () => {
    const { ada, subscription } = await subscribe();
    const customer = stripe.customers.get(subscription.customer)!;
    customer.email = 'old@payment.example';
    let release = () => undefined as void;
    const held = new Promise<void>((resolve) => (release = resolve));
    stripe.delayAnswer = () => held;
    expect((await ada.auth('/update-user', { name: 'Ada Brandt' })).status).toBe(200);
    expect(customer.email).toBe('old@payment.example');
    release();
    await until('Stripe has the address', () => customer.email === ada.email);
  });

  it('is not offered other calls of the plugin', async () => {
    const { ada } = await subscribe();
    for (const path of ['/subscription/cancel', '/subscription/restore', '/stripe/webhook'])
      expect((await ada.auth(path, { returnUrl: '/ai' })).status).toBe(404);
    expect((await ada.auth('/subscription/list')).status).toBe(404);
  });
});

describe('a subscription', () => {
  it('that is cancelled keeps the plan until the end of its period', async () => {
    const { ada, subscription } = await subscribe();
    stripe.cancelAtPeriodEnd(subscription);
    await send('customer.subscription.updated', subscription);
    const endsAt = new Date(subscription.items.data[0]!.current_period_end * 1000).toISOString();
    expect([(await ada.account()).plan, await ada.subscription()]).toMatchObject([
      'premium',
      { cancelsAt: endsAt },
    ]);
    stripe.end(subscription);
    await send('customer.subscription.deleted', subscription);
    expect([(await ada.account()).plan, await ada.subscription()]).toEqual(['free', null]);
  });

  it('whose payment failed keeps the plan for the days of grace, and gets it back when it is paid', async () => {
    const { ada, subscription } = await subscribe();
    const renewedAt = seconds() - 2 * DAY;
    stripe.renew(subscription, false, renewedAt);
    await send('invoice.payment_failed', { object: 'invoice', customer: subscription.customer });
    const graceUntil = new Date((renewedAt + 7 * DAY) * 1000).toISOString();
    expect([(await ada.account()).plan, await ada.subscription()]).toMatchObject([
      'premium',
      { status: 'past_due', graceUntil },
    ]);
    expect((await ada.checkout()).status).toBe(409);
    stripe.renew(subscription, false, seconds() - 8 * DAY);
    await send('customer.subscription.updated', subscription);
    expect([(await ada.account()).plan, await ada.subscription()]).toMatchObject([
      'free',
      { status: 'past_due', graceUntil: null },
    ]);
    stripe.renew(subscription);
    await send('invoice.paid', { object: 'invoice', customer: subscription.customer });
    expect([(await ada.account()).plan, await ada.subscription()]).toMatchObject([
      'premium',
      { status: 'active' },
    ]);
  });

  it('ends by itself when the grace is over, without an event', async () => {
    const { ada, subscription } = await subscribe();
    stripe.renew(subscription, false, seconds() - 7 * DAY + 3);
    await send('customer.subscription.updated', subscription);
    expect((await ada.account()).plan).toBe('premium');
    await until('the grace is over', async () => (await ada.account()).plan === 'free', { seconds: 20 });
  });

  it('that ended is found by a worker if the event is lost, also while Stripe fails', async () => {
    const { ada, subscription } = await subscribe();
    stripe.end(subscription);
    stripe.refusals.push(500, 500);
    await product.sql(`UPDATE stripe_customers SET check_at = now() WHERE user_id = $1`, [ada.id]);
    await until('the plan has ended', async () => (await ada.account()).plan === 'free', { seconds: 30 });
  });

  it('of another product of the same Stripe account changes nothing', async () => {
    const ada = await signUp();
    await ada.checkout();
    const other = stripe.addSubscription(lastSession().customer, { price: 'price_other' });
    expect(await send('customer.subscription.created', other)).toEqual(PROCESSED);
    expect([(await ada.account()).plan, await ada.subscription()]).toEqual(['free', null]);
    const madeByHand = stripe.addSubscription(lastSession().customer);
    await send('customer.subscription.created', madeByHand);
    expect((await ada.account()).plan).toBe('premium');
  });

  it('leaves a plan that an operator set, until it begins or ends', async () => {
    const ada = await signUp();
    await ada.account();
    await product.sql(`UPDATE users SET plan = 'premium' WHERE id = $1`, [ada.id]);
    await ada.checkout();
    await send('checkout.session.expired', lastSession());
    expect((await ada.account()).plan).toBe('premium');
    expect(await planChanges(ada)).toEqual([]);
  });
});

describe('events', () => {
  it('have one effect if they are repeated', async () => {
    const { ada, subscription } = await subscribe();
    const created = stripe.webhook('customer.subscription.created', subscription);
    const answers = await Promise.all(Array.from({ length: 6 }, () => deliver(created)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(await planChanges(ada)).toEqual(['premium stripe']);
    const rows = await product.sql(
      `SELECT count(*)::int AS count FROM auth_subscriptions WHERE "referenceId" = $1`,
      [ada.id],
    );
    expect(rows).toEqual([{ count: 1 }]);
  });

  it('that are late do not bring an old plan back', async () => {
    const ada = await signUp();
    await ada.checkout();
    const subscription = stripe.completeCheckout(lastSession().id);
    const created = stripe.webhook('customer.subscription.created', subscription);
    const updated = stripe.webhook('customer.subscription.updated', subscription);
    stripe.end(subscription);
    await send('customer.subscription.deleted', subscription);
    for (const late of [updated, created]) expect((await deliver(late)).status).toBe(200);
    expect([(await ada.account()).plan, await planChanges(ada)]).toEqual(['free', []]);
  });

  it('that overtake each other leave the newest state', async () => {
    const { ada, subscription } = await subscribe();
    let release = () => undefined as void;
    const held = new Promise<void>((resolve) => (release = resolve));
    let reads = 0;
    // The first read has the state before the end, and its answer arrives last.
    stripe.delayAnswer = async (call) => {
      if (call === 'GET /v1/subscriptions' && (reads += 1) === 1) await held;
    };
    const slow = send('customer.subscription.updated', subscription);
    await until('the first read is held', () => reads === 1);
    stripe.end(subscription);
    await send('customer.subscription.deleted', subscription);
    expect((await ada.account()).plan).toBe('free');
    release();
    expect(await slow).toEqual(PROCESSED);
    expect([(await ada.account()).plan, await planChanges(ada)]).toEqual([
      'free',
      ['premium stripe', 'free stripe'],
    ]);
  });

  it('of unknown users and of other kinds are answered and ignored', async () => {
    const { ada, subscription } = await subscribe();
    expect(await send('customer.subscription.deleted', { ...subscription, customer: 'cus_unknown' })).toEqual(
      [200, 'The event was ignored: its customer has no account here.'],
    );
    for (const [type, object] of [
      ['charge.succeeded', { customer: subscription.customer }],
      ['customer.subscription.created', { customer: null }],
      ['invoice.paid', {}],
    ] as const)
      expect(await send(type, object)).toEqual([200, 'The event was ignored.']);
    expect((await ada.account()).plan).toBe('premium');
  });

  it('with a wrong, an old or no signature are refused and change nothing', async () => {
    const { ada, subscription } = await subscribe();
    stripe.end(subscription);
    const type = 'customer.subscription.deleted';
    const right = stripe.webhook(type, subscription);
    for (const wrong of [
      stripe.webhook(type, subscription, { secret: 'whsec_of_another' }),
      stripe.webhook(type, subscription, { at: seconds() - 3_600 }),
      { ...right, body: right.body.replace('"livemode":false', '"livemode":true') },
      { ...right, headers: { 'Content-Type': 'application/json' } },
      { ...right, body: '' },
    ]) {
      const answer = await deliver(wrong);
      expect([answer.status, (await json(answer)).code]).toEqual([400, 'VALIDATION_FAILED']);
    }
    expect((await ada.account()).plan).toBe('premium');
    expect((await deliver(right)).status).toBe(200);
    expect((await ada.account()).plan).toBe('free');
  });

  it('are refused while Stripe does not answer, so that Stripe sends them again', async () => {
    const { ada, subscription } = await subscribe();
    stripe.end(subscription);
    stripe.refusals.push(500, 500);
    const event = stripe.webhook('customer.subscription.deleted', subscription);
    const refused = await deliver(event);
    expect([refused.status, (await json(refused)).code]).toEqual([503, 'UNAVAILABLE']);
    expect((await ada.account()).plan).toBe('premium');
    expect((await deliver(event)).status).toBe(200);
    expect((await ada.account()).plan).toBe('free');
  });
});

describe('deleting an account', () => {
  it('ends the subscription at Stripe, and tries again until Stripe answers', async () => {
    const { ada, subscription } = await subscribe();
    // The client tries a call twice.
    stripe.refusals.push(500, 500);
    expect((await ada.auth('/delete-user', { password: ada.password })).status).toBe(200);
    await until(
      'the reason is stored',
      async () => (await product.sql(`SELECT error AS name FROM stripe_removals`))[0]?.name === 'Refused',
      { seconds: 20 },
    );
    await until('the subscription has ended', () => subscription.status === 'canceled', { seconds: 30 });
    await until('nothing is left to do', async () => {
      const left = await product.sql(`SELECT customer_id AS id FROM stripe_removals`);
      return left.length === 0;
    });
    expect(stripe.customers.get(subscription.customer)).toMatchObject({ deleted: true, email: null });
    expect(await send('customer.subscription.deleted', subscription)).toEqual([
      200,
      'The event was ignored: its customer has no account here.',
    ]);
  });
});
