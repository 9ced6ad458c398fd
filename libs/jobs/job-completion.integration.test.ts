import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { JobCompletion } from './job-completion.js';
import { openJobPlatform, type JobPlatform } from '../../test/support/job-platform.ts';
import { TestClock } from '../../test/support/test-clock.ts';

/** Wraps a data source so that all reads of its repositories are recorded in `reads`. */
function noting(dataSource: DataSource, reads: Promise<unknown>[]): DataSource {
  const getRepository: DataSource['getRepository'] = (entity) => {
    const repository = dataSource.getRepository(entity);
    const find: typeof repository.find = (options) => {
      const read = repository.find(options);
      reads.push(read);
      return read;
    };
    return Object.assign(Object.create(repository) as typeof repository, { find });
  };
  return Object.assign(Object.create(dataSource) as DataSource, { getRepository });
}

describe('Waiting for a job to end', () => {
  let platform: JobPlatform;
  let completion: JobCompletion;
  let clock: TestClock;
  let looks: Promise<unknown>[];
  beforeAll(async () => {
    platform = await openJobPlatform();
  });
  beforeEach(() => {
    clock = new TestClock();
    looks = [];
    completion = new JobCompletion(
      noting(platform.dataSource, looks),
      platform.live,
      (error) => platform.errors.push(error),
      clock,
    );
  });
  afterEach(() => {
    completion.close();
    platform.live.dropsEvents = false;
  });
  afterAll(() => platform.close());

  async function newJob() {
    const user = await platform.user();
    const { id } = await platform.submit(user);
    return { id, end: () => platform.lifecycle.cancel(user, id) };
  }

  /** Resolves after the first read of the table, with which each wait begins. */
  const firstLook = () => looks[0];

  /** Records whether a wait has ended. */
  function observe(wait: Promise<void>): { ended: boolean } {
    const state = { ended: false };
    void wait.then(() => (state.ended = true));
    return state;
  }

  it('ends at the event, for all callers', async () => {
    const job = await newJob();
    const waits = [1, 2, 3].map(() => completion.wait(job.id, 20_000));
    const states = waits.map(observe);
    await job.end();
    await Promise.all(waits);
    expect(states.map(({ ended }) => ended)).toEqual([true, true, true]);
  });

  // Prevents a bug of BullMQ (#2874, #2517, #3298): missed queue events.
  it('ends when the table shows the end, if the event was lost', async () => {
    const job = await newJob();
    platform.live.dropsEvents = true;
    const wait = completion.wait(job.id, 20_000);
    const state = observe(wait);
    // Let the first read finish, so that the end must be found by a later poll.
    await firstLook();
    await job.end();
    await clock.advance(900);
    expect(state.ended).toBe(false);
    await clock.advance(200);
    await wait;
  });

  it('ends at once for a job that has already ended', async () => {
    const job = await newJob();
    await job.end();
    await completion.wait(job.id, 20_000);
  });

  it('ends at the time limit, when its caller aborts, and when the process stops', async () => {
    const job = await newJob();
    const short = completion.wait(job.id, 150);
    const state = observe(short);
    await clock.advance(149);
    expect(state.ended).toBe(false);
    await clock.advance(1);
    await short;
    const caller = new AbortController();
    const left = completion.wait(job.id, 20_000, caller.signal);
    const held = completion.wait(job.id, 20_000);
    const heldState = observe(held);
    caller.abort();
    await left;
    expect(heldState.ended).toBe(false);
    completion.close();
    await held;
    await completion.wait(job.id, 20_000);
    await completion.wait(job.id, 20_000, caller.signal);
  });

  it('continues when another job ends', async () => {
    const [job, other] = [await newJob(), await newJob()];
    const wait = completion.wait(job.id, 1_500);
    const state = observe(wait);
    await other.end();
    await clock.advance(1_400);
    expect(state.ended).toBe(false);
    await clock.advance(100);
    await wait;
  });
});
