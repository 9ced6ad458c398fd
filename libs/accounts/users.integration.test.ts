import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { createDataSource } from '#libs/database/data-source.js';
import { row } from '../../test/support/sql.ts';
import { until } from '../../test/support/until.ts';
import { testDatabase, type TestDatabase } from '../../test/support/database.js';
import type { Identity } from './identity.js';
import { Users } from './users.js';

let database: TestDatabase;
let dataSource: DataSource;
let time: number;
let users: Users;

beforeAll(async () => {
  database = await testDatabase();
  dataSource = await createDataSource({ url: database.url }).initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});
beforeEach(async () => {
  time = 0;
  users = new Users(dataSource, 'local', () => time);
  await dataSource.query('DELETE FROM users');
  await dataSource.query('DELETE FROM auth_users');
  await addUser('ada', 'ada@example.com');
});

const addUser = (id: string, email: string) =>
  dataSource.query(
    `INSERT INTO auth_users ("id", "name", "email", "emailVerified") VALUES ($1, 'Ada', $2, false)`,
    [id, email],
  );
const ada = (changes: Partial<Identity> = {}): Identity => ({
  userId: 'ada',
  sessionId: 's',
  name: 'Ada',
  email: 'ada@example.com',
  imageUrl: null,
  plans: null,
  issuedAt: 0,
  expiresAt: 300,
  ...changes,
});
const somebodyWaits = () =>
  row(
    dataSource,
    `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
  );
const stored = () => row<Record<string, unknown>>(dataSource, `SELECT * FROM users WHERE id = 'ada'`);

describe('ensureUser', () => {
  it('creates the row at the first call, with any number of simultaneous calls', async () => {
    await Promise.all([1, 2, 3, 4].map(() => users.ensureUser(ada())));
    expect(await stored()).toMatchObject({
      name: 'Ada',
      email: 'ada@example.com',
      plan: 'free',
      role: 'person',
    });
  });

  it('copies a new name at once, and does not change plan and role', async () => {
    await users.ensureUser(ada());
    await dataSource.query(`UPDATE users SET plan = 'premium', role = 'admin'`);
    await dataSource.query(`UPDATE auth_users SET "name" = 'Ada L.', "image" = 'https://example.com/a.png'`);
    await users.ensureUser(ada({ name: 'Ada L.' }));
    expect(await stored()).toMatchObject({
      name: 'Ada L.',
      image_url: 'https://example.com/a.png',
      plan: 'premium',
      role: 'admin',
    });
  });

  it('uses the account, not the older claims of a token', async () => {
    await users.ensureUser(ada({ name: 'Ada before she married', email: 'old@example.com' }));
    expect(await stored()).toMatchObject({ name: 'Ada', email: 'ada@example.com' });
  });

  it('runs no statement for a recent user', async () => {
    await users.ensureUser(ada());
    await dataSource.query('DELETE FROM users');
    await users.ensureUser(ada());
    expect(await stored()).toBeUndefined();
    time += 31_000;
    await users.ensureUser(ada());
    expect(await stored()).toMatchObject({ id: 'ada' });
  });

  it('notices a suspension within two seconds while its event cannot arrive', async () => {
    let isReceiving = true;
    users.receiveEventsWhile(() => isReceiving);
    await users.ensureUser(ada());
    await dataSource.query(`UPDATE users SET suspended_at = now()`);
    time += 2_000;
    await users.ensureUser(ada());
    isReceiving = false;
    await expect(users.ensureUser(ada())).rejects.toMatchObject({ code: 'ACCOUNT_SUSPENDED' });
  });

  it('refuses a user whose account was deleted while the token was valid', async () => {
    await users.ensureUser(ada());
    await dataSource.query('DELETE FROM users');
    await dataSource.query('DELETE FROM auth_users');
    users.forget('ada');
    await expect(users.ensureUser(ada())).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(await stored()).toBeUndefined();
  });

  // Regression: a call that had waited for the deletion created the row again.
  it.each(['known', 'new'])('does not bring back a %s user who is being deleted', async (state) => {
    if (state === 'known') await users.ensureUser(ada());
    const answer = await dataSource.transaction(async (transaction) => {
      await transaction.query(`SELECT FROM users WHERE id = 'ada' FOR UPDATE`);
      await transaction.query(`DELETE FROM auth_users WHERE "id" = 'ada'`);
      await transaction.query(`DELETE FROM users WHERE id = 'ada'`);
      const call = users.refresh('ada').then(
        () => 'written',
        (error: { code: string }) => error.code,
      );
      await until('the call to wait', somebodyWaits);
      return { call };
    });
    expect(await answer.call).toBe('UNAUTHENTICATED');
    expect(await stored()).toBeUndefined();
  });

  it('lets a hosted provider do it, and reports changes', async () => {
    const changed: string[] = [];
    const seen: (string[] | null)[] = [];
    const hosted = {
      ensureUser: async ({ plans }: Identity) => {
        seen.push(plans);
        return plans?.includes('premium') ?? false;
      },
    };
    const those = new Users(
      dataSource,
      hosted,
      () => time,
      async (id) => void changed.push(id),
    );
    const user = (plans: string[]) => ada({ userId: 'user_hosted', plans });
    await those.ensureUser(user(['free_user']));
    await those.ensureUser(user(['free_user']));
    await those.ensureUser(user(['premium']));
    expect(seen).toEqual([['free_user'], ['premium']]);
    expect(changed).toEqual(['user_hosted']);
  });
});

describe('findUser and setPlan', () => {
  it('find by id and by email in any case', async () => {
    await users.ensureUser(ada());
    await expect(users.findUser('ada')).resolves.toMatchObject({ id: 'ada' });
    await expect(users.findUser('ADA@example.com')).resolves.toMatchObject({ id: 'ada', plan: 'free' });
  });

  it('create the row of a user who signed up and never called', async () => {
    await expect(users.setPlan('ada@example.com', 'premium')).resolves.toEqual({
      id: 'ada',
      name: 'Ada',
      email: 'ada@example.com',
      imageUrl: null,
      plan: 'premium',
      role: 'person',
    });
    await users.ensureUser(ada());
    expect(await stored()).toMatchObject({ plan: 'premium' });
  });

  it('set the role', async () => {
    await expect(users.setRole('ada', 'admin')).resolves.toMatchObject({ role: 'admin' });
  });

  it('refuse an unknown user, and an email of several users', async () => {
    await expect(users.findUser('nobody@example.com')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await dataSource.query(
      `INSERT INTO users (id, name, email) VALUES ('x', 'X', 'b@c.de'), ('y', 'Y', 'B@c.de')`,
    );
    await expect(users.setPlan('b@c.de', 'premium')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    await expect(users.setPlan('x', 'premium')).resolves.toMatchObject({ id: 'x' });
  });
});
