import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { charge, grantCredits, monthOf, nextMonth, readCredits, refund } from './credits.js';
import { openJobPlatform, type JobPlatform } from '../../test/support/job-platform.ts';

const MONTH = '2026-03-01';
const NOW = new Date('2026-03-17T12:00:00Z');

describe('The credits ledger', () => {
  let platform: JobPlatform;
  beforeAll(async () => {
    platform = await openJobPlatform();
  });
  afterAll(() => platform.close());

  const take = (personId: string, { amount = 1, jobId = randomUUID(), month = MONTH } = {}) =>
    charge(platform.dataSource, { personId, month, amount, jobId });

  async function expectLedger(personId: string, expected: { granted: number; balance: number }) {
    const [month, ...others] = await platform.ledger(personId);
    expect(others).toEqual([]);
    expect(month).toMatchObject(expected);
    expect(month?.sum).toBe(month?.balance);
  }

  it('knows months in UTC', () => {
    expect(monthOf(new Date('2026-03-31T23:59:59.999Z'))).toBe('2026-03-01');
    expect(monthOf(new Date('2026-04-01T00:00:00+02:00'))).toBe('2026-03-01');
    expect(nextMonth('2026-12-01').toISOString()).toBe('2027-01-01T00:00:00.000Z');
  });

  it('grants 30 when they are first needed, and shows them before', async () => {
    const person = await platform.person();
    expect(await readCredits(platform.dataSource, person, 'free', NOW)).toEqual({
      allowance: 30,
      used: 0,
      remaining: 30,
      renewsAt: '2026-04-01T00:00:00.000Z',
    });
    expect(await platform.ledger(person)).toEqual([]);
    expect(await take(person)).toBe(true);
    await expectLedger(person, { granted: 30, balance: 29 });
  });

  // Promise 3, and pitfall: "one credit, two requests at once: minus one, two outputs" (open-saas#727)
  it('takes exactly 30 of 50 charges that come at once, and is never below zero', async () => {
    const person = await platform.person();
    const taken = await Promise.all(Array.from({ length: 50 }, () => take(person)));
    expect(taken.filter(Boolean)).toHaveLength(30);
    await expectLedger(person, { granted: 30, balance: 0 });
  });

  it('makes the month’s grant once, whoever comes first: charges and an operator’s grant at the same time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const person = await platform.person();
      const taken = await Promise.all([
        take(person),
        grantCredits(platform.dataSource, person, 5, 'sorry', NOW),
        take(person),
        take(person),
      ]);
      expect(taken.filter((one) => one === false)).toEqual([]);
      await expectLedger(person, { granted: 35, balance: 32 });
    }
  });

  it('charges more than the balance not at all', async () => {
    const person = await platform.person();
    expect(await take(person, { amount: 31 })).toBe(false);
    expect(await take(person, { amount: 30 })).toBe(true);
    expect(await take(person)).toBe(false);
    await expectLedger(person, { granted: 30, balance: 0 });
  });

  it('charges a job once', async () => {
    const person = await platform.person();
    const jobId = randomUUID();
    expect(await take(person, { jobId })).toBe(true);
    await expect(take(person, { jobId })).rejects.toThrow(/credit_entries_once/);
    await expectLedger(person, { granted: 30, balance: 29 });
  });

  it('refunds a job once, however often it is asked, also at the same time', async () => {
    const person = await platform.person();
    const jobId = randomUUID();
    await take(person, { jobId, amount: 4 });
    await Promise.all(
      Array.from({ length: 8 }, () =>
        refund(platform.dataSource, { personId: person, month: MONTH, amount: 4, jobId }),
      ),
    );
    await expectLedger(person, { granted: 30, balance: 30 });
    expect((await platform.ledger(person))[0]?.kinds).toEqual(['grant', 'charge', 'refund']);
  });

  it('refunds to the month of the charge, and rolls nothing over', async () => {
    const person = await platform.person();
    const jobId = randomUUID();
    await take(person, { jobId, month: '2026-03-01' });
    await take(person, { month: '2026-04-01' });
    await refund(platform.dataSource, { personId: person, month: '2026-03-01', amount: 1, jobId });
    expect(await platform.ledger(person)).toMatchObject([
      { month: '2026-03-01', balance: 30, sum: 30 },
      { month: '2026-04-01', balance: 29, sum: 29 },
    ]);
    const april = await readCredits(platform.dataSource, person, 'free', new Date('2026-04-30T23:00:00Z'));
    expect(april).toMatchObject({ remaining: 29, renewsAt: '2026-05-01T00:00:00.000Z' });
  });

  it('adds an operator’s grant to this month alone', async () => {
    const person = await platform.person();
    await grantCredits(platform.dataSource, person, 12, 'for the trouble', NOW);
    expect(await readCredits(platform.dataSource, person, 'free', NOW)).toMatchObject({
      allowance: 42,
      used: 0,
      remaining: 42,
    });
    expect(await readCredits(platform.dataSource, person, 'free', new Date('2026-04-02Z'))).toMatchObject({
      remaining: 30,
    });
    await expectLedger(person, { granted: 42, balance: 42 });
  });

  it('is unlimited on the premium plan', async () => {
    const person = await platform.person('premium');
    expect(await readCredits(platform.dataSource, person, 'premium', NOW)).toEqual({
      allowance: null,
      used: 0,
      remaining: null,
      renewsAt: null,
    });
  });

  // Pitfall: "a negative cost raised a balance" (LibreChat#2359)
  describe('holds by its CHECK constraints whatever our code tries', () => {
    it.each<[string, (personId: string) => Promise<unknown>]>([
      ['a negative charge', (personId) => take(personId, { amount: -5 })],
      ['a charge of nothing', (personId) => take(personId, { amount: 0 })],
      [
        'a negative refund',
        (personId) =>
          refund(platform.dataSource, { personId, month: MONTH, amount: -5, jobId: randomUUID() }),
      ],
      ['a negative grant', (personId) => grantCredits(platform.dataSource, personId, -5, 'no', NOW)],
      [
        'a refund of more than was granted',
        (personId) =>
          refund(platform.dataSource, { personId, month: MONTH, amount: 50, jobId: randomUUID() }),
      ],
      [
        'a balance below zero',
        (personId) =>
          platform.sql('UPDATE credit_balances SET balance = -1 WHERE person_id = $1', [personId]),
      ],
      [
        'a balance over the grant',
        (personId) =>
          platform.sql('UPDATE credit_balances SET balance = 31 WHERE person_id = $1', [personId]),
      ],
      [
        'a job that costs less than nothing',
        async (personId) =>
          platform.sql('UPDATE jobs SET credits = -1 WHERE id = $1', [(await platform.submit(personId)).id]),
      ],
    ])('%s', async (_, attempt) => {
      const person = await platform.person();
      await take(person, { amount: 10 });
      await expect(attempt(person)).rejects.toThrow(/check constraint/);
      expect((await platform.ledger(person)).find(({ month }) => month === MONTH)).toMatchObject({
        granted: 30,
        balance: 20,
        sum: 20,
      });
    });
  });
});
