import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { openJobPlatform, type JobPlatform } from '../../test/support/job-platform.ts';
import { TestClock } from '../../test/support/test-clock.ts';
import { until } from '../../test/support/until.ts';
import { JobEndRecovery } from './job-end-recovery.js';

let platform: JobPlatform;
let clock: TestClock;
let endRecovery: JobEndRecovery;
let ada: string;

beforeAll(async () => {
  platform = await openJobPlatform();
  clock = new TestClock();
  endRecovery = new JobEndRecovery(
    platform.dataSource,
    platform.live,
    platform.jobEvents,
    platform.accountEvents,
    clock,
  );
  await clock.advance(3_600_000);
});
beforeEach(async () => {
  ada = await platform.user();
});
afterAll(() => platform.close());

/** A job that ended so many seconds ago, by the clock of the database. */
async function endedJob(seconds: number): Promise<string> {
  const { id } = await platform.submit(ada);
  await platform.sql(
    `UPDATE jobs SET status = 'succeeded', result = '{}', finished_at = now() - make_interval(secs => $2) WHERE id = $1`,
    [id, seconds],
  );
  return id;
}
async function publishEnd(id: string): Promise<void> {
  await platform.jobEvents.jobChanged(await platform.job(id));
}
const endsOf = (id: string) =>
  platform.live.of('job').filter((job) => job.id === id && job.status === 'succeeded').length;

it('publishes an end that nobody published, once, to its user alone', async () => {
  const id = await endedJob(10);
  expect(await endRecovery.pass([await platform.user()])).toBe(0);
  expect(await endRecovery.pass([ada])).toBe(1);
  await until('the event', () => endsOf(id) === 1);
  expect(await endRecovery.pass([ada])).toBe(0);
  expect(endsOf(id)).toBe(1);
});

it('publishes neither what was published, nor what may still be, nor what ended long ago', async () => {
  const published = await endedJob(10);
  await publishEnd(published);
  await endedJob(100);
  expect(await endRecovery.pass([ada])).toBe(0);
  const recent = await endedJob(0);
  // Its clock stands still.
  await platform.dataSource.transaction(async (transaction) => {
    const endedAgo = (seconds: number) =>
      transaction.query(`UPDATE jobs SET finished_at = now() - make_interval(secs => $2) WHERE id = $1`, [
        recent,
        seconds,
      ]);
    const passes = new JobEndRecovery(
      transaction,
      platform.live,
      platform.jobEvents,
      platform.accountEvents,
      clock,
    );
    await clock.advance(3_600_000);
    await publishEnd(published);
    await endedAgo(4);
    expect(await passes.pass([ada])).toBe(0);
    await endedAgo(6);
    expect(await passes.pass([ada])).toBe(1);
  });
});

it('publishes an end that other processes heard of, and whose event to the user was lost', async () => {
  const id = await endedJob(10);
  platform.live.publish('job:ended', id);
  expect(await endRecovery.pass([ada])).toBe(1);
});

it('publishes nothing that ended before its process began', async () => {
  await endedJob(30);
  const started = new JobEndRecovery(
    platform.dataSource,
    platform.live,
    platform.jobEvents,
    platform.accountEvents,
    clock,
  );
  await clock.advance(20_000);
  expect(await started.pass([ada])).toBe(0);
});
