import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { json, startInProcessProduct, type InProcessProduct } from '../support/in-process-product.ts';
import { StripeService } from '../support/stripe-service.ts';
import { allowTimeForPrograms } from '../support/time-limits.ts';

allowTimeForPrograms();

let stripe: StripeService;
let product: InProcessProduct;

beforeAll(async () => {
  stripe = await StripeService.start();
  product = await startInProcessProduct({ ...stripe.variables, STRIPE_TRIAL_DAYS: '0' });
});
afterAll(async () => {
  await product.stop();
  await stripe.stop();
});

let users = 0;
/** A user with a session in a browser, and with a token for the API. */
async function signUp() {
  const email = `ada${(users += 1)}@payment.example`;
  const password = 'correct horse';
  const headers = { 'Content-Type': 'application/json', Origin: product.origin };
  const answer = await fetch(`${product.origin}/api/auth/sign-up/email`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'Ada', email, password }),
  });
  const cookie = answer.headers
    .getSetCookie()
    .map((one) => one.split(';')[0]!)
    .join('; ');
  const { user } = (await answer.json()) as { user: { id: string } };
  const auth = (path: string, body?: object) =>
    fetch(`${product.origin}/api/auth${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { ...headers, cookie },
      body: body && JSON.stringify(body),
      redirect: 'manual',
    });
  const { token } = (await (await auth('/token')).json()) as { token: string };
  const account = async () =>
    json(
      await fetch(`${product.origin}/api/user/account`, { headers: { Authorization: `Bearer ${token}` } }),
    );
  const checkout = () =>
    auth('/subscription/upgrade', { plan: 'premium', successUrl: '/ai', cancelUrl: '/' });
  return { id: user.id, email, password, token, auth, account, checkout };
}

const deliver = (webhook: RequestInit) => fetch(`${product.origin}/api/webhooks/stripe`, webhook);

describe('payment by Stripe', () => {
  it('leads from the checkout by a signed event to the premium plan', async () => {
    const ada = await signUp();
    const answer = await ada.checkout();
    const { url } = (await answer.json()) as { url: string };
    expect([answer.status, url]).toEqual([200, expect.stringContaining(`${stripe.url}/pay/cs_test_`)]);
    const session = [...stripe.sessions.values()].at(-1)!;
    const subscription = stripe.completeCheckout(session.id);
    expect(await ada.account()).toMatchObject({ plan: 'free' });
    const taken = await deliver(stripe.webhook('customer.subscription.created', subscription));
    expect([taken.status, await taken.json()]).toEqual([
      200,
      { success: true, message: 'The event was processed.' },
    ]);
    expect(await ada.account()).toMatchObject({ plan: 'premium' });
  });
});
