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
  const count = (first: number, end: number) => {
    let lines = 0;
    for (let n = first; n < end; n += 1) if (log.count(`10.1.${n >> 8}.${n & 255}`, 'NOT_FOUND')) lines += 1;
    return lines;
  };
  // The lines of all networks are bounded too, and the lines about those without.
  expect(count(0, 10_100)).toBe(2_000);
  expect(count(9_000, 9_100)).toBe(0);
  await clock.advance(60_000);
  expect(written).toHaveLength(101);
  expect(written[0]).toEqual({ address: 'others', refused: 100, codes: { NOT_FOUND: 100 } });
  expect(written[1]).toMatchObject({ address: '10.1.35.40', refused: 2 });
  expect(written[100]).toEqual({ address: 'others', refused: 7_902, codes: { NOT_FOUND: 7_902 } });
  expect(count(0, 1)).toBe(1);
});

it('counts the addresses of one IPv6 network together', () => {
  const log = new RefusalLog(() => undefined, new TestClock());
  const lines = Array.from({ length: 100 }, (_, n) => log.count(`2001:db8:1:2::${n}`, 'NOT_FOUND'));
  expect(lines.filter(Boolean)).toHaveLength(20);
  expect(log.count('2001:db8:1:3::1', 'NOT_FOUND')).toBe(true);
});
