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
  await endRecovery.pass([ada]);
  await clock.advance(60_000);
});
afterAll(() => platform.close());

/** Creates a job that ended this many seconds ago by the database's clock. */
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

it('publishes an unpublished end once, to its user only', async () => {
  const id = await endedJob(10);
  expect(await endRecovery.pass([ada, await platform.user()])).toBe(1);
  await until('the event', () => endsOf(id) === 1);
  expect(await endRecovery.pass([ada])).toBe(0);
  expect(endsOf(id)).toBe(1);
});

it('skips ends that are published, may still be published, or are old', async () => {
  const published = await endedJob(10);
  await publishEnd(published);
  await endedJob(100);
  expect(await endRecovery.pass([ada])).toBe(0);
  const recent = await endedJob(0);
  // now() does not advance inside a transaction, so that ages are exact.
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

it('publishes an end whose event reached other processes, but not the user', async () => {
  const id = await endedJob(10);
  platform.live.publish('job:ended', id);
  expect(await endRecovery.pass([ada])).toBe(1);
});

it('skips ends before the user connected', async () => {
  await endedJob(30);
  const bo = await platform.user();
  await endRecovery.pass([bo]);
  await clock.advance(20_000);
  expect(await endRecovery.pass([bo, ada])).toBe(0);
});

it('skips ends before the process started', async () => {
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
