import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { TestClock } from '../../test/support/test-clock.ts';
import { limitConnection } from './connection-limits.js';

describe('a connection of a socket', () => {
  let clock: TestClock;
  let webSocket: EventEmitter & { bufferedAmount: number };
  let connection: EventEmitter;
  let hasEnded: boolean;

  beforeEach(() => {
    clock = new TestClock();
    hasEnded = false;
    webSocket = Object.assign(new EventEmitter(), {
      bufferedAmount: 0,
      terminate: () => (hasEnded = true),
    });
    connection = Object.assign(new EventEmitter(), { transport: { socket: webSocket } });
    limitConnection(connection as unknown as Parameters<typeof limitConnection>[0], {
      maxBytes: 1_000,
      clock,
    });
  });

  const send = (bytes: number) =>
    connection.emit('packetCreate', { type: 'message', data: 'x'.repeat(bytes) });

  it('is closed when too many bytes wait in both buffers together', () => {
    send(900);
    connection.emit('flush');
    webSocket.bufferedAmount = 900;
    send(100);
    expect(hasEnded).toBe(false);
    send(1);
    expect(hasEnded).toBe(true);
  });

  it('is closed when the answers to its pings wait', () => {
    webSocket.bufferedAmount = 1_001;
    webSocket.emit('ping');
    expect(hasEnded).toBe(true);
  });

  it('is closed after thirty messages in a minute, pongs aside', async () => {
    const receive = (type: string, count: number) => {
      for (let n = 0; n < count; n += 1) connection.emit('packet', { type });
    };
    receive('pong', 100);
    receive('message', 30);
    await clock.advance(60_000);
    receive('message', 30);
    expect(hasEnded).toBe(false);
    receive('message', 1);
    expect(hasEnded).toBe(true);
  });
});
