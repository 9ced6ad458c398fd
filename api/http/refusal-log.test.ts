import { expect, it } from '@jest/globals';
import { TestClock } from '../../test/support/test-clock.ts';
import { RefusalLog, type RefusalSummary } from './refusal-log.js';

it('gives twenty refusals of an address a line each minute, and sums up the rest', async () => {
  const clock = new TestClock();
  const written: RefusalSummary[] = [];
  const log = new RefusalLog((summary) => written.push(summary), clock);
  const count = (times: number, address: string, code: string) =>
    Array.from({ length: times }, () => log.count(address, code)).filter(Boolean).length;
  expect(count(300, '192.0.2.1', 'UNAUTHENTICATED')).toBe(20);
  expect(count(7, '192.0.2.1', 'RATE_LIMITED')).toBe(0);
  expect(count(5, '192.0.2.2', 'NOT_FOUND')).toBe(5);
  await clock.advance(60_000);
  expect(written).toEqual([
    { address: '192.0.2.1', refused: 287, codes: { UNAUTHENTICATED: 280, RATE_LIMITED: 7 } },
  ]);
  expect(count(1, '192.0.2.1', 'UNAUTHENTICATED')).toBe(1);
  await clock.advance(60_000);
  expect(written).toHaveLength(1);
});

it('bounds the addresses that it counts one by one', async () => {
  const clock = new TestClock();
  const written: RefusalSummary[] = [];
  const log = new RefusalLog((summary) => written.push(summary), clock);
  for (let n = 0; n < 10_100; n += 1) log.count(`10.1.${n >> 8}.${n & 255}`, 'NOT_FOUND');
  await clock.advance(60_000);
  expect(written).toEqual([{ address: 'others', refused: 80, codes: { NOT_FOUND: 80 } }]);
});

it('counts the addresses of one IPv6 network together', () => {
  const log = new RefusalLog(() => undefined, new TestClock());
  const lines = Array.from({ length: 100 }, (_, n) => log.count(`2001:db8:1:2::${n}`, 'NOT_FOUND'));
  expect(lines.filter(Boolean)).toHaveLength(20);
  expect(log.count('2001:db8:1:3::1', 'NOT_FOUND')).toBe(true);
});
