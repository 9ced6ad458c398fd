import { expect, it } from '@jest/globals';
import { estimatePercent, MAX_ESTIMATE, percentAfter } from './progress.js';

const expectedSeconds = { from: 20, to: 40 };

it('estimates by the time since the start, without decreasing or exceeding the maximum', () => {
  const percents = Array.from({ length: 4_000 }, (_, second) => estimatePercent(second / 2, expectedSeconds));
  expect(percents).toEqual(percents.toSorted((a, b) => a - b));
  expect(percents[0]).toBe(0);
  expect(estimatePercent(20, expectedSeconds)).toBe(45);
  expect(estimatePercent(40, expectedSeconds)).toBe(90);
  expect(Math.max(...percents)).toBeLessThanOrEqual(MAX_ESTIMATE);
});

it('does not estimate without an expectation, nor measured progress', () => {
  expect(estimatePercent(60, null)).toBe(0);
  expect(percentAfter({ percent: 7, kind: 'estimated', expectedSeconds: null }, 60)).toBe(7);
  expect(percentAfter({ percent: 7, kind: 'measured', expectedSeconds }, 60)).toBe(7);
  expect(percentAfter({ percent: 7, kind: 'estimated', expectedSeconds }, 20)).toBe(45);
  expect(percentAfter({ percent: 80, kind: 'estimated', expectedSeconds }, 20)).toBe(80);
});
