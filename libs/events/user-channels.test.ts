import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { TestClock } from '../../test/support/test-clock.ts';
import { UserChannels } from './user-channels.js';

/** A connection whose SUBSCRIBE waits until the test answers it. */
class TestConnection extends EventEmitter {
  readonly sent: { channels: string[]; answer: PromiseWithResolvers<unknown> }[] = [];

  subscribe(...channels: string[]): Promise<unknown> {
    const answer = Promise.withResolvers<unknown>();
    this.sent.push({ channels, answer });
    return answer.promise;
  }

  unsubscribe = () => Promise.resolve();

  lose(): void {
    this.emit('close');
    for (const { answer } of this.sent.splice(0)) answer.reject(new Error('closed'));
  }
}

function connect() {
  const connection = new TestConnection();
  const clock = new TestClock();
  const calls: string[] = [];
  const channels = new UserChannels({
    subscriber: connection as never,
    isUserRoom: () => true,
    onSubscribed: () => calls.push('subscribed'),
    onError: ({ message }) => calls.push(message),
    clock,
  });
  return { connection, clock, calls, channels };
}

async function isPending(promise: Promise<unknown>): Promise<boolean> {
  let hasSettled = false;
  void promise.then(() => (hasSettled = true));
  await nextTurn();
  return !hasSettled;
}

it('sends a refused SUBSCRIBE again', async () => {
  const { connection, clock, calls, channels } = connect();
  connection.emit('ready');
  await nextTurn();
  channels.join('ada');
  await nextTurn();
  connection.sent[0]!.answer.reject(new Error('LOADING'));
  await nextTurn();
  await clock.advance(1_000);
  expect(connection.sent.map((one) => one.channels)).toEqual([['{pressroom}:ada'], ['{pressroom}:ada']]);
  expect(await isPending(channels.subscribed('ada'))).toBe(true);
  connection.sent[1]!.answer.resolve(1);
  await channels.subscribed('ada');
  expect(calls).toEqual(['subscribed', 'LOADING']);
});

it('counts no room as subscribed after a lost connection until all are subscribed again', async () => {
  const { connection, calls, channels } = connect();
  channels.join('ada');
  connection.emit('ready');
  await nextTurn();
  for (const { answer } of connection.sent.splice(0)) answer.resolve(1);
  await channels.subscribed('ada');
  channels.join('bo');
  channels.leave('bo');
  await nextTurn();
  expect(calls).toEqual(['subscribed']);

  connection.lose();
  expect(await isPending(channels.subscribed('ada'))).toBe(true);
  connection.emit('ready');
  await nextTurn();
  expect(connection.sent.map((one) => one.channels)).toEqual([['{pressroom}:ada']]);
  expect(await isPending(channels.subscribed('ada'))).toBe(true);
  connection.sent[0]!.answer.resolve(1);
  await channels.subscribed('ada');
  await nextTurn();
  expect(calls).toEqual(['subscribed', 'subscribed']);
});
