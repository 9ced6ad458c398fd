import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { createDataSource } from '#libs/database/data-source.js';
import { configOf } from '../../test/provider/config.js';
import { testDatabase, type TestDatabase } from '../../test/support/database.js';
import { TestClock } from '../../test/support/test-clock.ts';
import { ImageSupport } from './image-support.js';

let home: TestDatabase;
let database: DataSource;
beforeAll(async () => {
  home = await testDatabase();
  database = await createDataSource({ url: home.url }).initialize();
});
afterAll(async () => {
  await database.destroy();
  await home.drop();
});

const logTo = (errors: unknown[]) => ({
  lacking: () => undefined,
  error: (error: unknown) => void errors.push(error),
});

const aiOf = (url: string) => ({
  main: configOf({ url }),
  fallback: null,
  moderationModel: null,
  breaker: { failures: 5, seconds: 10 },
});

it('shares refused operations with processes of the same configuration, for an hour', async () => {
  const clock = new TestClock();
  const errors: unknown[] = [];
  const open = (url: string) => new ImageSupport({ database, ai: aiOf(url), log: logTo(errors), clock });
  const [worker, api, other] = [open('http://a.test'), open('http://a.test'), open('http://b.test')];
  expect([...(await api.read())]).toEqual([]);
  await worker.add('edit');
  await worker.add('edit');
  expect([...worker.known]).toEqual(['edit']);
  expect([...api.known]).toEqual([]);
  expect([...(await api.read()), ...(await other.read())]).toEqual(['edit']);
  expect([...api.known]).toEqual(['edit']);
  await clock.advance(60 * 60_000);
  expect([...(await api.read())]).toEqual([]);
  await worker.replace(['generate']);
  await open('http://a.test').replace([]);
  expect([...(await worker.read())]).toEqual([]);
  expect(errors).toEqual([]);
});

it('goes on with what it knows while the database is away', async () => {
  const errors: unknown[] = [];
  const away = {
    getRepository: () => {
      throw new Error('away');
    },
  } as unknown as DataSource;
  const support = new ImageSupport({
    database: away,
    ai: aiOf('http://a.test'),
    log: logTo(errors),
  });
  await support.add('edit');
  expect([...(await support.read())]).toEqual(['edit']);
  expect(errors).toHaveLength(2);
});
