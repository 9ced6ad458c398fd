import { expect, it } from '@jest/globals';
import { medianInterval } from './statistics.ts';

const numbersTo = (count: number) => Array.from({ length: count }, (_, index) => count - index);

// The ranks are those of tables of the binomial distribution.
it.each([
  [6, { low: 1, high: 6 }],
  [10, { low: 2, high: 9 }],
  [20, { low: 6, high: 15 }],
  [50, { low: 18, high: 33 }],
])('the interval of the median of %i values', (count, interval) => {
  expect(medianInterval(numbersTo(count))).toEqual(interval);
});

it('has no limits for five values', () => {
  expect(medianInterval(numbersTo(5))).toEqual({ low: -Infinity, high: Infinity });
});
