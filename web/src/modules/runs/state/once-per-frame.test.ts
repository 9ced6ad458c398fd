/** @jest-environment ./test/web/dom-environment.mjs */
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { oncePerFrame } from './once-per-frame.js';

beforeEach(() => {
  jest.spyOn(document, 'hidden', 'get').mockReturnValue(false);
  jest.useFakeTimers({ doNotFake: ['queueMicrotask'] });
});
afterEach(() => {
  jest.useRealTimers();
  jest.restoreAllMocks();
});

it('shows a change at once, and those of the same frame together in the next one', async () => {
  const schedule = oncePerFrame();
  const flush = jest.fn();
  schedule(flush);
  await Promise.resolve();
  expect(flush).toHaveBeenCalledTimes(1);

  schedule(flush);
  await Promise.resolve();
  expect(flush).toHaveBeenCalledTimes(1);
  jest.advanceTimersByTime(16);
  expect(flush).toHaveBeenCalledTimes(2);

  jest.advanceTimersByTime(40);
  schedule(flush);
  await Promise.resolve();
  expect(flush).toHaveBeenCalledTimes(3);
});
