import { describe, expect, it } from '@jest/globals';
import { secondsUntilStart, secondsUntilTurn, type Throughput } from './throughput.js';

const throughput = (slots: number, remaining: number[], averageSeconds: number | null = 10): Throughput => ({
  slots,
  isPaused: false,
  remaining,
  remainingOf: new Map(),
  averageSeconds,
  seconds: {},
});

describe('The seconds until a waiting job starts', () => {
  it.each([
    ['a free slot takes it at once', 2, [], 0, 0],
    ['one slot of two is free', 2, [10], 0, 0],
    ['the slot that is free first takes it', 2, [10, 4], 0, 4],
    ['the work ahead is done by the first free slot until the next is free', 2, [10, 4], 6, 10],
    ['from then on both share the work ahead', 2, [10, 4], 8, 11],
    ['two free slots share the work ahead', 3, [6], 12, 6],
    ['and a third one helps once it is free', 3, [6], 15, 7],
    ['jobs of stopped workers free no slot', 1, [8, 3], 0, 3],
    ['and leave the work ahead to the slots there are', 1, [8, 3], 10, 13],
    ['one slot does all the work ahead', 1, [], 25, 25],
  ])('%s', (_, slots, remaining, secondsAhead, expected) => {
    expect(secondsUntilStart(throughput(slots, remaining), secondsAhead)).toBeCloseTo(expected);
  });

  it.each([
    ['in order, while nobody else waits', { ahead: 12, own: 12, others: 0 }, 3],
    ['on half of the slots, while others wait', { ahead: 12, own: 12, others: 40 }, 6],
    ['on half of the slots, until the work of others is done', { ahead: 12, own: 12, others: 4 }, 4],
    ['in order, where others are ahead', { ahead: 40, own: 0, others: 40 }, 10],
  ])('of a user’s next job are %s', (_, work, expected) => {
    expect(secondsUntilTurn(throughput(4, []), work)).toBeCloseTo(expected);
  });

  it('are unknown without a slot, and before any job of the queue has ended', () => {
    expect(secondsUntilStart(throughput(0, []), 10)).toBeNull();
    expect(secondsUntilStart(throughput(2, [], null), 10)).toBeNull();
  });
});
