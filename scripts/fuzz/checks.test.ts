import { describe, expect, it } from '@jest/globals';
import { createOpenApi } from '../../api/docs/openapi.js';
import { checkExchange } from './checks.ts';
import { ApiDocument, type OpenApi } from './document.ts';
import type { FuzzRequest } from './draft.ts';
import type { World } from './requests.ts';
import type { FuzzUser } from './users.ts';
import type { Answer } from './wire.ts';

const SECRET = 'zqsecretword';
const world = {
  document: new ApiDocument(createOpenApi('http://localhost') as unknown as OpenApi),
  stranger: { secret: SECRET },
} as World;

const request = (method: string, target: string): FuzzRequest => ({
  from: 'a test',
  user: undefined,
  method,
  target,
  headers: [['Host', 'localhost']],
  body: Buffer.alloc(0),
});

function answer(status: number, body: object | string, headers: Record<string, string> = {}): Answer {
  return {
    status,
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    headers: new Map(
      Object.entries({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'content-security-policy': "default-src 'self';object-src 'none'",
        'referrer-policy': 'no-referrer',
        'permissions-policy': 'camera=()',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-store',
        'x-request-id': 'one',
        ...headers,
      }).filter(([, value]) => value !== ''),
    ),
  };
}

const check = (sent: FuzzRequest, received: Answer) =>
  checkExchange(world, sent, { answers: [received], rest: Buffer.alloc(0), end: 'answered' });
const live = request('GET', '/health/live');
const failure = { success: false, message: 'No.', code: 'NOT_FOUND', requestId: 'one' };

describe('the checks of an answer', () => {
  it('find nothing if everything is as documented', () => {
    expect(check(live, answer(200, { success: true }))).toEqual([]);
    expect(check(request('GET', '/api/jobs/x'), answer(404, failure))).toEqual([]);
    expect(check(request('PATCH', '/api/nothing'), answer(404, failure))).toEqual([]);
    expect(
      check(request('GET', '/api/ jobs'), answer(400, { ...failure, code: 'VALIDATION_FAILED' })),
    ).toEqual([]);
  });

  it('find what is revealed to others than operators', () => {
    const reveal = (name: string) =>
      check(
        {
          ...request('POST', '/api/admin/creations/x/reveal'),
          from: 'admin-reveal-creation',
          user: { name } as FuzzUser,
        },
        answer(200, { success: true, caption: 'A fox', image: null, thumbnail: null, text: SECRET }),
      );
    expect(reveal('operator')).toEqual([]);
    expect(reveal('premium')).toEqual(['the answer has data of another user']);
  });

  it.each<[string, FuzzRequest, Answer, RegExp]>([
    [
      'a server error',
      request('GET', '/api/jobs'),
      answer(500, { ...failure, code: 'INTERNAL' }),
      /^status 500/,
    ],
    ['a server error without a route', request('GET', '/api/nothing'), answer(503, failure), /^status 503/],
    [
      'a server error within an answer of MCP',
      request('POST', '/mcp'),
      answer(200, { result: { isError: true, content: [{ type: 'text', text: 'It failed. (INTERNAL)' }] } }),
      /^an internal error/,
    ],
    ['a status that is not documented', live, answer(418, failure), /418 is not documented/],
    [
      'a content type that is not documented',
      live,
      answer(200, 'yes', { 'content-type': 'text/plain' }),
      /type text\/plain is not documented/,
    ],
    [
      'a missing field',
      request('GET', '/api/jobs'),
      answer(200, { success: true, jobs: [] }),
      /schema: .*nextCursor/,
    ],
    ['a body that is not JSON', live, answer(200, '{"success":'), /not JSON/],
    [
      'a code of another status',
      request('GET', '/api/jobs/x'),
      answer(404, { ...failure, code: 'RATE_LIMITED' }),
      /RATE_LIMITED is not documented/,
    ],
    [
      'another request’s id',
      request('GET', '/api/jobs/x'),
      answer(404, { ...failure, requestId: 'two' }),
      /request id/,
    ],
    [
      'an error without no-store',
      request('GET', '/api/jobs/x'),
      answer(404, failure, { 'cache-control': '' }),
      /cached/,
    ],
    [
      'an error in another format',
      request('GET', '/api/nothing'),
      answer(404, { error: 'no' }),
      /another format/,
    ],
    [
      'a missing security header',
      live,
      answer(200, { success: true }, { 'x-content-type-options': '' }),
      /x-content-type-options/,
    ],
    [
      'a cookie for scripts',
      live,
      answer(200, { success: true }, { 'set-cookie': 'a=b' }),
      /cookie for scripts/,
    ],
    [
      'the name of the software',
      live,
      answer(200, { success: true }, { 'x-powered-by': 'Express' }),
      /names the software/,
    ],
    ['data of another user', live, answer(200, { success: true, text: SECRET }), /another user/],
    [
      'a stack trace',
      live,
      answer(200, { success: true, stack: 'Error\n    at run (/app/dist/api/main.js:1:2)' }),
      /trace/,
    ],
    [
      'a success for invalid HTTP',
      request('GET', '/api/ jobs'),
      answer(200, { success: true }),
      /invalid HTTP/,
    ],
  ])('find %s', (_, sent, received, problem) => {
    expect(check(sent, received).join('\n')).toMatch(problem);
  });

  it.each([
    ['closed', 'the connection was lost'],
    ['timeout', 'no answer in time'],
  ] as const)('find a missing answer: %s', (end, problem) => {
    expect(checkExchange(world, live, { answers: [], rest: Buffer.alloc(0), end })).toEqual([problem]);
  });
});
