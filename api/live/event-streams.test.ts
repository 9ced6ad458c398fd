import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import express, { type Response } from 'express';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Caller } from '#libs/accounts/identity.js';
import { TestClock } from '../../test/support/test-clock.ts';
import { EventStreams } from './event-streams.js';

const key = { id: 'a1', scopes: ['read' as const], ratePerMinute: null, expiresAt: null };

describe('a stream of events', () => {
  let clock: TestClock;
  let live: EventEmitter;
  let isKeyValid: boolean;
  let caller: Caller;
  let server: Server;
  let streams: EventStreams;
  let responses: Response[];

  beforeEach(async () => {
    clock = new TestClock();
    live = new EventEmitter();
    isKeyValid = true;
    caller = { userId: 'ada', apiKey: key };
    const subscribe = (event: string, listener: (...payload: unknown[]) => void) => {
      live.on(event, listener);
      return () => live.off(event, listener);
    };
    streams = new EventStreams({
      jobs: { unfinishedOrEndedSince: async () => [] },
      batches: { list: async () => ({ batches: [], nextCursor: null }) },
      flows: { list: async () => ({ flows: [], nextCursor: null }) },
      completion: {},
      server: {
        subscribe,
        subscribeToUser: (userId: string, listener: () => void) => subscribe(`user ${userId}`, listener),
        subscribed: async () => undefined,
        onEventsMissed: (listener: () => void) => subscribe('missed', listener),
      },
      apiKeys: { isValid: async () => isKeyValid },
      drain: { hasBegun: false, begin: () => undefined },
      streamsPerUser: 4,
      clock,
    } as unknown as ConstructorParameters<typeof EventStreams>[0]);
    responses = [];
    const app = express().get('/', (request, response) => {
      responses.push(response);
      void streams.sendAll(Object.assign(request, { caller }), response);
    });
    await new Promise<void>((listening) => (server = app.listen(0, '127.0.0.1', () => listening())));
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  });

  async function open() {
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/`);
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    const next = async () => (await reader.read()).value;
    expect(await next()).toBe('retry: 2000\n\n');
    return { next };
  }

  it('has a comment every 15 seconds, while its key is valid', async () => {
    const { next } = await open();
    await clock.advance(15_000);
    expect(await next()).toBe(':\n\n');
    isKeyValid = false;
    await clock.advance(15_000);
    expect(await next()).toBeUndefined();
  });

  it.each([
    ['events may have been missed', 'missed', undefined],
    ['the user was deleted', 'user:deleted', 'ada'],
  ])('ends when %s', async (_, event, payload) => {
    const { next } = await open();
    live.emit('user ada', 'account', { plan: 'free' });
    expect(await next()).toMatch(/^event: account\ndata: \{"plan":"free"\}\nid: \d+\n\n$/);
    live.emit(event, payload);
    expect(await next()).toBeUndefined();
    expect(live.listenerCount('user ada')).toBe(0);
  });

  it('does not end when another user was deleted', async () => {
    const { next } = await open();
    live.emit('user:deleted', 'bob');
    live.emit('user ada', 'account', { plan: 'free' });
    expect(await next()).toContain('event: account');
  });

  it('ends when nothing moved for 30 seconds while bytes wait, and not before', async () => {
    const { port } = server.address() as AddressInfo;
    const [idle, reader] = [connect(port, '127.0.0.1'), await open()];
    const opened = once(idle, 'readable');
    idle.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await opened;
    const closed = once(idle, 'close');
    const read = async (end: string) => {
      for (let text: string | undefined = ''; text !== undefined; text = await reader.next())
        if (text.endsWith(end)) return;
      throw new Error('The stream ended.');
    };
    // More than the buffers of both ends of a connection hold.
    while (responses[1]!.writableLength === 0) {
      live.emit('user ada', 'account', { text: 'x'.repeat(2 ** 20) });
      await read('\n\n');
    }
    await clock.advance(30_000);
    expect(live.listenerCount('user ada')).toBe(2);
    await clock.advance(15_000);
    expect(live.listenerCount('user ada')).toBe(1);
    idle.resume();
    await closed;
  });

  it('ends when the api stops', async () => {
    const { next } = await open();
    streams.onModuleDestroy();
    expect(await next()).toBeUndefined();
  });
});
