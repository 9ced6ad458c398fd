import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { createDataSource } from '#libs/database/data-source.js';
import type { Delivery } from '#libs/mail/mailer.js';
import { testDatabase, type TestDatabase } from '../../test/support/database.ts';
import { until } from '../../test/support/until.ts';
import { ModerationNotices } from './moderation-notices.js';

let database: TestDatabase;
let dataSource: DataSource;
beforeAll(async () => {
  database = await testDatabase();
  // One connection runs the statements of mails in the background before those that follow in the test.
  dataSource = await createDataSource({ url: database.url, poolSize: 1 }).initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});

const isDue = async () =>
  (await dataSource.query<{ due: boolean }[]>('SELECT is_notice_due AS due FROM creation_moderations'))[0]!
    .due;

const pass15Minutes = () =>
  dataSource.query(`UPDATE creation_moderations SET notice_after = notice_after - interval '15 minutes'`);

it('sends a mail again that the mail server did not take, after 15 minutes, for a day', async () => {
  await dataSource.query(`
    INSERT INTO users (id, name, email, plan) VALUES ('ada', 'Ada', 'ada@example.com', 'free');
    INSERT INTO creations (id, user_id, tool, type, prompt, content, engine)
      VALUES ('00000000-0000-4000-8000-000000000001', 'ada', 'generate-image', 'image', 'a fox', '/files/1', 'offline');
    INSERT INTO creation_moderations (creation_id, state, cause, is_wanted, content_hash, is_notice_due)
      VALUES ('00000000-0000-4000-8000-000000000001', 'hidden', 'operator', true, '', true)`);
  const sent: string[] = [];
  const texts: string[] = [];
  let delivery: Delivery = 'failed';
  let whileSent = async () => {};
  const mailer = {
    deliver: async (_: string, { to, text }: { to: string; text: string }) => {
      sent.push(to);
      texts.push(text);
      await whileSent();
      return delivery;
    },
  };
  const errors: Error[] = [];
  const notices = new ModerationNotices(dataSource, mailer, 'https://pressroom.example.com', (error) =>
    errors.push(error),
  );
  await notices.pass();
  await until('the mail to be due again', isDue);
  delivery = 'sent';
  await notices.pass();
  expect(sent).toHaveLength(1);
  await pass15Minutes();
  await notices.pass();
  await notices.pass();
  expect([sent, await isDue()]).toEqual([['ada@example.com', 'ada@example.com'], false]);

  // A mail that is refused for good.
  delivery = 'refused';
  await dataSource.query(`UPDATE creation_moderations SET is_notice_due = true, notice_after = NULL`);
  await notices.pass();
  await new Promise(setImmediate);
  expect([sent.length, await isDue()]).toEqual([3, false]);

  delivery = 'failed';
  // Another decision while a mail is sent, about which the owner has a mail already.
  whileSent = () =>
    dataSource.query(`UPDATE creation_moderations SET changed_at = now() + interval '1 second'`);
  await dataSource.query(`UPDATE creation_moderations SET is_notice_due = true`);
  await notices.pass();
  expect(sent).toHaveLength(4);
  whileSent = async () => {};
  await dataSource.query(
    `UPDATE creation_moderations SET is_notice_due = true, changed_at = now() - interval '2 days'`,
  );
  await notices.pass();
  await notices.pass();
  expect([sent.length, await isDue(), errors]).toEqual([5, false, []]);
  expect(texts.at(-1)).toContain('You can answer once');

  delivery = 'sent';
  await dataSource.query(
    `UPDATE creation_moderations SET is_notice_due = true, notice_after = NULL, appealed_at = now(), answered_at = now()`,
  );
  await notices.pass();
  expect(texts.at(-1)).toContain('decided about your answer');
  expect(texts.at(-1)).not.toContain('You can answer once');
});
