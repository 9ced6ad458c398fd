import { expect, it } from '@jest/globals';
import { EndedSessions } from './ended-sessions.js';

it('are remembered as long as a token may be valid, and no longer', () => {
  let time = 0;
  const ended = new EndedSessions(1_000, () => time);
  ended.add('first');
  time = 900;
  ended.add('second');
  expect([ended.has('first'), ended.has('second'), ended.has('third')]).toEqual([true, true, false]);
  time = 1_100;
  ended.add('third');
  expect([ended.has('first'), ended.has('second'), ended.has('third')]).toEqual([false, true, true]);
});
