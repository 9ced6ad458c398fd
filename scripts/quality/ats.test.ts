import { expect, it } from '@jest/globals';
import { measureAts } from './ats/measure.ts';

it('orders resumes for a job', () => {
  const { jobs, ordered, pairs } = measureAts();
  expect(jobs.length).toBeGreaterThanOrEqual(8);
  expect(pairs).toBeGreaterThanOrEqual(100);
  expect(ordered).toBe(pairs);
  for (const { strong, partial, bestOther } of jobs) {
    expect(strong).toBeGreaterThanOrEqual(60);
    expect(Math.max(partial, bestOther)).toBeLessThanOrEqual(strong - 25);
  }
});
