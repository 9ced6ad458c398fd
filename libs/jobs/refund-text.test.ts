import { expect, it } from '@jest/globals';
import { givenBack, withRefund } from './refund-text.js';

const TIMED_OUT = 'This took longer than it may. Your credit was given back; try again.';

it.each([
  [TIMED_OUT, 0, 'This took longer than it may. Try again.'],
  ['It was deleted. Your credit was given back.', 0, 'It was deleted.'],
  ['It failed.', 0, 'It failed.'],
  ['It failed.', 5, 'It failed.'],
  [TIMED_OUT, 1, TIMED_OUT],
  [TIMED_OUT, 5, 'This took longer than it may. Your 5 credits were given back; try again.'],
  ['It was deleted. Your credit was given back.', 2, 'It was deleted. Your 2 credits were given back.'],
])('%s With %i credits', (message, credits, expected) => {
  expect(withRefund(message, credits)).toBe(expected);
});

it('names the number of credits, unless it is not known', () => {
  expect([1, 5, null].map((credits) => givenBack(credits))).toEqual([
    'credit was given back',
    '5 credits were given back',
    'credits were given back',
  ]);
});
