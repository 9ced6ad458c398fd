import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { JobCompletion } from './job-completion.js';
import { openJobPlatform, type JobPlatform } from '../../test/support/job-platform.ts';

describe('Waiting for a job to end', () => {
  let platform: JobPlatform;
  let watch: JobCompletion;
  beforeAll(async () => {
    platform = await openJobPlatform();
  });
  beforeEach(() => {
    watch = new JobCompletion(platform.dataSource, platform.live, (error) => platform.errors.push(error));
  });
  afterEach(() => {
    watch.close();
    platform.live.deaf = false;
  });
  afterAll(() => platform.close());

  async function timed(wait: Promise<void>): Promise<number> {
    const started = performance.now();
    await wait;
    return performance.now() - started;
  }

  async function newJob() {
    const user = await platform.user();
    const { id } = await platform.submit(user);
    return { id, end: () => platform.lifecycle.cancel(user, id) };
  }

  it('ends with the event, for everybody who waits', async () => {
    const job = await newJob();
    const waits = Promise.all([1, 2, 3].map(() => watch.wait(job.id, 20_000))).then(() => 'ended');
    await pause(100);
    await job.end();
    expect(await Promise.race([waits, pause(500, 'waiting')])).toBe('ended');
  });

  // Pitfall: "queue events missed" (bullmq#2874, #2517, #3298)
  it('ends by the row where the event was lost', async () => {
    const job = await newJob();
    platform.live.deaf = true;
    const wait = timed(watch.wait(job.id, 20_000));
    await pause(100);
    await job.end();
    expect(await wait).toBeLessThan(10_000);
  });

  it('ends at once for a job that had ended before', async () => {
    const job = await newJob();
    await job.end();
    await pause(50);
    expect(await timed(watch.wait(job.id, 20_000))).toBeLessThan(5_000);
  });

  it('ends with its time, with its caller, and with the process', async () => {
    const job = await newJob();
    expect(await timed(watch.wait(job.id, 150))).toBeGreaterThanOrEqual(140);
    const caller = new AbortController();
    const left = timed(watch.wait(job.id, 20_000, caller.signal));
    const held = timed(watch.wait(job.id, 20_000));
    caller.abort();
    expect(await left).toBeLessThan(5_000);
    watch.close();
    expect(await held).toBeLessThan(5_000);
    expect(await timed(watch.wait(job.id, 20_000))).toBeLessThan(5_000);
    expect(await timed(watch.wait(job.id, 20_000, caller.signal))).toBeLessThan(5_000);
  });

  it('is not ended by another job', async () => {
    const [job, other] = [await newJob(), await newJob()];
    const wait = timed(watch.wait(job.id, 1_500));
    await other.end();
    expect(await wait).toBeGreaterThanOrEqual(1_400);
  });
});
