import { expect, it } from '@jest/globals';
import { withoutRefund } from './job-runner.js';

it.each([
  [
    'This took longer than it may. Your credit was given back; try again.',
    'This took longer than it may. Try again.',
  ],
  ['It was deleted. Your credit was given back.', 'It was deleted.'],
  ['It failed.', 'It failed.'],
])('says nothing about a refund: %s', (message, expected) => {
  expect(withoutRefund(message)).toBe(expected);
});
