import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { io } from 'socket.io-client';
import type { Job } from '#libs/contract/jobs.js';
import { freePort } from '../support/ports.ts';
import { RunningProduct, type User } from '../platform/running-product.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import type { TestProcess } from '../support/process.ts';
import { allowTimeForPrograms } from '../support/time-limits.ts';
import { until } from '../support/until.ts';
import { startCollector, type Collector } from './collector.ts';

allowTimeForPrograms();

const SECRET_WORDS = 'Tangerine lighthouse';

let database: TestDatabase;
let collector: Collector;
let product: RunningProduct;
let ada: User;
let worker: TestProcess;
let job: Job;
let requestId: string;
const ports = { api: 0, worker: 0 };

/** A product with one api and one worker that log everything; one job was done, and one failed for good. */
beforeAll(async () => {
  database = await testDatabase();
  collector = await startCollector();
  Object.assign(ports, { api: await freePort(), worker: await freePort() });
  product = await RunningProduct.start(
    {
      databaseUrl: database.url,
      variables: {
        LOG_LEVEL: 'debug',
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        // Longer than a busy machine stops the worker, which would cost it the attempt.
        JOB_LEASE_SECONDS: '60',
      },
    },
    { apis: 0, workers: 0 },
  );
  worker = product.startWorker({ METRICS_PORT: String(ports.worker) });
  await product.startApi({ METRICS_PORT: String(ports.api) });
  ada = await product.user();
  const answer = await ada.write(SECRET_WORDS, {
    headers: { Prefer: 'respond-async', 'X-Request-Id': 'first-1' },
  });
  requestId = answer.headers.get('x-request-id') ?? '';
  job = await ada.ended(answer.body.job.id);
  await ada.ended((await ada.start('Refused [[401]]')).id);
});

afterAll(async () => {
  await product?.close();
  await collector?.close();
  await database?.drop();
});

const metricsOf = async (program: keyof typeof ports): Promise<string> => {
  const answer = await fetch(`http://127.0.0.1:${ports[program]}/metrics`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toContain('text/plain');
  return answer.text();
};

/** The value of the series whose labels hold all of these. */
function valueOf(text: string, name: string, ...labels: string[]): number | undefined {
  const line = text
    .split('\n')
    .find((one) => one.split(/[{ ]/)[0] === name && labels.every((label) => one.includes(label)));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
}

describe('/metrics', () => {
  it('of an api count requests by route, queues, credits, services and sockets', async () => {
    const listener = await ada.listen();
    const text = await until('all services to answer', async () => {
      const now = await metricsOf('api');
      const isUp = (service: string) => valueOf(now, 'pressroom_service_up', `service="${service}"`) === 1;
      return ['database', 'queue', 'storage'].every(isUp) ? now : null;
    });
    expect(valueOf(text, 'pressroom_sockets')).toBe(1);
    listener.close();
    const post = ['method="POST"', 'route="/api/ai/:tool"', 'status="202"'];
    expect(valueOf(text, 'pressroom_http_request_seconds_count', ...post)).toBe(2);
    expect(valueOf(text, 'pressroom_http_request_seconds_count', 'route="/api/jobs/:id"')).toBeGreaterThan(0);
    expect(valueOf(text, 'pressroom_jobs_submitted_total', 'tool="generate-article"')).toBe(2);
    expect(valueOf(text, 'pressroom_credits_charged_total', 'tool="generate-article"')).toBe(2);
    const standard = ['queue="text"', 'priority="standard"'];
    expect(valueOf(text, 'pressroom_queue_jobs', ...standard, 'status="queued"')).toBe(0);
    expect(valueOf(text, 'pressroom_queue_oldest_wait_seconds', ...standard)).toBe(0);
    expect(valueOf(text, 'nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
  });

  it('of a worker count attempts, provider calls, tokens and refunds', async () => {
    const tool = 'tool="generate-article"';
    // An outcome is stored, and seen by its user, before it is counted.
    const text = await until('both jobs to be counted', async () => {
      const now = await metricsOf('worker');
      const failed = valueOf(now, 'pressroom_job_seconds_count', tool, 'outcome="failed"');
      return failed === 1 && valueOf(now, 'pressroom_worker_running_jobs') === 0 ? now : null;
    });
    expect(valueOf(text, 'pressroom_job_attempt_seconds_count', tool, 'outcome="succeeded"')).toBe(1);
    expect(valueOf(text, 'pressroom_job_wait_seconds_count', 'queue="text"')).toBe(2);
    const call = ['operation="chat"', 'model="gpt-4.1-mini"'];
    expect(valueOf(text, 'pressroom_provider_call_seconds_count', ...call, 'outcome="ok"')).toBe(1);
    expect(valueOf(text, 'pressroom_provider_call_seconds_count', ...call, 'outcome="final_error"')).toBe(1);
    expect(valueOf(text, 'pressroom_provider_tokens_total', ...call, 'direction="output"')).toBeGreaterThan(
      0,
    );
    expect(valueOf(text, 'pressroom_credits_refunded_total', tool)).toBe(1);
    expect(valueOf(text, 'pressroom_provider_breaker_open', 'kind="text"')).toBe(0);
    expect(text).not.toContain('pressroom_queue_jobs{');
  });

  it.each(['api', 'worker'] as const)('of the %s have the free space of its disk', async (program) => {
    const text = await metricsOf(program);
    expect(valueOf(text, 'pressroom_disk_free_bytes')).toBeGreaterThan(1_000_000);
    expect(valueOf(text, 'pressroom_disk_reserved_bytes')).toBeGreaterThan(1_000_000);
  });

  it('has few series, for any number of requested addresses', async () => {
    const names = ['none', 'admin', 'jobs', 'c'];
    for (const [i, name] of names.entries())
      await fetch(`${product.apis[0]!.address}/${name}/${i}/tangerine`);
    const routes = [...(await metricsOf('api')).matchAll(/route="([^"]*)"/g)].map(([, route]) => route);
    for (const route of new Set(routes)) expect(route).toMatch(/^(web|unmatched|\/[\w/:.*{}-]+)$/);
    expect(routes.join()).not.toContain('tangerine');
  });

  it('show how long the oldest job of each plan waits for a worker', async () => {
    await product.stopWorkers('SIGTERM');
    const waiting = await ada.start('Somebody waits');
    const labels = ['queue="text"', 'priority="standard"'];
    const text = await until('a wait of a second', async () => {
      const now = await metricsOf('api');
      return (valueOf(now, 'pressroom_queue_oldest_wait_seconds', ...labels) ?? 0) > 1 ? now : null;
    });
    expect(valueOf(text, 'pressroom_queue_jobs', ...labels, 'status="queued"')).toBe(1);
    const premium = ['queue="text"', 'priority="premium"'];
    expect(valueOf(text, 'pressroom_queue_oldest_wait_seconds', ...premium)).toBe(0);
    await ada.call(`/api/jobs/${waiting.id}`, { method: 'DELETE' });
  });

  it('is not on the public port, and the only route on its own port', async () => {
    expect((await fetch(`${product.apis[0]!.address}/metrics`)).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${ports.api}/health/ready`)).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${ports.api}/metrics`, { method: 'POST' })).status).toBe(405);
  });
});

describe('the log', () => {
  /** Without the last, of which a part may be on its way. */
  const whole = (program: string) =>
    program
      .split('\n')
      .slice(0, -1)
      .filter((line) => line.startsWith('{'));
  const lines = (program: string) =>
    whole(program).map((line) => JSON.parse(line) as Record<string, unknown>);

  it('names request, user and job on each line from the request to the worker', async () => {
    expect(requestId).toBe('first-1');
    const ids = { requestId, userId: ada.id, jobId: job.id };
    await until('the last line of the job', () =>
      lines(worker.output()).some(({ jobId, msg }) => jobId === job.id && msg === 'Job succeeded'),
    );
    const api = lines(product.apis[0]!.output()).filter((line) => line.requestId === requestId);
    expect(api).toEqual([expect.objectContaining({ ...ids, msg: 'POST /api/ai/generate-article 202' })]);
    const logged = lines(worker.output()).filter((line) => line.jobId === job.id);
    expect(logged.map(({ msg }) => msg)).toEqual(['Job started', 'AI service called: ok', 'Job succeeded']);
    for (const line of logged) expect(line).toMatchObject({ ...ids, tool: 'generate-article', attempt: 1 });
  });

  it('has the code and the network of each refusal, also of sockets, files and sign-ins', async () => {
    const { address } = product.apis[0]!;
    const shake = (headers: Record<string, string>) =>
      fetch(`${address}/socket.io/?EIO=4&transport=polling`, { headers });
    const post = (path: string, body: string) =>
      fetch(`${address}${path}`, {
        ...{ method: 'POST', body },
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${ada.token}` },
      });
    await post('/api/auth/sign-in/email', '{"email":');
    await post('/api/auth/sign-in/email', JSON.stringify({ email: 'x'.repeat(20_000) }));
    await fetch(`${address}/mcp`, { method: 'PUT', headers: { Authorization: `Bearer ${ada.token}` } });
    await fetch(`${address}/files/tangerine`);
    await fetch(`${address}/admin/queues`);
    await shake({ Origin: 'https://elsewhere.example' });
    await fetch(`${address}/socket.io/?EIO=4&transport=carrier-pigeon`);
    const socket = io(address, { auth: { token: 'forged' }, transports: ['websocket'], reconnection: false });
    await new Promise((resolve) => socket.once('connect_error', resolve));
    socket.close();
    const refusals = await until('the refusals', () => {
      const found = lines(product.apis[0]!.output()).filter(
        ({ code, requestId: id }) => code !== undefined && id !== requestId,
      );
      return found.at(-1)?.status === 401 && found.slice(-8);
    });
    expect(
      refusals.map(({ msg, path, status, code }) =>
        [msg, path, status, code].filter((one) => one !== undefined),
      ),
    ).toEqual([
      ['POST /api/auth/sign-in/email 400', 'VALIDATION_FAILED'],
      ['POST /api/auth/sign-in/email 413', 'FILE_TOO_LARGE'],
      ['PUT /mcp 405', '405'],
      ['GET /files/... 404', 'NOT_FOUND'],
      ['GET /admin/queues 403', '403'],
      ['A request was refused', '/socket.io', 403, 'FORBIDDEN'],
      ['A request was refused', '/socket.io', 400, 'VALIDATION_FAILED'],
      ['A request was refused', '/socket.io', 401, 'UNAUTHENTICATED'],
    ]);
    for (const line of refusals) expect(line).toMatchObject({ address: '127.0.0.0/24' });
  });

  it('names no key twice on a line', () => {
    for (const output of [product.apis[0]!.output(), worker.output()]) {
      for (const line of whole(output)) {
        const keys = [...line.matchAll(/[{,]"(requestId|userId|jobId|traceId)":/g)].map(([, key]) => key);
        expect(keys).toEqual([...new Set(keys)]);
      }
    }
  });

  it('has no text of users and no credentials', () => {
    for (const output of [product.apis[0]!.output(), worker.output()]) {
      for (const secret of [SECRET_WORDS, 'correct horse', ada.token, '@example.com', 'Refused [['])
        expect(output).not.toContain(secret);
    }
  });
});

describe('a trace', () => {
  it('goes from the request through queue and worker to the provider and the stored result', async () => {
    const spans = await until('the job’s steps to arrive', async () => {
      const root = collector.spans.find(
        ({ attributes }) => attributes['pressroom.request_id'] === requestId && attributes['http.route'],
      );
      const all = collector.spans.filter(({ traceId }) => traceId === root?.traceId);
      // Each program exports its own after a while.
      return ['queue add', 'job generate-article'].every((step) => all.some(({ name }) => name === step))
        ? all
        : null;
    });
    const one = (name: string, service: string) => {
      const found = spans.find((span) => span.name === name && span.service === service);
      if (!found)
        throw new Error(`No step ${name} of ${service} among ${spans.map((span) => span.name).join(', ')}.`);
      return found;
    };
    const request = one('POST /api/ai/:tool', 'pressroom-api');
    expect(request.attributes).toMatchObject({
      'pressroom.job_id': job.id,
      'http.response.status_code': 202,
    });
    expect(request.parentSpanId ?? '').toBe('');
    expect(one('queue add', 'pressroom-api').parentSpanId).toBe(request.spanId);
    const run = one('job generate-article', 'pressroom-worker');
    expect(run.parentSpanId).toBe(request.spanId);
    expect(run.attributes).toMatchObject({ 'pressroom.outcome': 'succeeded', 'pressroom.job_id': job.id });
    expect(one('chat gpt-4.1-mini', 'pressroom-worker').parentSpanId).toBe(run.spanId);
    expect(one('WITH jobs', 'pressroom-worker').parentSpanId).toBe(run.spanId);
    expect(one('SELECT submit_jobs', 'pressroom-api').parentSpanId).toBe(request.spanId);
    // The log names the trace.
    expect(worker.output()).toContain(request.traceId);
  });

  it('has no text of users', () => {
    expect(JSON.stringify(collector.spans)).not.toContain(SECRET_WORDS);
  });

  it('continues the trace of the caller', async () => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    await ada.call('/api/user/account', { headers: { traceparent: `00-${traceId}-00f067aa0ba902b7-01` } });
    const span = await until('the step to arrive', async () =>
      collector.spans.find((one) => one.traceId === traceId && one.name === 'GET /api/user/account'),
    );
    expect(span.parentSpanId).toBe('00f067aa0ba902b7');
  });
});
