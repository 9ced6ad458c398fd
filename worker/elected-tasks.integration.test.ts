import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { createDataSource } from '#libs/database/data-source.js';
import { testDatabase, type TestDatabase } from '../test/support/database.ts';
import { rows } from '../test/support/sql.ts';
import { until } from '../test/support/until.ts';
import { TestClock } from '../test/support/test-clock.ts';
import { ElectedTasks } from './elected-tasks.js';

let database: TestDatabase;
let dataSource: DataSource;
const started: ElectedTasks[] = [];

beforeAll(async () => {
  database = await testDatabase();
  dataSource = await createDataSource({ url: database.url }).initialize();
});
afterAll(async () => {
  await dataSource.destroy();
  await database.drop();
});
afterEach(async () => {
  await Promise.all(started.splice(0).map((tasks) => tasks.stop()));
  await dataSource.query('DELETE FROM maintenance_leader');
  await dataSource.query('DELETE FROM maintenance_tasks');
});

function worker(id: string, task: () => Promise<void> = async () => undefined) {
  const clock = new TestClock();
  const errors: string[] = [];
  const tasks = new ElectedTasks({
    database: dataSource,
    clock,
    id,
    onError: ({ message }) => errors.push(message),
  });
  const counts = { often: 0, hourly: 0 };
  tasks.add('often', 3_000, async () => {
    counts.often += 1;
    await task();
  });
  tasks.add('hourly', 3_600_000, async () => void (counts.hourly += 1));
  tasks.start();
  started.push(tasks);
  /** Advances by a second and waits for the statements. */
  const second = async () => {
    await clock.advance(1_000);
    await tasks.election;
  };
  return { tasks, counts, second, errors, clock };
}

it('run in one worker only, at their intervals', async () => {
  const first = worker('first');
  await first.tasks.election;
  const other = worker('other');
  for (let n = 0; n < 12; n += 1) await Promise.all([first.second(), other.second()]);
  expect(first.counts).toEqual({ often: 5, hourly: 1 });
  expect(other.counts).toEqual({ often: 0, hourly: 0 });
  expect(await rows(dataSource, `SELECT name, program, error FROM maintenance_tasks ORDER BY name`)).toEqual([
    { name: 'hourly', program: 'first', error: null },
    { name: 'often', program: 'first', error: null },
  ]);
});

it('go on in another worker once the elected one stops, or has not renewed its term', async () => {
  const first = worker('first');
  await first.tasks.election;
  for (let n = 0; n < 4; n += 1) await first.second();
  await first.tasks.stop();
  const second = worker('second');
  await second.tasks.election;
  expect(second.counts).toMatchObject({ hourly: 1 });
  const third = worker('third');
  await third.second();
  expect(third.tasks.isElected).toBe(false);
  await dataSource.query(`UPDATE maintenance_leader SET until = now() - interval '1 second'`);
  for (let n = 0; n < 3; n += 1) await third.second();
  expect(third.tasks.isElected).toBe(true);
  for (let n = 0; n < 3; n += 1) await second.second();
  expect(second.tasks.isElected).toBe(false);
});

it('keep the error of a task that failed, and run it again', async () => {
  const failing = worker('first', async () => {
    throw new Error('No space left');
  });
  for (let n = 0; n < 7; n += 1) await failing.second();
  expect(failing.counts.often).toBeGreaterThan(1);
  expect(failing.errors[0]).toBe('No space left');
  expect(await rows(dataSource, `SELECT error FROM maintenance_tasks WHERE name = 'often'`)).toEqual([
    { error: 'No space left' },
  ]);
});

it('keep the time of the last success when a task fails', async () => {
  let isFailing = true;
  const first = worker('first', async () => {
    if (isFailing) throw new Error('No space left');
  });
  /** An hour after the last run. */
  const runAgain = async () => {
    await dataSource.query(`UPDATE maintenance_tasks SET ran_at = ran_at - interval '1 hour'`);
    for (let n = 0; n < 7; n += 1) await first.second();
    const [often] = await rows(
      dataSource,
      `SELECT round(extract(epoch FROM now() - ran_at) / 3600)::integer AS hours, error
       FROM maintenance_tasks WHERE name = 'often'`,
    );
    return often;
  };
  // The first run counts as the beginning.
  expect(await runAgain()).toEqual({ hours: 0, error: 'No space left' });
  expect(await runAgain()).toEqual({ hours: 1, error: 'No space left' });
  expect(await runAgain()).toEqual({ hours: 2, error: 'No space left' });
  isFailing = false;
  expect(await runAgain()).toEqual({ hours: 0, error: null });
});

it('keep the runs that could not be stored, and store none once another worker is elected', async () => {
  const first = worker('first');
  await first.tasks.election;
  await dataSource.query(`ALTER TABLE maintenance_tasks RENAME TO away`);
  for (let n = 0; n < 3; n += 1) await first.second();
  expect(first.errors).not.toEqual([]);
  await dataSource.query(`ALTER TABLE away RENAME TO maintenance_tasks`);
  for (let n = 0; n < 2; n += 1) await first.second();
  const hourly = () => rows(dataSource, `SELECT program FROM maintenance_tasks WHERE name = 'hourly'`);
  expect(await hourly()).toEqual([{ program: 'first' }]);
  await dataSource.query(`UPDATE maintenance_leader SET program = 'other'`);
  await dataSource.query(`DELETE FROM maintenance_tasks`);
  for (let n = 0; n < 6; n += 1) await first.second();
  expect(await rows(dataSource, `SELECT name FROM maintenance_tasks`)).toEqual([]);
  expect(first.tasks.isElected).toBe(false);
});

it('ask the database once at a time', async () => {
  const first = worker('first');
  await first.tasks.election;
  const lock = dataSource.createQueryRunner();
  await lock.startTransaction();
  await lock.query(`LOCK TABLE maintenance_leader`);
  for (let n = 0; n < 4; n += 1) await first.clock.advance(1_000);
  await until('the statement', async () => (await waiting()) === 1);
  for (let n = 0; n < 4; n += 1) await first.clock.advance(1_000);
  expect(await waiting()).toBe(1);
  await lock.commitTransaction();
  await lock.release();
});

const waiting = async () =>
  (
    await rows(
      dataSource,
      `SELECT FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    )
  ).length;

it('stop when the database has not answered for a term', async () => {
  const cut = worker('first');
  await cut.tasks.election;
  await dataSource.query(`ALTER TABLE maintenance_leader RENAME TO away`);
  for (let n = 0; n < 7; n += 1) await cut.second();
  expect(cut.tasks.isElected).toBe(false);
  await dataSource.query(`ALTER TABLE away RENAME TO maintenance_leader`);
});
