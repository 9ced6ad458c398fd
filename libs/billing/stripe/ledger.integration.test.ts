import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type Stripe from 'stripe';
import { AppError } from '#libs/contract/errors.js';
import type { JobEntity } from '#libs/database/entities/jobs.js';
import { openJobPlatform, type JobPlatform } from '../../../test/support/job-platform.ts';
import { random } from '../../../test/support/random.ts';
import { PRICE, StripeService } from '../../../test/support/stripe-service.ts';
import { allowTimeForPrograms } from '../../../test/support/time-limits.ts';
import { createStripe } from './client.js';
import { StripeSubscriptions } from './subscriptions.js';

allowTimeForPrograms();

const OPERATIONS = 1_000;
const AT_ONCE = 8;
const USERS = 4;
const SEED = 20_260_101;

let platform: JobPlatform;
let service: StripeService;
let stripe: Stripe;
let subscriptions: StripeSubscriptions;

beforeAll(async () => {
  platform = await openJobPlatform();
  service = await StripeService.start();
  const { STRIPE_SECRET_KEY: secretKey } = service.variables;
  stripe = await createStripe({ secretKey: secretKey!, apiUrl: service.url });
  subscriptions = new StripeSubscriptions(platform.dataSource, stripe, { priceId: PRICE, graceDays: 7 });
});
afterAll(async () => {
  await platform.close();
  await service.stop();
});

interface Customer {
  userId: string;
  customerId: string;
  jobs: JobEntity[];
  cancelled: Set<string>;
  subscription: ReturnType<StripeService['addSubscription']> | null;
}

async function addCustomer(): Promise<Customer> {
  const userId = await platform.user();
  const { id: customerId } = await stripe.customers.create({ email: `${userId}@example.com` });
  await platform.sql(
    `INSERT INTO auth_users ("id", "name", "email", "emailVerified", "stripeCustomerId")
     VALUES ($1, 'Ada', $2, false, $3)`,
    [userId, `${userId}@example.com`, customerId],
  );
  return { userId, customerId, jobs: [], cancelled: new Set(), subscription: null };
}

it(`keeps each balance equal to its ledger in ${OPERATIONS} random charges, refunds, renewals and doubled events`, async () => {
  const next = random(SEED);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
  const customers = await Promise.all(Array.from({ length: USERS }, addCustomer));
  const counts = { charges: 0, refusals: 0, refunds: 0, events: 0, months: 0 };

  const charge = async (customer: Customer) => {
    try {
      customer.jobs.push(
        await platform.submission.submit({
          userId: customer.userId,
          tool: 'generate-article',
          input: { prompt: 'Rivers', length: 800 },
        }),
      );
      counts.charges += 1;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'INSUFFICIENT_CREDITS') throw error;
      counts.refusals += 1;
    }
  };
  /** Cancels a job, twice at once. */
  const refund = async (customer: Customer, job: JobEntity | undefined) => {
    if (!job) return;
    await Promise.all([1, 2].map(() => platform.lifecycle.cancel(customer.userId, job.id)));
    customer.cancelled.add(job.id);
    counts.refunds += 1;
  };
  /** Changes the subscription at Stripe; its event arrives twice at once. */
  const pay = async (customer: Customer, choice: number) => {
    const { subscription } = customer;
    if (!subscription || subscription.status === 'canceled')
      customer.subscription = service.addSubscription(customer.customerId, {
        metadata: { referenceId: customer.userId },
      });
    else if (choice < 0.5) service.end(subscription);
    else if (choice < 0.7) service.renew(subscription, false);
    else service.renew(subscription);
    counts.events += 2;
    await Promise.all([1, 2].map(() => subscriptions.sync(customer.userId)));
  };

  platform.setTime('2026-01-10T12:00:00Z');
  for (let done = 0; done < OPERATIONS; done += AT_ONCE) {
    if (done > 0 && done % 496 === 0) {
      counts.months += 1;
      platform.setTime(`2026-0${1 + counts.months}-10T12:00:00Z`);
    }
    await Promise.all(
      Array.from({ length: Math.min(AT_ONCE, OPERATIONS - done) }, () => {
        const [customer, kind, choice] = [pick(customers), next(), next()];
        // The first customer never pays, so charges are refused.
        if (kind < 0.65 || (kind >= 0.77 && customer === customers[0])) return charge(customer);
        if (kind < 0.77) return refund(customer, customer.jobs[Math.floor(choice * customer.jobs.length)]);
        return pay(customer, choice);
      }),
    );
  }

  for (const { userId, jobs, cancelled, subscription } of customers) {
    await subscriptions.sync(userId);
    const months = await platform.ledger(userId);
    for (const { month, granted, balance, sum } of months) {
      const kept = jobs.filter(
        ({ id, chargeMonth, credits }) => chargeMonth === month && credits > 0 && !cancelled.has(id),
      );
      const spent = kept.reduce((total, { credits }) => total + credits, 0);
      expect({ month, granted, balance, sum }).toEqual({
        month,
        granted: 30,
        balance: 30 - spent,
        sum: 30 - spent,
      });
    }
    const paid = subscription !== null && subscription.status !== 'canceled';
    const plans = await platform.sql<{ plan: string }>(
      `SELECT plan FROM plan_changes WHERE user_id = $1 ORDER BY id`,
      [userId],
    );
    // Each change was recorded once: the recorded plans alternate, and the last one is the user's.
    expect(plans.map(({ plan }) => plan)).toEqual(plans.map((_, n) => (n % 2 === 0 ? 'premium' : 'free')));
    const [user] = await platform.sql<{ plan: string }>(`SELECT plan FROM users WHERE id = $1`, [userId]);
    expect(user!.plan).toBe(paid ? 'premium' : 'free');
    expect(plans.at(-1)?.plan ?? 'free').toBe(user!.plan);
  }
  expect(counts.months).toBe(2);
  for (const [name, atLeast] of Object.entries({ charges: 300, refusals: 20, refunds: 100, events: 200 }))
    expect(`${name} ${counts[name as 'charges'] >= atLeast}`).toBe(`${name} true`);
});
