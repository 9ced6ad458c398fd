import { expect, it } from '@jest/globals';
import { TestClock } from '../../test/support/test-clock.ts';
import { closeGradually } from './close-gradually.js';

const SOCKETS = 1_000;

it('closes a thousand sockets over seconds, each once', async () => {
  const clock = new TestClock();
  const closed: number[] = [];
  const sockets = Array.from({ length: SOCKETS }, (_, i) => ({ conn: { close: () => closed.push(i) } }));
  closeGradually(sockets, clock);
  await clock.advance(1_000);
  expect(closed.length).toBeGreaterThan(0);
  expect(closed.length).toBeLessThanOrEqual(SOCKETS / 5);
  await clock.advance(9_000);
  expect(closed).toEqual(sockets.map((_, i) => i));
});

it('leaves the others open when cancelled', async () => {
  const clock = new TestClock();
  let closed = 0;
  const sockets = Array.from({ length: SOCKETS }, () => ({ conn: { close: () => (closed += 1) } }));
  const cancel = closeGradually(sockets, clock);
  await clock.advance(100);
  cancel();
  const before = closed;
  await clock.advance(10_000);
  expect(closed).toBe(before);
});
