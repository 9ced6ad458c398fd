import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import express from 'express';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TestClock } from '../../test/support/test-clock.js';
import { until } from '../../test/support/until.js';
import { minimumBodyRate } from './body-rate.js';

let clock: TestClock;
let server: Server;
let received: number;

beforeEach(async () => {
  clock = new TestClock();
  received = 0;
  const app = express()
    .use(minimumBodyRate(clock))
    .post('/', (request, response) => {
      request.on('data', (data: Buffer) => (received += data.length));
      request.on('end', () => response.json({ success: true, received }));
    })
    .post('/unread', () => undefined);
  server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => void server.close());

/** Starts a request with a body of `length` bytes, but sends no body yet. */
function begin(path: string, length: number): { socket: Socket; answer: Promise<string> } {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`);
  let text = '';
  socket.on('data', (data) => (text += String(data)));
  const answer = once(socket, 'close').then(() => text);
  return { socket, answer };
}

describe('the minimum rate of a body', () => {
  it('accepts a connection of 8 kB a second with a pause', async () => {
    const SECONDS = 150;
    const { socket, answer } = begin('/', SECONDS * 8_192);
    let sent = 0;
    for (let second = 0; second < SECONDS; second += 1) {
      // Simulates tunnels: no bytes for 15 seconds of each minute; the delayed bytes arrive afterwards.
      const bytes = second % 60 < 15 ? 0 : second % 60 === 15 ? 16 * 8_192 : 8_192;
      socket.write(Buffer.alloc(bytes));
      sent += bytes;
      await until('the bytes to arrive', () => received >= sent, { every: 1 });
      await clock.advance(1_000);
    }
    socket.end();
    expect(await answer).toContain(`"received":${SECONDS * 8_192}`);
  });

  it('ends a body that arrives too slowly, with an answer', async () => {
    const { socket, answer } = begin('/', 1_000_000);
    for (let second = 0; second < 33; second += 1) {
      if (!socket.destroyed) socket.write('x');
      await until('the byte to arrive', () => received > second || second >= 29, { every: 1 });
      await clock.advance(1_000);
    }
    const text = await answer;
    expect(text).toMatch(/^HTTP\/1.1 408 /);
    expect(text).toContain('REQUEST_TOO_SLOW');
  });

  it('does not count time in which the server does not read', async () => {
    const { socket } = begin('/unread', 1_000_000);
    await once(server, 'request');
    await clock.advance(600_000);
    expect(socket.destroyed).toBe(false);
    socket.destroy();
  });
});
