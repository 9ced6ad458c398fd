import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Receipt } from '#libs/contract/usage.js';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { random } from '../support/random.ts';
import { StripeService } from '../support/stripe-service.ts';
import { allowTimeForPrograms } from '../support/time-limits.ts';
import { until } from '../support/until.ts';
import { RunningProduct, type User } from './running-product.ts';

allowTimeForPrograms();

const OPERATIONS = 1_000;
const AT_ONCE = 8;
const USERS = 6;
const SEED = 20_260_102;

interface Customer {
  user: User;
  customerId: string;
  /** Ids of accepted jobs. */
  jobs: string[];
  subscription: ReturnType<StripeService['addSubscription']> | null;
}

let database: TestDatabase;
let stripe: StripeService;
let product: RunningProduct;
const ports = ['', ''];

beforeAll(async () => {
  [database, stripe] = await Promise.all([testDatabase(), StripeService.start()]);
  const variables = { ...stripe.variables, PRICES: '{"grants":{"free":1000}}', UNFINISHED_JOBS: '1000' };
  product = await RunningProduct.start({ databaseUrl: database.url, variables }, { apis: 2, workers: 2 });
  product.apis.forEach(({ address }, index) => (ports[index] = new URL(address).port));
});
afterAll(async () => {
  await product?.close();
  await stripe?.stop();
  await database?.drop();
});

async function addCustomer(): Promise<Customer> {
  const user = await product.user();
  const { id } = stripe.addCustomer();
  await product.sql(`UPDATE auth_users SET "stripeCustomerId" = '${id}' WHERE "id" = '${user.id}'`);
  return { user, customerId: id, jobs: [], subscription: null };
}

/** Repeats a call until a program answers it. */
async function insist<T extends { status: number }>(call: (api: number) => Promise<T>): Promise<T> {
  for (let tries = 0; tries < 200; tries += 1) {
    const answer = await call(tries % 2).catch(() => null);
    if (answer && answer.status < 500) return answer;
    // The client's own pause before it tries again.
    await pause(50);
  }
  throw new Error('No api answered.');
}

async function receiptsOf(user: User, month: string): Promise<Receipt[]> {
  const receipts: Receipt[] = [];
  let cursor = '';
  do {
    const { body } = await user.call(`/api/user/receipts?month=${month}&limit=100${cursor}`);
    receipts.push(...(body['receipts'] as Receipt[]));
    cursor = body['nextCursor'] ? `&cursor=${encodeURIComponent(body['nextCursor'] as string)}` : '';
  } while (cursor);
  return receipts;
}

it(`keeps every receipt equal to the ledger in ${OPERATIONS} random operations while programs are killed`, async () => {
  const next = random(SEED);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
  const customers = await Promise.all(Array.from({ length: USERS }, addCustomer));
  const counts = { charges: 0, cancellations: 0, events: 0, kills: 0 };

  const charge = async ({ user, jobs }: Customer, marker = '') => {
    const headers = { 'Idempotency-Key': randomUUID(), Prefer: 'respond-async' };
    const prompt = `Rivers ${randomUUID()}${marker}`;
    const { status, body } = await insist((api) => user.write(prompt, { api: product.apis[api]!, headers }));
    if (status !== 202 && status !== 200) throw new Error(JSON.stringify(body));
    const id = body.jobId ?? body.job.id;
    jobs.push(id);
    counts.charges += 1;
    return id;
  };
  /** Cancels a job that takes long, twice at once. */
  const cancel = async (customer: Customer) => {
    const { user } = customer;
    const job = await charge(customer, ' [[pace:500]]');
    const call = (api: number) =>
      user.call(`/api/jobs/${job}`, { method: 'DELETE', api: product.apis[api]! });
    const answers = await Promise.all([1, 2].map(() => insist(call)));
    if (answers.some(({ status }) => status === 200)) counts.cancellations += 1;
  };
  /** Changes the subscription at Stripe, which sends the event twice, and again until it is processed. */
  const pay = async (customer: Customer, choice: number) => {
    const { subscription, customerId, user } = customer;
    if (!subscription || subscription.status === 'canceled')
      customer.subscription = stripe.addSubscription(customerId, { metadata: { referenceId: user.id } });
    else if (choice < 0.6) stripe.end(subscription);
    else stripe.renew(subscription, choice > 0.75);
    const event = stripe.webhook('customer.subscription.updated', customer.subscription!);
    const answers = await Promise.all(
      [0, 1].map((first) =>
        insist((api) => fetch(`${product.apis[(first + api) % 2]!.address}/api/webhooks/stripe`, event)),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    counts.events += 2;
  };

  let isOver = false;
  const killing = (async () => {
    for (let turn = 0; !isOver; turn += 1) {
      await pause(1_000 + next() * 2_000);
      counts.kills += 1;
      const index = turn % 2;
      if (turn % 3 === 2) {
        await product.workers.shift()!.kill('SIGKILL');
        product.startWorker();
        continue;
      }
      await product.apis[index]!.kill('SIGKILL');
      await product.startApi({ PORT: ports[index] });
      product.apis.splice(index, 1, product.apis.pop()!);
    }
  })();
  let left = OPERATIONS;
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      while (left-- > 0) {
        const [customer, kind, choice] = [pick(customers), next(), next()];
        if (kind < 0.65) await charge(customer, choice < 0.2 ? ' [[400]]' : '');
        else if (kind < 0.77) await cancel(customer);
        else await pay(customer, choice);
      }
    }),
  );
  isOver = true;
  await killing;
  await until(
    'every job to end',
    async () => (await product.sql(`SELECT FROM jobs WHERE status IN ('queued', 'running')`)).length === 0,
    { seconds: 240 },
  );

  let refunds = 0;
  for (const { user, jobs, subscription } of customers) {
    const stored = await product.sql<{ id: string; isCharged: boolean; isRefunded: boolean }>(
      `SELECT id, charge_month IS NOT NULL AS "isCharged", status <> 'succeeded' AS "isRefunded"
       FROM jobs WHERE user_id = '${user.id}'`,
    );
    expect(stored.map(({ id }) => id).sort()).toEqual([...jobs].sort());
    const months = await product.sql<{ month: string; granted: number; balance: number; sum: number }>(
      `SELECT to_char(month, 'YYYY-MM') AS month, granted, balance,
         (SELECT sum(amount)::integer FROM credit_entries e WHERE e.user_id = b.user_id AND e.month = b.month) AS sum
       FROM credit_balances b WHERE user_id = '${user.id}'`,
    );
    const receipts: Receipt[] = [];
    for (const { month, granted, balance, sum } of months) {
      const ofMonth = await receiptsOf(user, month);
      receipts.push(...ofMonth);
      const spent = ofMonth.reduce((total, { charged, refunded }) => total + charged - refunded, 0);
      expect({ month, balance, sum }).toEqual({ month, balance: granted - spent, sum: granted - spent });
    }
    // A job of a premium user has a receipt too, without a charge.
    const expected = stored.map(({ id, isCharged, isRefunded }) => ({
      id,
      charged: isCharged ? 1 : 0,
      refunded: isCharged && isRefunded ? 1 : 0,
    }));
    const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);
    expect(
      receipts.map(({ jobId, charged, refunded }) => ({ id: jobId, charged, refunded })).sort(byId),
    ).toEqual(expected.sort(byId));
    refunds += expected.filter(({ refunded }) => refunded > 0).length;

    const plans = await product.sql<{ plan: string }>(
      `SELECT plan FROM plan_changes WHERE user_id = '${user.id}' ORDER BY id`,
    );
    // Each change was recorded once.
    expect(plans.map(({ plan }) => plan)).toEqual(plans.map((_, n) => (n % 2 === 0 ? 'premium' : 'free')));
    const paid = subscription !== null && subscription.status !== 'canceled';
    expect((await user.account()).plan).toBe(paid ? 'premium' : 'free');
  }
  const atLeast = { charges: 500, cancellations: 80, events: 300, kills: 6 };
  for (const [name, count] of Object.entries(atLeast))
    expect(`${name} ${counts[name as keyof typeof atLeast] >= count}`).toBe(`${name} true`);
  expect(refunds).toBeGreaterThan(50);
});
