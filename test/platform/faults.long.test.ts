import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { io } from 'socket.io-client';
import type { Job } from '#libs/contract/jobs.js';
import { freePort } from '../support/ports.ts';
import { startFakeProvider } from '../provider/server.ts';
import { describeWithRedis } from '../support/available.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { startS3, type TestS3 } from '../support/s3.ts';
import { allowTimeForPrograms } from '../support/time-limits.ts';
import { until } from '../support/until.ts';
import { RunningProduct, type User } from './running-product.ts';

allowTimeForPrograms();

/** The product on real services, each of which stops during jobs and starts again; no program is restarted. */
describeWithRedis('While a service is unavailable', () => {
  let database: TestDatabase;
  let redis: TestRedis;
  let s3: TestS3;
  let product: RunningProduct;
  let ada: User;
  beforeAll(async () => {
    [database, redis, s3] = await Promise.all([testDatabase(), startRedis(), startS3()]);
    product = await RunningProduct.start(
      { databaseUrl: database.url, redisUrl: redis.url, variables: s3.variables },
      { apis: 2 },
    );
  });
  afterAll(async () => {
    await product?.close();
    await Promise.all([redis?.stop(), s3?.stop()]);
    await database?.drop();
  });

  const paint = async (user: User, prompt: string): Promise<Job> => {
    const answer = await user.call('/api/ai/generate-image', {
      json: { prompt },
      headers: { Prefer: 'respond-async' },
    });
    expect(answer.status).toBe(202);
    return answer.body.job;
  };
  const paintings = (prompt: string) =>
    product.provider.requests.filter(({ image }) => image?.prompt.includes(prompt));
  const ready = async () => (await product.call('/health/ready')).body;

  it('keeps a picture drawn during an outage of the file store, and draws no other during it', async () => {
    ada = await product.user({ plan: 'premium' });
    const before = await ada.ended((await paint(ada, 'Stored before')).id);
    const address = before.result!.content as string;
    const { id } = await paint(ada, 'Drawn during the outage [[stop]]');
    await until('the picture to be begun', () => product.provider.stopped === 1);
    await s3.leave();
    const next = await paint(ada, 'Requested during the outage');
    await product.goOn();
    await paintings('Drawn during the outage')[0]!.over;
    await ada.jobWhen(next.id, 'waiting', ({ progress }) => progress.stage === 'waiting');

    expect(await ready()).toMatchObject({
      message: 'Not ready: no answer from storage (S3_ENDPOINT).',
      checks: { database: true, queue: true, storage: false },
    });
    const read = await product.get(address);
    expect([read.status, Number(read.headers.get('retry-after'))]).toEqual([503, 5]);
    expect(await read.json()).toMatchObject({ code: 'UNAVAILABLE' });
    const bob = await product.user();
    const form = new FormData();
    form.append('resume', new Blob(['%PDF-1.7\n', 'x'.repeat(500)]), 'cv.pdf');
    const upload = await bob.call('/api/ai/resume-review', { body: form });
    expect(upload).toMatchObject({ status: 503, body: { success: false, code: 'UNAVAILABLE' } });
    expect(Number(upload.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await bob.call('/api/jobs')).body.jobs).toEqual([]);
    expect((await bob.account()).credits).toMatchObject({ used: 0, remaining: 30 });
    // Jobs without files keep running.
    expect((await bob.write('Text goes on')).status).toBe(200);
    expect(paintings('Requested during the outage')).toHaveLength(0);

    await s3.comeBack();
    expect(await ada.ended(id)).toMatchObject({ status: 'succeeded', attempts: 1 });
    expect(paintings('Drawn during the outage')).toHaveLength(1);
    expect(await ada.ended(next.id)).toMatchObject({ status: 'succeeded' });
    expect(paintings('Requested during the outage')).toHaveLength(1);
    expect((await product.get(address)).status).toBe(200);
    await until('it to be ready again', async () => (await ready()).success === true);
  });

  it('answers waiting requests and sends the end to open sockets after Redis restarted and was emptied', async () => {
    ada = await product.user();
    const listener = await ada.listen(undefined, { reconnection: true });
    const prompt = 'Held without Redis [[pace:400]]';
    const held = ada.write(prompt);
    await until('the text to begin', () => listener.deltas.length > 0);
    await redis.leave();
    await until('readiness to name the queue', async () =>
      String((await ready()).message).includes('queue (REDIS_URL)'),
    );
    const accepted = await ada.start('Accepted without Redis');
    await redis.restart();
    await redis.flush();
    expect((await held).status).toBe(200);
    expect(await ada.ended(accepted.id)).toMatchObject({ status: 'succeeded', attempts: 1 });
    await ada.receivesAgain(listener);
    const after = await ada.start('On the same client [[pace:20]]');
    await until('the same client to receive the end', () =>
      listener.jobs.some(({ id, status }) => id === after.id && status === 'succeeded'),
    );
    expect(listener.textOf(after.id)).toContain('On the same client');
    listener.close();
    expect(product.apis[0]!.output()).not.toMatch(/unhandled|uncaught/i);
  });

  it('finds the job by its key, and reconnects its socket, after the api was killed', async () => {
    ada = await product.user();
    const variables = { PORT: String(await freePort()) };
    const api = await product.startApi(variables);
    const socket = io(api.address, {
      auth: { token: ada.token },
      transports: ['websocket'],
      reconnectionDelay: 100,
      reconnectionDelayMax: 200,
    });
    const received: Job[] = [];
    socket.on('job', (job: Job) => received.push(job));
    await until('the socket to be there', () => socket.connected);

    const prompt = 'Held by an api that dies [[pace:600]]';
    const headers = { 'Idempotency-Key': 'one of my own' };
    const held = ada.write(prompt, { api, headers });
    const broken = expect(held).rejects.toThrow();
    await until('the job to run', () => product.requestsOf(prompt).length === 1);
    await api.kill('SIGKILL');
    await broken;
    const again = await ada.write(prompt, { headers });
    expect(again).toMatchObject({ status: 200, body: { success: true } });
    expect(product.requestsOf(prompt)).toHaveLength(1);
    expect((await ada.call('/api/jobs')).body.jobs).toHaveLength(1);
    expect((await ada.account()).credits.used).toBe(1);

    await until('the socket to have noticed', () => !socket.connected);
    await product.startApi(variables);
    await until('the socket to be back', () => socket.connected);
    const { id } = await ada.start('Heard again');
    await until('its end', () => received.some((job) => job.id === id && job.status === 'succeeded'));
    socket.disconnect();
  });

  it('lets jobs wait, without counting failures, while the AI service is down, and sends it few requests', async () => {
    ada = await product.user();
    const port = await freePort();
    await product.replaceWorkers({
      OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
      AI_BREAKER_FAILURES: '2',
      AI_BREAKER_SECONDS: '1',
      JOB_ATTEMPTS: '2',
    });
    const jobs = await Promise.all([1, 2, 3, 4].map((i) => ada.start(`Down, then up ${i}`)));
    for (const { id } of jobs) await ada.jobWhen(id, 'held back', ({ attempts }) => attempts >= 2);
    for (const { id } of jobs) expect(await ada.job(id)).toMatchObject({ finishedAt: null, credits: 1 });
    const provider = await startFakeProvider({ port, defaults: { words: 40 } });
    try {
      for (const { id } of jobs) expect(await ada.ended(id)).toMatchObject({ status: 'succeeded' });
    } finally {
      await provider.close();
    }
  });

  it('uses a second AI service while the first is down', async () => {
    ada = await product.user();
    await product.replaceWorkers({
      OPENAI_BASE_URL: `http://127.0.0.1:${await freePort()}/v1`,
      AI_FALLBACK_API_KEY: 'any',
      AI_FALLBACK_BASE_URL: product.provider.url,
      AI_FALLBACK_TEXT_MODEL: 'second',
    });
    const prompt = 'Written by the second';
    expect((await ada.write(prompt)).status).toBe(200);
    expect(product.requestsOf(prompt).map(({ body }) => body?.model)).toEqual(['second']);
  });

  // A worker looks at its row three times within a lease: only the word of the api can be faster than that.
  it('aborts a cancelled job’s request to the provider at once, before the worker’s next check', async () => {
    ada = await product.user();
    await product.replaceWorkers({ JOB_LEASE_SECONDS: '120' });
    const prompt = 'Cancelled in silence [[hang]]';
    const { id } = await ada.start(prompt);
    await until('the request to be there', () => product.requestsOf(prompt).length === 1);
    expect((await ada.call(`/api/jobs/${id}`, { method: 'DELETE', api: product.apis[1] })).status).toBe(200);
    await until('the request to be aborted', () => product.requestsOf(prompt)[0]!.abortedAt);
  });
});
