import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { createDataSource } from '#libs/database/data-source.js';
import { row, rows } from '../../../test/support/sql.ts';
import { ClerkService, SECRET_KEY } from '../../../test/support/clerk-service.js';
import { testDatabase, type TestDatabase } from '../../../test/support/database.js';
import { createClerkApi } from './api.js';
import { ClerkSync } from './sync.js';
import { ClerkUsers } from './users.js';

let database: TestDatabase;
let dataSource: DataSource;
let service: ClerkService;
let users: ClerkUsers;
let sync: ClerkSync;
let time: number;
let errors: string[];

beforeEach(async () => {
  [database, service] = await Promise.all([testDatabase(), ClerkService.start()]);
  dataSource = await createDataSource({ url: database.url }).initialize();
  users = new ClerkUsers(dataSource, 'premium');
  [time, errors] = [0, []];
  const api = createClerkApi({ secretKey: SECRET_KEY, apiUrl: service.apiUrl });
  const onError = ({ message }: Error) => errors.push(message);
  sync = new ClerkSync(
    dataSource,
    users,
    api,
    async () => undefined,
    onError,
    () => time,
  );
});
afterEach(async () => {
  await dataSource.destroy();
  await service.stop();
  await database.drop();
});

const seen = (userId: string) =>
  users.ensureUser({
    userId,
    sessionId: 's',
    name: '',
    email: null,
    imageUrl: null,
    plans: null,
    issuedAt: 1,
    expiresAt: 2,
  });
const state = (userId: string) =>
  row<{ failures: number; wait: number; reported: number | null }>(
    dataSource,
    `SELECT failures, extract(epoch FROM run_after - now())::float8 AS wait, reported_usage AS reported
     FROM clerk_users WHERE user_id = $1`,
    [userId],
  );
const makeDue = () => rows(dataSource, `UPDATE clerk_users SET run_after = now()`);
const use = (userId: string, month: string, used: number) =>
  rows(
    dataSource,
    `INSERT INTO credit_balances (user_id, month, granted, balance) VALUES ($1, ${month}, 30, 30 - $2::integer)
     ON CONFLICT (user_id, month) DO UPDATE SET balance = excluded.balance`,
    [userId, used],
  );
const THIS_MONTH = `date_trunc('month', now() AT TIME ZONE 'UTC')::date`;

describe('a pass', () => {
  it('reads users that only a token named, reports this month’s usage, and then stops', async () => {
    const { id, private_metadata } = service.addUser();
    await seen(id);
    await use(id, THIS_MONTH, 3);
    await use(id, `(${THIS_MONTH} - interval '1 month')::date`, 20);
    await sync.pass();
    expect(service.calls).toEqual([`GET /v1/users/${id}`, `PATCH /v1/users/${id}/metadata`]);
    expect(private_metadata).toEqual({ free_usage: 3 });
    await makeDue();
    time += 5_000;
    await sync.pass();
    expect(service.calls).toHaveLength(2);
    for (const used of [4, 5, 6]) await use(id, THIS_MONTH, used);
    time += 5_000;
    await sync.pass();
    expect(service.calls).toHaveLength(3);
    expect(private_metadata).toEqual({ free_usage: 6 });
  });

  it('starts again with the month', async () => {
    const { id, private_metadata } = service.addUser({ private_metadata: { free_usage: 17 } });
    await seen(id);
    await use(id, `(${THIS_MONTH} - interval '1 month')::date`, 17);
    await sync.pass();
    expect(private_metadata).toEqual({ free_usage: 0 });
  });

  it('retries failures with growing delays, and resets the delay after a success', async () => {
    const { id } = service.addUser();
    await seen(id);
    const waits: number[] = [];
    for (const status of [500, 503, 401]) {
      service.refusals.push({ status });
      await makeDue();
      await sync.pass();
      waits.push((await state(id))!.wait);
    }
    expect((await state(id))!.failures).toBe(3);
    expect(waits[0]).toBeLessThan(3);
    expect(waits[2]).toBeGreaterThan(3);
    expect(errors).toEqual([500, 503, 401].map((status) => `Clerk (CLERK_SECRET_KEY) answered ${status}`));
    await makeDue();
    await sync.pass();
    expect(await state(id)).toMatchObject({ failures: 0, reported: 0 });
  });

  it('pauses as long as Clerk says, and does not count that as a failure', async () => {
    const [ada, bob] = [service.addUser(), service.addUser()];
    await seen(ada.id);
    service.refusals.push({ status: 429, retryAfter: 7 });
    await sync.pass();
    await seen(bob.id);
    await makeDue();
    time += 6_900;
    await sync.pass();
    expect(service.calls).toHaveLength(1);
    expect((await state(ada.id))!.failures).toBe(0);
    time += 200;
    await sync.pass();
    expect([ada, bob].map(({ private_metadata }) => private_metadata)).toEqual([
      { free_usage: 0 },
      { free_usage: 0 },
    ]);
  });

  it('ignores users that Clerk does not have', async () => {
    await seen('user_unknown');
    await sync.pass();
    expect(errors).toEqual([]);
    expect(await state('user_unknown')).toMatchObject({ failures: 1, reported: null });
  });

  it('does each task once with several processes', async () => {
    const users = Array.from({ length: 12 }, () => service.addUser());
    for (const { id } of users) await seen(id);
    await Promise.all([1, 2, 3].map(() => sync.pass()));
    expect(service.calls).toHaveLength(24);
  });

  it('deletes Clerk’s user of a deleted account, also after failures, and accepts a missing one', async () => {
    const [ada, bob] = [service.addUser(), service.addUser()];
    for (const { id } of [ada, bob])
      await dataSource.transaction((transaction) => users.recordDeletion(transaction, id, true));
    service.users.delete(bob.id);
    service.refusals.push({ status: 500 }, { status: 500 });
    await sync.pass();
    expect(service.users.has(ada.id)).toBe(true);
    await rows(dataSource, `UPDATE clerk_removals SET run_after = now()`);
    await sync.pass();
    expect(service.users.has(ada.id)).toBe(false);
    expect(await rows(dataSource, `SELECT FROM clerk_removals WHERE user_id IS NOT NULL`)).toEqual([]);
    await expect(seen(ada.id)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });

  it('ends a cancelled plan after its period, even without an event', async () => {
    const { id } = service.addUser();
    const past = Date.now() - 7_200_000;
    await dataSource.transaction((transaction) =>
      users.applyItems(
        transaction,
        id,
        [{ id: 'i', plan: 'premium', status: 'active', periodEnd: null }],
        past,
      ),
    );
    const planOf = async () =>
      (await row<{ plan: string }>(dataSource, `SELECT plan FROM users WHERE id = $1`, [id]))?.plan;
    expect(await planOf()).toBe('premium');
    await rows(
      dataSource,
      `UPDATE clerk_subscription_items SET status = 'canceled', period_end = now() - interval '2 hours'`,
    );
    await sync.pass();
    expect(await planOf()).toBe('free');
  });
});
