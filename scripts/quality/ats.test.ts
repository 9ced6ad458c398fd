import { expect, it } from '@jest/globals';
import { measureAgreement } from './ats/labelled.ts';
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

it.each([
  ['first', false],
  ['report', true],
])('agrees with labels by hand: the %s half', (_, isReport) => {
  const { pairs, labels, agreed, inBand } = measureAgreement(isReport);
  expect(pairs).toBe(20);
  expect(labels).toBeGreaterThanOrEqual(150);
  expect(agreed / labels).toBeGreaterThanOrEqual(0.9);
  expect(inBand / pairs).toBeGreaterThanOrEqual(0.9);
});
