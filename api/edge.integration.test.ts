import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { corpus } from '../scripts/fuzz/corpus.ts';
import { exchange } from '../scripts/fuzz/wire.ts';
import { describeWithRedis } from '../test/support/available.js';
import { startEdgeApp, type EdgeApp } from '../test/support/edge-app.js';
import { testDatabase, type TestDatabase } from '../test/support/database.js';
import { startRedis } from '../test/support/redis.js';
import { allowTimeForPrograms } from '../test/support/time-limits.js';
import { until } from '../test/support/until.js';

allowTimeForPrograms();

const PAGE = `<!doctype html><head><title>Pressroom</title>
<link rel="canonical" href="{{page}}" />
<meta property="og:image" content="{{site}}social.png" /></head>`;

const SCRIPT = `console.log('${'x'.repeat(4000)}')`;
const compressed = { br: brotliCompressSync(SCRIPT), gz: gzipSync(SCRIPT) };

let database: TestDatabase;
let build: string;
let edge: EdgeApp;

beforeAll(async () => {
  database = await testDatabase();
  build = await mkdtemp(join(tmpdir(), 'web-build-'));
  await mkdir(join(build, 'assets'));
  await writeFile(join(build, 'index.html'), PAGE);
  await writeFile(
    join(build, 'preloads.json'),
    '{"accounts":{"local":["/assets/local-1.js"],"clerk":[]},"pages":{"/ai":["/assets/page-2.js"]}}',
  );
  await writeFile(join(build, 'landing.html'), `${PAGE}<h1>Powerful content creation</h1>`);
  await writeFile(join(build, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(join(build, 'assets', 'index-4f2a.js'), SCRIPT);
  for (const [end, content] of Object.entries(compressed))
    await writeFile(join(build, 'assets', `index-4f2a.js.${end}`), content);
  edge = await startEdgeApp(database.url, {}, build);
});
afterAll(async () => {
  await edge.close();
  await database.drop();
  await rm(build, { recursive: true });
});

const read = async <Body>(response: Response) => (await response.json()) as Body;
const json = { 'content-type': 'application/json' };

async function tokenOf(app: EdgeApp, email: string): Promise<string> {
  const signedUp = await app.call('/api/auth/sign-up/email', {
    json: { name: 'Ada', email, password: 'correct horse' },
  });
  const session = await read<{ token: string }>(signedUp);
  return (await read<{ token: string }>(await app.call('/api/auth/token', { token: session.token }))).token;
}

describe('the error envelope', () => {
  const valid = JSON.stringify({ prompt: 'x' });
  it.each<[string, string, RequestInit, number, string, RegExp]>([
    ['an unknown call', '/api/nope', {}, 404, 'NOT_FOUND', /^There is no such call: GET \/api\/nope$/],
    ['another method', '/api/me', { method: 'DELETE' }, 404, 'NOT_FOUND', /no such call/],
    ['OPTIONS', '/api/me', { method: 'OPTIONS' }, 404, 'NOT_FOUND', /no such call/],
    ['a bad percent sign', '/api/%E0%A4%A', {}, 400, 'VALIDATION_FAILED', /percent sign/],
    [
      'a body that is not JSON',
      '/api/open',
      { body: '{', headers: json },
      400,
      'VALIDATION_FAILED',
      /not valid JSON/,
    ],
    ['a JSON text', '/api/open', { body: '"x"', headers: json }, 400, 'VALIDATION_FAILED', /not valid JSON/],
    ['a list', '/api/open', { body: '[]', headers: json }, 400, 'VALIDATION_FAILED', /a JSON object/],
    ['no body', '/api/open', { method: 'POST' }, 400, 'VALIDATION_FAILED', /^Enter a prompt\.$/],
    ['null', '/api/open', { body: 'null', headers: json }, 400, 'VALIDATION_FAILED', /not valid JSON/],
    [
      'a text body',
      '/api/open',
      { body: valid },
      400,
      'VALIDATION_FAILED',
      /Content-Type: application\/json/,
    ],
    [
      'a multipart body',
      '/api/open',
      { body: new FormData() },
      400,
      'VALIDATION_FAILED',
      /Content-Type: application\/json/,
    ],
    [
      'a charset nobody uses',
      '/api/open',
      { body: valid, headers: { 'content-type': 'application/json; charset=koi8-r' } },
      400,
      'VALIDATION_FAILED',
      /UTF-8/,
    ],
    [
      'an unknown compression',
      '/api/open',
      { body: valid, headers: { ...json, 'content-encoding': 'zip' } },
      400,
      'VALIDATION_FAILED',
      /^Send the body uncompressed/,
    ],
    [
      'a compressed body, even if it is valid',
      '/api/open',
      { body: gzipSync(valid), headers: { ...json, 'content-encoding': 'gzip' } },
      400,
      'VALIDATION_FAILED',
      /^Send the body uncompressed/,
    ],
    [
      'a body of other bytes for each letter',
      '/api/open',
      {
        body: Buffer.from(valid, 'utf16le'),
        headers: { 'content-type': 'application/json; charset=utf-16le' },
      },
      400,
      'VALIDATION_FAILED',
      /UTF-8/,
    ],
    [
      'a body of many levels',
      '/api/open',
      { body: `{"prompt":${'['.repeat(300)}${']'.repeat(300)}}`, headers: json },
      400,
      'VALIDATION_FAILED',
      /nested too deeply/,
    ],
    [
      'a body over the limit',
      '/api/open',
      { body: JSON.stringify({ prompt: 'x'.repeat(110_000) }), headers: json },
      413,
      'FILE_TOO_LARGE',
      /larger/,
    ],
    ['our own refusal', '/api/fail/busy', {}, 503, 'QUEUE_FULL', /^Too much to do\.$/],
    ['an unavailable database', '/api/fail/unavailable', {}, 503, 'UNAVAILABLE', /Nothing was charged/],
    ['anything else', '/api/fail/other', {}, 500, 'INTERNAL', /^Something went wrong on our side/],
  ])('has %s', async (_, path, options, status, code, message) => {
    const response = await edge.call(path, { method: options.body ? 'POST' : 'GET', ...options });
    expect(response.status).toBe(status);
    expect(await read(response)).toMatchObject({
      success: false,
      code,
      message: expect.stringMatching(message),
      requestId: response.headers.get('x-request-id'),
    });
  });

  it('names each field that is wrong', async () => {
    const response = await edge.call('/api/open', { json: { prompt: '' } });
    expect(await read(response)).toMatchObject({
      message: 'Enter a prompt.',
      details: [{ field: 'prompt', message: 'Enter a prompt.' }],
    });
  });

  it('has Retry-After', async () => {
    expect((await edge.call('/api/fail/busy')).headers.get('retry-after')).toBe('7');
    expect((await edge.call('/api/fail/unavailable')).headers.get('retry-after')).toBe('5');
  });

  it('shows no internal message or stack', async () => {
    const text = await (await edge.call('/api/fail/other')).text();
    expect(text).not.toMatch(/secret reason|at /);
  });

  it('ignores __proto__', async () => {
    const body = '{"__proto__":{"polluted":true},"constructor":{"prototype":{}},"prompt":"x"}';
    const response = await edge.call('/api/open', { method: 'POST', body, headers: json });
    expect(await read(response)).toEqual({ success: true, body: { prompt: 'x' } });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

describe('the request id', () => {
  it('is the caller’s when it is valid', async () => {
    const response = await edge.call('/api/nope', { headers: { 'x-request-id': 'trace-1:a' } });
    expect(response.headers.get('x-request-id')).toBe('trace-1:a');
    expect(await read(response)).toMatchObject({ requestId: 'trace-1:a' });
  });

  it.each(['has space', 'x'.repeat(101), '<script>'])('is generated when the given one is %j', async (id) => {
    const response = await edge.call('/api/nope', { headers: { 'x-request-id': id } });
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('the security headers', () => {
  const policyOf = async (path: string) =>
    new Map(
      ((await edge.call(path)).headers.get('content-security-policy') ?? '')
        .split(';')
        .map((directive) => directive.split(' '))
        .map(([name = '', ...sources]) => [name, sources.join(' ')]),
    );

  it('allow scripts from our own files only', async () => {
    const policy = await policyOf('/');
    expect(policy.get('default-src')).toBe("'self'");
    expect(policy.get('script-src')).toBe("'self'");
    expect(policy.get('style-src')).toBe("'self' 'unsafe-inline'");
    expect(policy.get('img-src')).toBe("'self' http://localhost:4300 http://127.0.0.1:4300 data: blob:");
    expect(policy.get('connect-src')).toContain("'self' ws://localhost:4300 ws://127.0.0.1:4300");
    for (const name of ['object-src', 'frame-ancestors', 'base-uri', 'script-src-attr']) {
      expect(policy.get(name)).toBe("'none'");
    }
  });

  it('have a separate policy for the documentation', async () => {
    expect((await policyOf('/api/docs')).get('connect-src')).toBe("'self'");
  });

  it('are on every answer', async () => {
    for (const path of ['/', '/api/nope', '/api/auth/jwks', '/health/live', '/assets/index-4f2a.js']) {
      const { headers } = await edge.call(path);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
      expect(headers.get('permissions-policy')).toContain('camera=()');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('x-powered-by')).toBeNull();
      expect(headers.get('strict-transport-security')).toBeNull();
    }
  });

  it('require https only for an https address', async () => {
    const secure = await startEdgeApp(database.url, { PUBLIC_URL: 'https://pressroom.example.com' }, build);
    const { headers } = await secure.call('/');
    await secure.close();
    expect(headers.get('strict-transport-security')).toMatch(/^max-age=31536000/);
    expect(headers.get('content-security-policy')).toContain(
      "connect-src 'self' wss://pressroom.example.com;",
    );
    expect(headers.get('content-security-policy')).toContain("img-src 'self' data: blob:;");
  });
});

describe('the web client', () => {
  const html = { accept: 'text/html,application/xhtml+xml' };

  it.each(['/', '/ai/write-article', '/ai/unknown?x=1', '/%E0%A4%A'])(
    'answers %s with its page',
    async (path) => {
      const response = await edge.call(path, { headers: html });
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toMatch(/^text\/html/);
      expect(response.headers.get('cache-control')).toBe('no-cache');
      expect(await response.text()).toContain('<title>Pressroom</title>');
    },
  );

  it('has pages with preload links for their scripts and first calls', async () => {
    const preloads = async (path: string) =>
      [...(await (await edge.call(path)).text()).matchAll(/load"[^>]* href="([^"]*)"/g)].map(
        ([, href]) => href,
      );
    const calls = ['/api/config', '/api/auth/get-session'];
    expect(await preloads('/ai')).toEqual([...calls, '/assets/local-1.js', '/assets/page-2.js']);
    expect(await preloads('/ai/of-a-later-version')).toEqual(await preloads('/ai'));
    expect(await preloads('/terms')).toEqual([...calls, '/assets/local-1.js']);
    expect(await preloads('/')).toEqual([]);
  });

  it.each([
    '/api/unknown',
    '/health/unknown',
    '/socket.io/unknown',
    '/c/unknown',
    '/assets/old-1234.js',
    '/unknown.txt',
    '/..%2f..%2fetc%2fpasswd.txt',
  ])('answers %s with 404, not with a page', async (path) => {
    const response = await edge.call(path, { headers: html });
    expect(response.status).toBe(404);
    expect(await read(response)).toMatchObject({ success: false, code: 'NOT_FOUND' });
  });

  it('has absolute addresses in every page, and prerendered content in the start page only', async () => {
    const start = await (await edge.call('/', { headers: html })).text();
    expect(start).toMatch(/rel="canonical" href="http:\/\/[^/"]+\/"/);
    expect(start).toMatch(/content="http:\/\/[^/"]+\/social\.png"/);
    expect(start).toContain('<h1>Powerful content creation</h1>');
    const addressOf = async (path: string) =>
      /rel="canonical" href="http:\/\/[^/"]+(.*?)"/.exec(
        await (await edge.call(path, { headers: html })).text(),
      )?.[1];
    expect(await addressOf('/terms')).toBe('/terms');
    expect(await addressOf('/ai')).toBe('/ai');
    expect(await addressOf('/ai/random')).toBe('/ai');
    expect(await addressOf('/$&"><script>')).toBe('/');
    const other = await (await edge.call('/random', { headers: html })).text();
    expect(other).not.toContain('<h1>');
  });

  it('has robots.txt and a sitemap with the public pages', async () => {
    expect(await (await edge.call('/robots.txt')).text()).toMatch(/^Disallow: \/ai$/m);
    expect(await (await edge.call('/sitemap.xml')).text()).toMatch(/<loc>http:\/\/[^/]+\/terms<\/loc>/);
  });

  it('answers HEAD and GET, and no other method', async () => {
    const head = await edge.call('/ai', { method: 'HEAD', headers: html });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect((await edge.call('/ai', { method: 'POST', headers: html })).status).toBe(404);
  });

  it('has hashed files cached for a year, compressed, and others revalidated', async () => {
    const script = await edge.call('/assets/index-4f2a.js');
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    for (const [accepted, encoding, { length }] of [
      ['gzip, deflate, br', 'br', compressed.br],
      ['gzip', 'gzip', compressed.gz],
    ] as const) {
      const answer = await edge.call('/assets/index-4f2a.js', { headers: { 'accept-encoding': accepted } });
      expect(answer.headers.get('content-encoding')).toBe(encoding);
      expect(answer.headers.get('content-type')).toMatch(/^text\/javascript/);
      expect(answer.headers.get('content-length')).toBe(String(length));
      expect(await answer.text()).toBe(SCRIPT);
    }
    const plain = await edge.call('/assets/index-4f2a.js', { headers: { 'accept-encoding': 'identity' } });
    expect([plain.headers.get('content-encoding'), await plain.text()]).toEqual([null, SCRIPT]);
    expect((await edge.call('/favicon.svg')).headers.get('cache-control')).toBe('no-cache');
  });

  it('has pages compressed whole, and limits what one address asks for', async () => {
    const page = await edge.call('/', { headers: html });
    expect(page.headers.get('content-encoding')).toBe('gzip');
    expect(Number(page.headers.get('content-length'))).toBeLessThan((await page.text()).length);
    const limited = await startEdgeApp(database.url, { RATE_LIMIT_REQUESTS: '1' }, build);
    const statuses = new Map<number, number>();
    for (let i = 0; i < 30; i += 1) {
      const { status } = await limited.call(i % 2 ? '/' : '/assets/index-4f2a.js', { headers: html });
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
    await limited.close();
    expect(statuses).toEqual(
      new Map([
        [200, 20],
        [429, 10],
      ]),
    );
  });

  it('answers 503 with a hint when it is not built', async () => {
    const bare = await startEdgeApp(database.url, {}, join(build, 'missing'));
    const response = await bare.call('/', { headers: html });
    await bare.close();
    expect(response.status).toBe(503);
    expect(await response.text()).toContain('npm run build');
  });
});

describe('the rate limits', () => {
  it('count requests and submissions of each user', async () => {
    const limited = await startEdgeApp(database.url, {
      RATE_LIMIT_REQUESTS: '8',
      RATE_LIMIT_SUBMISSIONS: '2',
    });
    try {
      const [ada, ben] = [
        await tokenOf(limited, 'ada@example.com'),
        await tokenOf(limited, 'ben@example.com'),
      ];
      const submit = (token: string) => limited.call('/api/ai/echo', { json: { prompt: 'x' }, token });
      expect((await submit(ada)).status).toBe(201);
      const batch = await limited.call('/api/batches', { json: { prompt: 'x' }, token: ada });
      expect(batch.status).toBe(201);
      const refused = await submit(ada);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await read(refused)).toMatchObject({ success: false, code: 'RATE_LIMITED' });
      expect((await submit(ben)).status).toBe(201);

      const statuses = [];
      for (let i = 0; i < 6; i++) statuses.push((await limited.call('/api/me', { token: ada })).status);
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
      expect((await limited.call('/api/me', { token: ben })).status).toBe(200);
    } finally {
      await limited.close();
    }
  });

  it('count calls without a user by address, but no probes and no files', async () => {
    const limited = await startEdgeApp(database.url, { RATE_LIMIT_REQUESTS: '3' }, build);
    try {
      for (let i = 0; i < 5; i++) {
        expect((await limited.call('/health/live')).status).toBe(200);
        expect((await limited.call('/')).status).toBe(200);
      }
      const statuses = [];
      for (let i = 0; i < 5; i++) statuses.push((await limited.call('/api/me', { token: 'a.b.c' })).status);
      expect(statuses).toEqual([401, 401, 401, 429, 429]);
      expect((await limited.call('/api/auth/jwks')).status).toBe(429);
      expect((await limited.call('/health/live')).status).toBe(200);
    } finally {
      await limited.close();
    }
  });

  it('are counted in memory while Redis is unavailable', async () => {
    const limited = await startEdgeApp(database.url, {
      RATE_LIMIT_REQUESTS: '3',
      REDIS_URL: 'redis://127.0.0.1:1',
    });
    try {
      const statuses = [];
      for (let i = 0; i < 4; i++) statuses.push((await limited.call('/api/me')).status);
      expect(statuses).toEqual([401, 401, 401, 429]);
    } finally {
      await limited.close();
    }
  });
});

describeWithRedis('the rate limits on Redis', () => {
  it('are shared by all processes, and work without Redis after it stops', async () => {
    const redis = await startRedis();
    const variables = { RATE_LIMIT_REQUESTS: '4', REDIS_URL: redis.url, TRUSTED_PROXIES: '127.0.0.1' };
    const [one, two] = await Promise.all([
      startEdgeApp(database.url, variables),
      startEdgeApp(database.url, variables),
    ]);
    try {
      const ask = async (app: EdgeApp, from: string) =>
        (await app.call('/api/me', { headers: { 'x-forwarded-for': from } })).status;
      await untilCounted(redis.url, '198.51.100.1', (from) => ask(one, from));
      await untilCounted(redis.url, '198.51.100.2', (from) => ask(two, from));
      let address = 0;
      // A process that waits for longer than 0.3 s for Redis counts a call in memory.
      await until('six calls that Redis counts', async () => {
        const from = `192.0.2.${(address += 1)}`;
        const statuses = [];
        for (const app of [one, two, one, two, one, two]) statuses.push(await ask(app, from));
        return statuses.join() === '401,401,401,401,429,429';
      });
      await redis.stop();
      expect(await ask(one, `192.0.2.${address}`)).toBe(401);
    } finally {
      await Promise.all([one.close(), two.close()]);
    }
  });
});

/** Repeats calls until Redis counts them, since the first calls may be made before the process is connected to Redis. */
async function untilCounted(
  url: string,
  from: string,
  call: (from: string) => Promise<unknown>,
): Promise<void> {
  const redis = new Redis(url);
  try {
    do await call(from);
    while ((await redis.keys(`pressroom:limit:addresses:${from}`)).length === 0);
  } finally {
    redis.disconnect();
  }
}

describe('a body that is not complete', () => {
  /** Sends the start of a body and waits for an answer. */
  function begin(app: EdgeApp, path: string, { length = 50_000, bytes = 1, headers = {} } = {}) {
    const sent = request(`${app.origin}${path}`, {
      method: 'POST',
      headers: { ...json, 'Content-Length': length, ...headers },
    });
    const answer = new Promise<IncomingMessage>((resolve) => sent.once('response', resolve));
    sent.on('error', () => undefined).write(Buffer.alloc(bytes, '{'));
    return { sent, answer };
  }

  it.each([
    ['an unknown call', '/api/nope', {}, 404],
    ['a call without a token', '/api/batches', {}, 401],
    ['a token that is none', '/api/ai/echo', { authorization: 'Bearer a.b.c' }, 401],
    ['a compressed body', '/api/open', { 'content-encoding': 'gzip' }, 400],
    ['another type', '/api/open', { 'content-type': 'text/plain' }, 400],
  ])('is not read for %s', async (_, path, headers, status) => {
    const { sent, answer } = begin(edge, path, { headers });
    expect((await answer).statusCode).toBe(status);
    sent.destroy();
  });

  it('is refused if its network has sent too many bytes that are not complete', async () => {
    const app = await startEdgeApp(database.url, { RATE_LIMIT_REQUESTS: '1000' }, build);
    const unfinished = Array.from({ length: 90 }, () =>
      begin(app, '/api/open', { length: 100_000, bytes: 99_000 }),
    );
    const refused = await Promise.any(unfinished.map(({ answer }) => answer));
    expect(refused.statusCode).toBe(429);
    for (const { sent } of unfinished) sent.destroy();
    await until(
      'another body',
      async () => (await app.call('/api/open', { json: { prompt: 'x'.repeat(90_000) } })).status === 201,
    );
    await app.close();
  });
});

const HOST = 'Host: localhost\r\n';
const LIVE = `GET /health/live HTTP/1.1\r\n${HOST}`;
const send = (text: string, methods = ['GET', 'GET']) =>
  exchange(Number(new URL(edge.origin).port), [text], methods);
const parse = (body: Buffer) => JSON.parse(body.toString()) as object;

const post = (headers: string, body: string) =>
  `POST /api/open HTTP/1.1\r\n${HOST}Content-Type: application/json\r\n${headers}\r\n${body}`;

describe('a request that is not valid HTTP', () => {
  it.each(
    [
      ...corpus.requestHeads,
      ...corpus.contradictingLengths.map(({ headers, body }) => post(headers, body)),
      ...corpus.chunks.map((chunks) => post('Transfer-Encoding: chunked\r\n', chunks)),
    ].map((text) => [JSON.stringify(text).slice(0, 150), text]),
  )('is refused or ends its connection, with the request behind it: %s', async (_, text) => {
    const { answers, end } = await send(`${text}${LIVE}\r\n`);
    expect(end).toBe('closed');
    expect(answers.map(({ status }) => Math.floor(status / 100)).join()).toMatch(/^4?$/);
    expect((await edge.call('/health/live')).status).toBe(200);
  });

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
  ])('gets the error envelope, and its connection ends: %s', async (_, text, status) => {
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

  it('may have an unknown expectation', async () => {
    const { answers } = await send(`${LIVE}Expect: the unexpected\r\n\r\n`, ['GET']);
    expect(answers[0]).toMatchObject({ status: 200 });
    expect(answers[0]!.headers.get('x-content-type-options')).toBe('nosniff');
  });
});

it('refuses requests of a connection that sends many without waiting for answers', async () => {
  const count = 60;
  const { answers } = await send(`${LIVE}\r\n`.repeat(count), Array<string>(count).fill('GET'));
  expect(answers).toHaveLength(count);
  const refused = answers.filter(({ status }) => status === 429);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(count - refused.length);
  expect(parse(refused[0]!.body)).toMatchObject({ success: false, code: 'RATE_LIMITED' });
  expect(Object.fromEntries(refused[0]!.headers)).toMatchObject({
    'retry-after': '1',
    'x-content-type-options': 'nosniff',
  });
});

it('matches paths case-sensitively: other spellings would bypass limits', async () => {
  const lower = await edge.call('/api/open', { json: { prompt: 'x' } });
  const upper = await edge.call('/API/OPEN', { json: { prompt: 'x' } });
  expect([lower.status, upper.status]).toEqual([201, 404]);
});
