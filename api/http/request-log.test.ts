import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from '@jest/globals';
import { pino } from 'pino';
import { pinoHttp } from 'pino-http';
import { answerBrokenRequests } from './broken-requests.js';
import { loggedAddress, requestLogOptions } from './request-log.js';

it('logs one line for a request, with its id and without secrets', async () => {
  let lines = '';
  const log = pino(new Writable({ write: (chunk, _, done) => ((lines += String(chunk)), done()) }));
  const middleware = pinoHttp(requestLogOptions(log));
  const server = createServer((request, response) => {
    middleware(request, response, () => {
      request.log.info('at work');
      response.setHeader('Set-Cookie', 'session=hunter2').end('hunter2');
    });
  }).listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await fetch(`http://127.0.0.1:${port}/api/shared/hunter2`, { headers: { 'x-request-id': 'trace-2' } });
  await fetch(`http://127.0.0.1:${port}/api/ai/echo?prompt=hunter2`, {
    method: 'POST',
    body: 'hunter2',
    headers: { authorization: 'Bearer hunter2', cookie: 'session=hunter2', 'x-request-id': 'trace-1' },
  });
  server.close();
  await once(server, 'close');

  const entries = lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(entries).toEqual([
    expect.objectContaining({ requestId: 'trace-2', msg: 'at work' }),
    expect.objectContaining({ requestId: 'trace-2', msg: 'GET /api/shared/... 200' }),
    expect.objectContaining({ requestId: 'trace-1', msg: 'at work' }),
    expect.objectContaining({ requestId: 'trace-1', msg: 'POST /api/ai/echo 200', address: '127.0.0.0/24' }),
  ]);
  expect(lines).not.toContain('hunter2');
});

it('logs requests for files and pages only if they are refused or fail, summarised and without keys', async () => {
  let lines = '';
  const log = pino(new Writable({ write: (chunk, _, done) => ((lines += String(chunk)), done()) }));
  const middleware = pinoHttp(requestLogOptions(log));
  const server = createServer((request, response) => {
    const status = Number(request.headers['x-status']);
    middleware(request, response, () => response.writeHead(status).end());
  }).listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ask = (path: string, status: number) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'x-status': String(status) } });
  for (const path of ['/', '/files/hunter2', '/ai/write-article', '/health/live']) await ask(path, 200);
  await ask('/health/ready', 503);
  for (const folder of ['', 'batches/', 'exports/']) await ask(`/files/${folder}hunter2/a.png`, 404);
  await ask('/t/hunter2', 410);
  await ask('/mcp?x=hunter2', 405);
  await ask('/', 503);
  for (let n = 0; n < 20; n += 1) await ask('/wp-login.php', 404);
  server.close();
  await once(server, 'close');

  const entries = lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(entries).toHaveLength(20);
  expect(entries.slice(0, 7).map(({ msg, code, level }) => [msg, code, level])).toEqual([
    ['GET /files/... 404', '404', 30],
    ['GET /files/batches/... 404', '404', 30],
    ['GET /files/exports/... 404', '404', 30],
    ['GET /t/... 410', '410', 30],
    ['GET /mcp 405', '405', 30],
    ['GET / 503', '503', 50],
    ['GET /wp-login.php 404', '404', 30],
  ]);
  expect(lines).not.toContain('hunter2');
});

it('logs a request that Node refuses, with the id of its answer', async () => {
  let lines = '';
  const log = pino(new Writable({ write: (chunk, _, done) => ((lines += String(chunk)), done()) }));
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  answerBrokenRequests(server, [], requestLogOptions(log));
  const answers = [];
  for (const request of ['GARBAGE\r\n\r\n', 'CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n']) {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.end(request);
    const answer = await text(socket);
    answers.push(JSON.parse(answer.slice(answer.indexOf('{'))) as { requestId: string });
  }
  server.close();
  const entries = lines
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  expect(entries).toEqual(
    answers.map(({ requestId }) =>
      expect.objectContaining({
        ...{ requestId, status: 400, code: 'VALIDATION_FAILED', address: '127.0.0.0/24' },
      }),
    ),
  );
});

it.each([
  ['203.0.113.77', 'network', '203.0.113.0/24'],
  ['::ffff:203.0.113.77', 'network', '203.0.113.0/24'],
  ['2001:db8:abcd:12:34::1%eth0', 'network', '2001:db8:abcd::/48'],
  ['203.0.113.77', 'full', '203.0.113.77'],
  ['203.0.113.77', 'none', undefined],
  ['', 'network', undefined],
] as const)('logs the address %j (%s) as %j', (address, addresses, logged) => {
  expect(loggedAddress(address, addresses)).toBe(logged);
});
