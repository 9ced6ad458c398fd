import { expect, it, jest } from '@jest/globals';
import type { Readiness } from '#libs/health/readiness.js';
import type { QueuePauses } from '#libs/scheduling/queue-pauses.js';
import { TestClock } from '../../test/support/test-clock.ts';
import { HealthService } from './health.service.js';

const checks = { database: true, queue: true, storage: true };
const readiness = { check: async () => checks } as unknown as Readiness;

it('reads the paused queues at most once a second, and has the last ones if they cannot be read', async () => {
  const clock = new TestClock();
  const list = jest.fn(async () => [{ queue: 'image' }]);
  const health = new HealthService(readiness, { list } as unknown as QueuePauses, clock);
  const ready = { success: true, checks, pausedQueues: ['image'] };
  const probe = () => Promise.all([health.ready('r1'), health.ready('r2')]);
  expect(await probe()).toEqual([ready, ready]);
  expect(await probe()).toEqual([ready, ready]);
  expect(list).toHaveBeenCalledTimes(1);
  await clock.advance(1_000);
  list.mockRejectedValue(new Error('no connection of the pool is free'));
  expect(await probe()).toEqual([ready, ready]);
  expect(list).toHaveBeenCalledTimes(2);
});
