import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import compression from 'compression';
import express, { type Express } from 'express';
import type { Server } from 'node:http';
import { Readable } from 'node:stream';
import { until } from '../../test/support/until.ts';
import { endStalledAnswers, UnsentAnswers } from './unsent-answers.js';

/** More than the buffers of a connection take. */
const LARGE = Buffer.alloc(32 * 2 ** 20);
/** The same, compressed. */
const TEXT = randomBytes(16 * 2 ** 20).toString('base64');

const SLOWLY_MS = 2_500;

let server: Server;
const unsent = new UnsentAnswers(2 ** 20);
const sockets: Socket[] = [];
let open = 0;

beforeAll(async () => {
  const app: Express = express();
  app.use(compression());
  // More time than the other tests have: a process that gets no CPU for a second would end the answer.
  const [slowly, usually] = [endStalledAnswers(SLOWLY_MS), endStalledAnswers(1_000)];
  app.use((request, ...rest) => (request.path === '/slowly' ? slowly : usually)(request, ...rest));
  app.use((_request, response, next) => {
    unsent.count('ada', response);
    open += 1;
    response.once('close', () => (open -= 1));
    next();
  });
  app.get(['/large', '/slowly'], (_request, response) => void response.send(LARGE));
  app.get('/compressed', (_request, response) => void response.type('text').send(TEXT));
  app.get('/file', (_request, response) => void Readable.from([LARGE]).pipe(response));
  // As the adapter of the Model Context Protocol writes.
  app.get('/streamed', async (_request, response) => {
    for (let n = 0; n < 32; n += 1)
      if (!response.write(LARGE.subarray(0, 2 ** 20))) await once(response, 'drain').catch(() => undefined);
    response.end();
  });
  app.get('/paused', (_request, response) => {
    response.write(TEXT.slice(0, 2 ** 20));
    setTimeout(() => response.end('paused'), 1_500);
  });
  app.get('/held', (_request, response) => void setTimeout(() => response.send('held'), 1_500));
  server = app.listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  // Unread answers of this test must not break off those of the next.
  await until('the answers to end', () => open === 0);
});
afterAll(() => new Promise((closed) => server.close(closed)));

/** Asks for a path and reads nothing of the answer. */
function askWithoutReading(path: string): void {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\n\r\n`);
  sockets.push(socket);
}

it.each(['/large', '/file', '/compressed', '/streamed'])('ends %s when nobody reads it', async (path) => {
  askWithoutReading(path);
  await until('the answer to begin', () => open === 1);
  await until('the answer to be ended', () => open === 0);
});

it.each(['/large', '/compressed'])('counts what is unread of %s, until its connection ends', async (path) => {
  askWithoutReading(path);
  await until('unread bytes', () => unsent.isTooMuch('ada'));
  expect(unsent.isTooMuch('bob')).toBe(false);
  await until('the end', () => !unsent.isTooMuch('ada'));
});

it('does not end a request that is held, an answer with a pause, or an answer that is read slowly', async () => {
  const { port } = server.address() as AddressInfo;
  for (const path of ['held', 'paused'])
    expect(await (await fetch(`http://127.0.0.1:${port}/${path}`)).text()).toMatch(new RegExp(`${path}$`));
  const startedAt = performance.now();
  const { body } = await fetch(`http://127.0.0.1:${port}/slowly`);
  let read = 0;
  let pauses = 0;
  for await (const chunk of body!) {
    read += (chunk as Uint8Array).length;
    if (read < pauses * 2 ** 19) continue;
    pauses += 1;
    await new Promise((resolve) => setTimeout(resolve, 60));
  }
  expect(read).toBe(LARGE.length);
  expect(performance.now() - startedAt).toBeGreaterThan(SLOWLY_MS);
});
