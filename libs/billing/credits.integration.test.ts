import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chargeCredits, grantCredits, monthOf, nextMonth, readCredits, refundCredits } from './credits.js';
import { openJobPlatform, type JobPlatform } from '../../test/support/job-platform.ts';

const MONTH = '2026-03-01';
const NOW = new Date('2026-03-17T12:00:00Z');

describe('The credits ledger', () => {
  let platform: JobPlatform;
  beforeAll(async () => {
    platform = await openJobPlatform();
  });
  afterAll(() => platform.close());

  const take = (userId: string, { amount = 1, jobId = randomUUID(), month = MONTH } = {}) =>
    chargeCredits(platform.dataSource, { userId, month, amount, jobId });

  async function expectLedger(userId: string, expected: { granted: number; balance: number }) {
    const [month, ...others] = await platform.ledger(userId);
    expect(others).toEqual([]);
    expect(month).toMatchObject(expected);
    expect(month?.sum).toBe(month?.balance);
  }

  it('knows months in UTC', () => {
    expect(monthOf(new Date('2026-03-31T23:59:59.999Z'))).toBe('2026-03-01');
    expect(monthOf(new Date('2026-04-01T00:00:00+02:00'))).toBe('2026-03-01');
    expect(nextMonth('2026-12-01').toISOString()).toBe('2027-01-01T00:00:00.000Z');
  });

  it('grants 30 at the first use, and shows them before', async () => {
    const user = await platform.user();
    expect(await readCredits(platform.dataSource, user, 'free', NOW)).toEqual({
      allowance: 30,
      used: 0,
      remaining: 30,
      renewsAt: '2026-04-01T00:00:00.000Z',
    });
    expect(await platform.ledger(user)).toEqual([]);
    expect(await take(user)).toBe(true);
    await expectLedger(user, { granted: 30, balance: 29 });
  });

  // Prevents a bug of open-saas (#727): with one credit, two concurrent requests both succeeded, and the balance
  // was -1.
  it('accepts exactly 30 of 50 simultaneous charges, and is never below zero', async () => {
    const user = await platform.user();
    const taken = await Promise.all(Array.from({ length: 50 }, () => take(user)));
    expect(taken.filter(Boolean)).toHaveLength(30);
    await expectLedger(user, { granted: 30, balance: 0 });
  });

  it('creates the month’s grant once for simultaneous charges and an operator’s grant', async () => {
    for (let round = 0; round < 10; round += 1) {
      const user = await platform.user();
      const taken = await Promise.all([
        take(user),
        grantCredits(platform.dataSource, user, 5, 'sorry', NOW),
        take(user),
        take(user),
      ]);
      expect(taken.filter((one) => one === false)).toEqual([]);
      await expectLedger(user, { granted: 35, balance: 32 });
    }
  });

  it('refuses a charge above the balance as a whole', async () => {
    const user = await platform.user();
    expect(await take(user, { amount: 31 })).toBe(false);
    expect(await take(user, { amount: 30 })).toBe(true);
    expect(await take(user)).toBe(false);
    await expectLedger(user, { granted: 30, balance: 0 });
  });

  it('charges a job once', async () => {
    const user = await platform.user();
    const jobId = randomUUID();
    expect(await take(user, { jobId })).toBe(true);
    await expect(take(user, { jobId })).rejects.toThrow(/credit_entries_once/);
    await expectLedger(user, { granted: 30, balance: 29 });
  });

  it('refunds a job once, even with repeated and simultaneous calls', async () => {
    const user = await platform.user();
    const jobId = randomUUID();
    await take(user, { jobId, amount: 4 });
    await Promise.all(
      Array.from({ length: 8 }, () =>
        refundCredits(platform.dataSource, {
          userId: user,
          month: MONTH,
          amount: 4,
          jobId,
          note: 'It failed.',
        }),
      ),
    );
    await expectLedger(user, { granted: 30, balance: 30 });
    expect((await platform.ledger(user))[0]?.kinds).toEqual(['grant', 'charge', 'refund']);
  });

  it('refunds to the month of the charge, without carrying credits over', async () => {
    const user = await platform.user();
    const jobId = randomUUID();
    await take(user, { jobId, month: '2026-03-01' });
    await take(user, { month: '2026-04-01' });
    await refundCredits(platform.dataSource, {
      userId: user,
      month: '2026-03-01',
      amount: 1,
      jobId,
      note: 'It failed.',
    });
    expect(await platform.ledger(user)).toMatchObject([
      { month: '2026-03-01', balance: 30, sum: 30 },
      { month: '2026-04-01', balance: 29, sum: 29 },
    ]);
    const april = await readCredits(platform.dataSource, user, 'free', new Date('2026-04-30T23:00:00Z'));
    expect(april).toMatchObject({ remaining: 29, renewsAt: '2026-05-01T00:00:00.000Z' });
  });

  it('adds an operator’s grant to this month only', async () => {
    const user = await platform.user();
    await grantCredits(platform.dataSource, user, 12, 'for the trouble', NOW);
    expect(await readCredits(platform.dataSource, user, 'free', NOW)).toMatchObject({
      allowance: 42,
      used: 0,
      remaining: 42,
    });
    expect(await readCredits(platform.dataSource, user, 'free', new Date('2026-04-02Z'))).toMatchObject({
      remaining: 30,
    });
    await expectLedger(user, { granted: 42, balance: 42 });
  });

  it('is unlimited on the premium plan', async () => {
    const user = await platform.user('premium');
    expect(await readCredits(platform.dataSource, user, 'premium', NOW)).toEqual({
      allowance: null,
      used: 0,
      remaining: null,
      renewsAt: null,
    });
  });

  // Prevents a bug of LibreChat (#2359): a negative price increased the balance.
  describe('is protected by CHECK constraints against', () => {
    it.each<[string, (userId: string) => Promise<unknown>]>([
      ['a negative charge', (userId) => take(userId, { amount: -5 })],
      ['a charge of nothing', (userId) => take(userId, { amount: 0 })],
      [
        'a negative refund',
        (userId) =>
          refundCredits(platform.dataSource, {
            userId,
            month: MONTH,
            amount: -5,
            jobId: randomUUID(),
            note: 'x',
          }),
      ],
      ['a negative grant', (userId) => grantCredits(platform.dataSource, userId, -5, 'no', NOW)],
      [
        'a refund of more than was granted',
        (userId) =>
          refundCredits(platform.dataSource, {
            userId,
            month: MONTH,
            amount: 50,
            jobId: randomUUID(),
            note: 'x',
          }),
      ],
      [
        'a balance below zero',
        (userId) => platform.sql('UPDATE credit_balances SET balance = -1 WHERE user_id = $1', [userId]),
      ],
      [
        'a balance over the grant',
        (userId) => platform.sql('UPDATE credit_balances SET balance = 31 WHERE user_id = $1', [userId]),
      ],
      [
        'a negative cost',
        async (userId) =>
          platform.sql('UPDATE jobs SET credits = -1 WHERE id = $1', [(await platform.submit(userId)).id]),
      ],
    ])('%s', async (_, attempt) => {
      const user = await platform.user();
      await take(user, { amount: 10 });
      await expect(attempt(user)).rejects.toThrow(/check constraint/);
      expect((await platform.ledger(user)).find(({ month }) => month === MONTH)).toMatchObject({
        granted: 30,
        balance: 20,
        sum: 20,
      });
    });
  });
});
