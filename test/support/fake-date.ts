import { jest } from '@jest/globals';

/**
 * Sets `Date` to a time at which it stands still, until `jest.useRealTimers()`. Nothing else is faked: timers, connections and
 * `performance.now()` go on.
 */
export function setDate(milliseconds: number): void {
  jest.useFakeTimers({
    now: milliseconds,
    doNotFake: [
      'hrtime',
      'nextTick',
      'performance',
      'queueMicrotask',
      'requestAnimationFrame',
      'cancelAnimationFrame',
      'requestIdleCallback',
      'cancelIdleCallback',
      'setImmediate',
      'clearImmediate',
      'setInterval',
      'clearInterval',
      'setTimeout',
      'clearTimeout',
    ],
  });
}
