import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import express from 'express';
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
    const app = express().get('/', (request, response) => {
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

  it('ends when the api stops', async () => {
    const { next } = await open();
    streams.onModuleDestroy();
    expect(await next()).toBeUndefined();
  });
});
