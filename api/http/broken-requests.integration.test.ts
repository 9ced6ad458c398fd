import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exchange } from '../../scripts/fuzz/wire.ts';
import { testDatabase, type TestDatabase } from '../../test/support/database.js';
import { startEdgeApp, type EdgeApp } from '../../test/support/edge-app.js';
import { allowTimeForPrograms } from '../../test/support/time-limits.js';

allowTimeForPrograms();

let database: TestDatabase;
let edge: EdgeApp;
beforeAll(async () => {
  database = await testDatabase();
  edge = await startEdgeApp(database.url);
});
afterAll(async () => {
  await edge.close();
  await database.drop();
});

const HOST = 'Host: localhost\r\n';
const LIVE = `GET /health/live HTTP/1.1\r\n${HOST}`;
const send = (text: string, methods = ['GET', 'GET']) =>
  exchange(Number(new URL(edge.origin).port), [text], methods);
const parse = (body: Buffer) => JSON.parse(body.toString()) as object;

describe('a request that is no HTTP', () => {
  it.each([
    ['bytes of TLS', '\x16\x03\x01\x02\x00\x01\r\n\r\n', 400],
    ['a header without a colon', `${LIVE}No colon\r\n\r\n`, 400],
    ['a control character', `${LIVE}X: a\0b\r\n\r\n`, 400],
    ['headers over 16 KB', `${LIVE}X: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    ['no Host', 'GET /health/live HTTP/1.1\r\n\r\n', 400],
    ['two Hosts', `${LIVE}${HOST}\r\n`, 400],
    ['a length and chunks', `${LIVE}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400],
    [
      'broken chunks',
      `POST /api/open HTTP/1.1\r\n${HOST}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
      400,
    ],
    ['a tunnel', `CONNECT localhost:80 HTTP/1.1\r\n${HOST}\r\n`, 400],
  ])('is answered like others and ends the connection: %s', async (_, text, status) => {
    const { answers, end } = await send(text);
    expect(answers.map((answer) => answer.status)).toEqual([status]);
    expect(end).toBe('closed');
    const { headers, body } = answers[0]!;
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'content-security-policy': expect.stringContaining("default-src 'self'"),
      'content-type': 'application/json; charset=utf-8',
    });
    expect(parse(body)).toMatchObject({
      success: false,
      code: 'VALIDATION_FAILED',
      message: expect.stringMatching(/^\p{Lu}.{8,}\.$/u),
      requestId: expect.stringMatching(/\S{8,}/),
    });
  });

  it('is answered after the good requests before it', async () => {
    const { answers } = await send(`${LIVE}X-Request-Id: first\r\n\r\nnonsense\r\n\r\n`);
    expect(answers.map(({ status, headers }) => [status, headers.get('x-request-id')])).toEqual([
      [200, 'first'],
      [400, undefined],
    ]);
  });

  it('may expect what it likes', async () => {
    const { answers } = await send(`${LIVE}Expect: the unexpected\r\n\r\n`, ['GET']);
    expect(answers[0]).toMatchObject({ status: 200 });
    expect(answers[0]!.headers.get('x-content-type-options')).toBe('nosniff');
  });
});

it('reads paths as they are written: another case would get round limits', async () => {
  const lower = await edge.call('/api/open', { json: { prompt: 'x' } });
  const upper = await edge.call('/API/OPEN', { json: { prompt: 'x' } });
  expect([lower.status, upper.status]).toEqual([201, 404]);
});
