import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { createDataSource } from '#libs/database/data-source.js';
import { testDatabase, type TestDatabase } from '../../test/support/database.ts';
import { until } from '../../test/support/until.ts';
import { ModerationNotices } from './moderation-notices.js';

let database: TestDatabase;
let dataSource: DataSource;
beforeAll(async () => {
  database = await testDatabase();
  dataSource = await createDataSource({ url: database.url }).initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

const isDue = async () =>
  (await dataSource.query<{ due: boolean }[]>('SELECT is_notice_due AS due FROM creation_moderations'))[0]!
    .due;

it('sends a mail again that the mail server did not take, for a day', async () => {
  await dataSource.query(`
    INSERT INTO users (id, name, email, plan) VALUES ('ada', 'Ada', 'ada@example.com', 'free');
    INSERT INTO creations (id, user_id, tool, type, prompt, content, engine)
      VALUES ('00000000-0000-4000-8000-000000000001', 'ada', 'generate-image', 'image', 'a fox', '/files/1', 'offline');
    INSERT INTO creation_moderations (creation_id, state, cause, is_wanted, content_hash, is_notice_due)
      VALUES ('00000000-0000-4000-8000-000000000001', 'hidden', 'operator', true, '', true)`);
  const sent: string[] = [];
  let isTaken = false;
  const mailer = {
    deliver: async (_: string, { to }: { to: string }) => {
      sent.push(to);
      return isTaken;
    },
  };
  const errors: Error[] = [];
  const notices = new ModerationNotices(dataSource, mailer, 'https://pressroom.example.com', (error) =>
    errors.push(error),
  );
  await notices.pass();
  await until('the mail to be due again', isDue);
  isTaken = true;
  await notices.pass();
  await notices.pass();
  expect([sent, await isDue()]).toEqual([['ada@example.com', 'ada@example.com'], false]);

  isTaken = false;
  await dataSource.query(
    `UPDATE creation_moderations SET is_notice_due = true, changed_at = now() - interval '2 days'`,
  );
  await notices.pass();
  await notices.pass();
  expect([sent.length, await isDue(), errors]).toEqual([3, false, []]);
});
