import { describe, expect, it } from '@jest/globals';
import { nextDelayMs, offReasonAfter, pauseMs, retryAfterMs } from './delivery-schedule.js';

const HOUR = 3_600_000;
const NOW = Date.parse('2026-11-27T12:00:00Z');

describe('the delay after a failed attempt', () => {
  it('grows from 5 seconds to a day, and there is none after the tenth attempt', () => {
    const delays = Array.from({ length: 10 }, (_, index) => nextDelayMs(index + 1, 0.5));
    const hours = [2, 5, 10, 14, 20, 24].map((count) => count * HOUR);
    expect(delays).toEqual([5_000, 300_000, 1_800_000, ...hours, null]);
  });

  it('differs by up to a tenth', () => {
    expect([nextDelayMs(1, 0), nextDelayMs(1, 1)]).toEqual([4_500, 5_500]);
  });

  it('is at least what the receiver asks for', () => {
    expect(nextDelayMs(1, 0.5, 60_000)).toBe(60_000);
    expect(nextDelayMs(2, 0.5, 60_000)).toBe(300_000);
  });
});

it.each([
  [null, 0],
  ['120', 120_000],
  ['Fri, 27 Nov 2026 12:01:00 GMT', 60_000],
  ['Fri, 27 Nov 2026 11:00:00 GMT', 0],
  ['999999999', 24 * HOUR],
  ['soon', 0],
])('Retry-After %s is %i ms', (value, milliseconds) => {
  expect(retryAfterMs(value, NOW)).toBe(milliseconds);
});

it.each([
  [429, null, 60_000],
  [502, '5', 5_000],
  [504, null, 60_000],
  [503, '5', 0],
  [500, null, 0],
])('a receiver that answers %i with Retry-After %s gets nothing for %i ms', (status, retryAfter, pause) => {
  expect(pauseMs({ status, retryAfter }, NOW)).toBe(pause);
});

describe('a webhook', () => {
  const failing = (failures: number, hours: number) => ({
    failures,
    failingSince: new Date(NOW - hours * HOUR),
  });

  it('is switched off by 410 at once', () => {
    expect(offReasonAfter({ status: 410, retryAfter: null }, failing(1, 0), NOW)).toBe('gone');
  });

  it.each([
    [20, 72, 'failing'],
    [19, 100, null],
    [500, 71, null],
  ])('with %i failures in %i hours has the reason %s', (failures, hours, reason) => {
    expect(offReasonAfter(null, failing(failures, hours), NOW)).toBe(reason);
  });
});
