import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Logger } from '@nestjs/common';
import {
  Client as CurrentClient,
  StreamableHTTPClientTransport as CurrentTransport,
} from '@modelcontextprotocol/client';
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { execa } from 'execa';
import type { KeyScope } from '#libs/contract/api-keys.js';
import { keyScopes } from '#libs/contract/api-keys.js';
import { toolNames } from '#libs/tools/catalogue.js';
import { discOnBlue } from '../../test/support/image-files.ts';
import { useInProcessProduct, type SignedInUser } from '../../test/support/in-process-product.ts';
import { closeGate, gate } from '../../test/support/probe-tools.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';
import { until } from '../../test/support/until.ts';

allowTimeForPrograms();

const product = useInProcessProduct({
  WORKER_CONCURRENCY: 'image=1',
  RATE_LIMIT_SUBMISSIONS: '1000',
  RATE_LIMIT_REQUESTS: '1000',
});
let ada: SignedInUser;
beforeAll(async () => {
  ada = await product.signUp('Ada', 'premium');
});

async function createKey(user: SignedInUser, scopes: readonly KeyScope[] = keyScopes): Promise<string> {
  const answer = await user.call('/api/keys', { json: { name: 'Assistant', scopes } });
  return ((await answer.json()) as { secret: string }).secret;
}

interface Content {
  type: string;
  text?: string;
  data?: string;
  mimeType?: string;
  uri?: string;
}
interface Outcome {
  isError?: boolean;
  content: Content[];
  structuredContent?: { jobId: string; status: string; percent: number; result?: Record<string, unknown> };
}
interface CallOptions {
  onprogress?: (progress: { progress: number }) => void;
  signal?: AbortSignal;
}
interface TestClient {
  tools(): Promise<{ name: string; inputSchema: { properties?: object; required?: string[] } }[]>;
  call(name: string, args: object, options?: CallOptions): Promise<Outcome>;
}

interface Mistake {
  header?: string;
  type?: string;
  version?: string;
  clientInfo?: undefined;
}

const url = () => new URL('/mcp', product.origin);
const withKey = (secret: string) => ({ requestInit: { headers: { Authorization: `Bearer ${secret}` } } });

const clients = {
  'of 2026': async (secret: string): Promise<TestClient> => {
    const client = new CurrentClient(
      { name: 'test', version: '1' },
      { versionNegotiation: { mode: 'auto' } },
    );
    await client.connect(new CurrentTransport(url(), withKey(secret)));
    return {
      tools: async () => (await client.listTools()).tools,
      call: async (name, args, options) =>
        (await client.callTool({ name, arguments: args as Record<string, unknown> }, options)) as Outcome,
    };
  },
  'of 2025': async (secret: string): Promise<TestClient> => {
    const client = new EarlierClient({ name: 'test', version: '1' });
    await client.connect(new EarlierTransport(url(), withKey(secret)));
    return {
      tools: async () => (await client.listTools()).tools,
      call: async (name, args, options) =>
        (await client.callTool(
          { name, arguments: args as Record<string, unknown> },
          undefined,
          options,
        )) as unknown as Outcome,
    };
  },
};

describe.each(Object.entries(clients))('MCP for clients %s', (_, connect) => {
  let client: TestClient;
  beforeAll(async () => {
    client = await connect(await createKey(ada));
  });

  it('has every tool of the catalogue, with its own fields and files', async () => {
    const tools = await client.tools();
    expect(tools.map(({ name }) => name).toSorted()).toEqual(
      [...toolNames, 'get_job', 'cancel_job'].toSorted(),
    );
    const review = tools.find(({ name }) => name === 'resume-review')!;
    expect(review.inputSchema).toMatchObject({
      properties: { resume: { properties: { data: {}, url: {} } } },
      required: ['resume'],
    });
  });

  it('runs a tool, with progress, and returns its text', async () => {
    const seen: number[] = [];
    const { content, structuredContent } = await client.call(
      'generate-blog-title',
      { prompt: 'printing', category: 'Technology' },
      { onprogress: ({ progress }) => void seen.push(progress) },
    );
    expect(structuredContent).toMatchObject({ status: 'succeeded', percent: 100 });
    expect(content[0]!.text).toBe(structuredContent!.result!['content']);
    expect(seen).toEqual(seen.toSorted((one, other) => one - other));
    const { structuredContent: found } = await client.call('get_job', { jobId: structuredContent!.jobId });
    expect(found).toEqual(structuredContent);
  });

  it('takes a picture as data, and returns one', async () => {
    const base64 = (await discOnBlue(96, 72).png().toBuffer()).toString('base64');
    const data = `data:image/png;base64,${base64}`;
    let outcome = await client.call('remove-image-background', { image: { data, name: 'disc.png' } });
    while (outcome.structuredContent?.status === 'running')
      outcome = await client.call('get_job', { jobId: outcome.structuredContent.jobId });
    expect(outcome).toMatchObject({ structuredContent: { status: 'succeeded' } });
    const [picture, link] = outcome.content;
    expect(picture).toMatchObject({ type: 'image', mimeType: 'image/png' });
    expect(Buffer.from(picture!.data!, 'base64').subarray(1, 4).toString()).toBe('PNG');
    expect(link).toMatchObject({
      type: 'resource_link',
      uri: outcome.structuredContent!.result!['content'],
      mimeType: 'image/png',
    });
  });

  it.each([
    ['a missing file', {}, /image/i],
    [
      'data and link',
      { image: { data: 'AA==', url: 'https://example.com/a.png' } },
      /either the data or the url/,
    ],
    ['a link inside', { image: { url: 'https://127.0.0.1/a.png' } }, /could not be fetched/],
    ['a link without TLS', { image: { url: 'http://example.com/a.png' } }, /could not be fetched/],
    ['another kind of file', { image: { data: Buffer.from('text').toString('base64') } }, /UNSUPPORTED_FILE/],
  ])('answers %s with what to do', async (__, args, message) => {
    const outcome = await client.call('remove-image-background', args);
    expect(outcome).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(message) }] });
  });

  it('names the other jobs of a call that starts several', async () => {
    const { content } = await client.call('generate-image', { prompt: 'A fox', count: 2 });
    const [, other] = /also started ([0-9a-f-]{36})\. Call get_job/.exec(content.at(-1)!.text!)!;
    let outcome = await client.call('get_job', { jobId: other });
    while (outcome.structuredContent?.status === 'running')
      outcome = await client.call('get_job', { jobId: other });
    expect(outcome.structuredContent).toMatchObject({ status: 'succeeded' });
  });
});

async function newestJobs(limit: number) {
  const answer = await ada.call(`/api/jobs?limit=${limit}`);
  return ((await answer.json()) as { jobs: { tool: string; status: string }[] }).jobs;
}

describe('MCP', () => {
  it('cancels all jobs of a cancelled call, which clients of 2025 cannot tell', async () => {
    // The only slot of the queue is taken, so that no job ends before.
    closeGate();
    await ada.call('/api/ai/probe-image', { json: {}, headers: { Prefer: 'respond-async' } });
    await until('the probe', () => gate.waiting === 1);
    const client = await clients['of 2026'](await createKey(ada));
    const controller = new AbortController();
    const args = { prompt: 'A fox', count: 3 };
    const call = client.call('generate-image', args, { signal: controller.signal });
    const statuses = async () => (await newestJobs(3)).map(({ tool, status }) => `${tool} ${status}`);
    await until('the jobs', async () => (await statuses()).every((one) => one === 'generate-image queued'));
    controller.abort();
    await expect(call).rejects.toThrow();
    await until('the jobs to be cancelled', async () =>
      (await statuses()).every((one) => one === 'generate-image cancelled'),
    );
    gate.open();
  });

  it('lists and runs only what the key may', async () => {
    const client = await clients['of 2026'](await createKey(ada, ['text']));
    const names = (await client.tools()).map(({ name }) => name);
    expect(names).toContain('generate-article');
    expect(names).not.toContain('generate-image');
    expect(names).not.toContain('get_job');
  });

  it('reaches no job of another user', async () => {
    const bob = await product.signUp('Bob');
    const client = await clients['of 2026'](await createKey(bob));
    const other = await (
      await ada.call('/api/ai/generate-blog-title', { json: { prompt: 'ink', category: 'Food' } })
    ).json();
    const { jobId } = other as { jobId: string };
    for (const name of ['get_job', 'cancel_job'])
      expect(await client.call(name, { jobId })).toMatchObject({
        isError: true,
        content: [{ text: 'There is no such job. (NOT_FOUND)' }],
      });
  });

  it.each([
    ['no key', {}, 401],
    ['another key', { Authorization: 'Bearer prk_0123456789ab_none' }, 401],
    ['another website', { Origin: 'https://evil.example' }, 403],
  ])('refuses %s', async (_, headers, status) => {
    const answer = await fetch(url(), {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ success: false });
  });

  // The other scenarios need tools, resources and prompts of their own.
  it.each(['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'])(
    'conforms to the protocol: %s',
    async (scenario) => {
      const authorization = `Bearer ${await createKey(ada)}`;
      const { hostname, port } = new URL(product.origin);
      // The suite sends no token.
      const proxy = createServer((incoming, answer) => {
        const { method, url: path, headers } = incoming;
        const onward = request(
          { hostname, port, method, path, headers: { ...headers, authorization } },
          (response) => {
            answer.writeHead(response.statusCode!, response.headers);
            response.pipe(answer);
          },
        );
        incoming.pipe(onward);
      });
      await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening));
      const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`;
      const program = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';
      const { all, exitCode } = await execa(
        process.execPath,
        [program, 'server', '--url', address, '--scenario', scenario],
        { all: true, reject: false },
      );
      proxy.closeAllConnections();
      await new Promise((closed) => proxy.close(closed));
      expect([exitCode, all]).toEqual([0, expect.stringMatching(/\b0 failed/)]);
    },
  );

  it('counts each call of a batch as a request, and takes at most ten', async () => {
    const { token } = await product.signUp('Batches');
    const send = async (length: number) => {
      const { status } = await fetch(url(), {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${token}`,
          Accept: 'application/json, text/event-stream',
          'Content-Type': 'application/json',
        },
        body: JSON.stringify(Array.from({ length }, (__, id) => ({ jsonrpc: '2.0', id, method: 'ping' }))),
      });
      return status;
    };
    expect(await send(11)).toBe(400);
    const statuses: number[] = [];
    for (let sent = 0; sent < 101; sent += 1) statuses.push(await send(10));
    expect([statuses[0], statuses.at(-1)]).toEqual([200, 429]);
  });

  it.each([
    ['an unknown version', { version: 'v'.repeat(100_000) }],
    ['a version in a header that differs', { header: '2026-07-28', version: 'x' }],
    ['another media type', { type: 'text/plain' }],
    ['no client', { version: '2026-07-28', clientInfo: undefined }],
  ])('logs no error of its own for %s', async (__, { header, type, version, ...meta }: Mistake) => {
    const log = jest.spyOn(Logger.prototype, 'error');
    const key = 'io.modelcontextprotocol/';
    const fields = { clientInfo: { name: 'x', version: '1' }, clientCapabilities: {}, ...meta };
    const answer = await fetch(url(), {
      method: 'POST',
      headers: {
        'Content-Type': type ?? 'application/json',
        Accept: 'application/json, text/event-stream',
        Authorization: `Bearer ${await createKey(ada)}`,
        ...(header && { 'MCP-Protocol-Version': header }),
      },
      body: JSON.stringify({
        ...{ jsonrpc: '2.0', id: 1, method: 'tools/list' },
        params: {
          _meta: Object.fromEntries(
            Object.entries({ protocolVersion: version, ...fields }).map(([name, value]) => [
              key + name,
              value,
            ]),
          ),
        },
      }),
    });
    expect([answer.status >= 400 && answer.status < 500, log.mock.calls]).toEqual([true, []]);
    log.mockRestore();
  });

  it('refuses a body that is too large', async () => {
    const answer = await fetch(url(), {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
        Authorization: `Bearer ${await createKey(ada)}`,
      },
      body: 'x'.repeat(16 * 2 ** 20),
    });
    expect(answer.status).toBe(413);
  });

  it('refuses a body of many levels', async () => {
    const answer = await fetch(url(), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${await createKey(ada)}` },
      body: '['.repeat(14 * 2 ** 20),
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ message: expect.stringMatching(/nested too deeply/) });
  });

  it('counts no bodies of calls that wait for jobs, in chunks or with files', async () => {
    const dora = await product.signUp('Dora', 'premium');
    const headers = {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      Authorization: `Bearer ${await createKey(dora)}`,
    };
    const bodyOf = (name: string, args: object) =>
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
    closeGate();
    const probe = await dora.call('/api/ai/probe-image', { json: {}, headers: { Prefer: 'respond-async' } });
    const { job } = (await probe.json()) as { job: { id: string } };
    await until('the probe', () => gate.waiting === 1);
    const base64 = (await discOnBlue(96, 72).png().toBuffer()).toString('base64');
    const picture = bodyOf('remove-image-background', { image: { data: base64 + ' '.repeat(14 * 2 ** 20) } });
    const closed = new AbortController();
    const calls = [picture, picture].map((body) =>
      fetch(url(), { method: 'POST', headers, body, signal: closed.signal }),
    );
    const jobs = async () =>
      ((await (await dora.call('/api/jobs?limit=10')).json()) as { jobs: object[] }).jobs.length;
    await until('the jobs', async () => (await jobs()) === 3);
    const sendInChunks = (body: string) => {
      const sent = request(url(), { method: 'POST', headers });
      const answer = new Promise<IncomingMessage>((resolve) => sent.once('response', resolve));
      sent.on('error', () => undefined).write(body);
      sent.end();
      return { sent, answer };
    };
    const waiting = [1, 2, 3].map(() => sendInChunks(bodyOf('get_job', { jobId: job.id })));
    const ping = sendInChunks(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }));
    expect((await ping.answer).statusCode).toBe(200);
    closed.abort();
    for (const { sent } of [...waiting, ping]) sent.destroy();
    await Promise.allSettled(calls);
    gate.open();
  });

  it('refuses further calls while the bodies of one user take too much memory', async () => {
    const cleo = await product.signUp('Cleo');
    const headers = {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      Authorization: `Bearer ${await createKey(cleo)}`,
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    const ping = () => fetch(url(), { method: 'POST', headers, body });
    const unfinished = [1, 2].map(() => {
      const sent = request(url(), {
        method: 'POST',
        headers: { ...headers, 'Content-Length': 15 * 2 ** 20 },
      });
      sent.on('error', () => undefined).write(Buffer.alloc(15 * 2 ** 20 - 10, ' '));
      return sent;
    });
    let refused: Response | undefined;
    await until('the refusal', async () => (refused = await ping()).status === 429);
    expect(refused!.headers.get('Retry-After')).toMatch(/^[1-9]/);
    expect(await refused!.json()).toMatchObject({ code: 'RATE_LIMITED' });
    for (const sent of unfinished) sent.destroy();
    await until('another answer', async () => (await ping()).status !== 429);
  });
});
