import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import type { Identity } from '#libs/accounts/identity.js';
import { Users } from '#libs/accounts/users.js';
import { createDataSource } from '#libs/database/data-source.js';
import type { SocketServer } from '#libs/events/socket-server.js';
import { testDatabase, type TestDatabase } from '../../test/support/database.js';
import { AccountModule } from './account.module.js';

const ada: Identity = {
  ...{ userId: 'ada', sessionId: 's', name: 'Ada', email: 'ada@example.com', imageUrl: null },
  ...{ plans: null, issuedAt: 0, expiresAt: 300 },
};
let database: TestDatabase;
let dataSource: DataSource;
let time: number;
let users: Users;
let isReceiving: boolean;
let listeners: Map<string, (userId: string) => void>;
let module: AccountModule;

beforeAll(async () => {
  database = await testDatabase();
  dataSource = await createDataSource({ url: database.url }).initialize();
  await dataSource.query(
    `INSERT INTO auth_users ("id", "name", "email", "emailVerified") VALUES ('ada', 'Ada', 'ada@example.com', false)`,
  );
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});
beforeEach(async () => {
  [time, isReceiving] = [0, true];
  listeners = new Map();
  users = new Users(dataSource, 'local', () => time);
  const listen = (event: string, listener: (userId: string) => void) => {
    listeners.set(event, listener);
    return () => listeners.delete(event);
  };
  const sockets = {
    get isReceiving() {
      return isReceiving;
    },
    subscribe: listen,
    onEventsMissed: (listener: () => void) => listen('missed', listener),
  };
  module = new AccountModule(sockets as unknown as SocketServer, users);
  module.onModuleInit();
  await dataSource.query('UPDATE users SET suspended_at = NULL');
  await users.ensureUser(ada);
  await dataSource.query('UPDATE users SET suspended_at = now()');
});

it('looks a user up again after two seconds while this process receives no events', async () => {
  time += 2_000;
  await users.ensureUser(ada);
  isReceiving = false;
  await expect(users.ensureUser(ada)).rejects.toMatchObject({ code: 'ACCOUNT_SUSPENDED' });
});

it.each(['user:suspended', 'user:deleted', 'missed'])('forgets a user at the event %j', async (event) => {
  await users.ensureUser(ada);
  listeners.get(event)!('ada');
  await expect(users.ensureUser(ada)).rejects.toMatchObject({ code: 'ACCOUNT_SUSPENDED' });
});

it('stops listening when it is destroyed', () => {
  module.onModuleDestroy();
  expect(listeners.size).toBe(0);
});
