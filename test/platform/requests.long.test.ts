import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { writeArticle } from '../provider/article.ts';
import { describeOnBothBackends } from '../support/backends.ts';
import { allowTimeForPrograms } from '../support/time-limits.ts';
import { until } from '../support/until.ts';
import { listen } from './listener.ts';
import { RunningProduct, type User } from './running-product.ts';

allowTimeForPrograms();

/** Milliseconds for what is done at once, on a busy machine too: less than a call is held, which is a minute. */
const AT_ONCE = 20_000;

describeOnBothBackends('Requests over HTTP', (backend) => {
  let product: RunningProduct;
  let ada: User;
  beforeAll(async () => {
    const { database, redis } = backend();
    product = await RunningProduct.start(
      { databaseUrl: database.url, redisUrl: redis?.url },
      { apis: 2, workers: 2 },
    );
    ada = await product.user({ plan: 'premium' });
  });
  afterAll(() => product?.close());

  const elapsed = async <T>(work: Promise<T>): Promise<[T, number]> => {
    const started = performance.now();
    return [await work, performance.now() - started];
  };

  it('answers a request without Prefer when the article is complete, on either api', async () => {
    for (const api of product.apis) {
      const answer = await ada.write('Quiet rivers', { api });
      expect(answer).toMatchObject({
        status: 200,
        body: { success: true, message: 'Article Generated', engine: 'openai' },
      });
      expect(answer.body.content.trim()).toBe(writeArticle('Quiet rivers', 40));
      expect(answer.headers.get('location')).toBe(`/api/jobs/${answer.body.jobId}`);
      expect((await ada.job(answer.body.jobId)).result).toMatchObject({ content: answer.body.content });
    }
  });

  it('answers a waiting request on either api as soon as the job ends', async () => {
    for (const api of product.apis) {
      const { status, body } = await ada.write('Woken [[pace:30]]', { api });
      const answered = Date.now();
      const { finishedAt } = await ada.job(body.jobId);
      expect(status).toBe(200);
      expect(answered - Date.parse(finishedAt!)).toBeLessThan(AT_ONCE);
    }
  });

  it('answers at once with respond-async', async () => {
    const [answer, milliseconds] = await elapsed(
      ada.write('Later [[stop]]', { headers: { Prefer: 'respond-async' } }),
    );
    const { job } = answer.body;
    expect(answer).toMatchObject({ status: 202, body: { success: true } });
    expect(job).toMatchObject({
      tool: 'generate-article',
      title: expect.stringContaining('Later'),
      result: null,
      priority: 'premium',
    });
    expect(answer.headers.get('preference-applied')).toBe('respond-async');
    expect(answer.headers.get('location')).toBe(`/api/jobs/${job.id}`);
    expect(milliseconds).toBeLessThan(AT_ONCE);
    await product.goOn();
    expect(await ada.ended(job.id)).toMatchObject({ status: 'succeeded' });
  });

  it.each([
    ['wait=1', 202, 'wait=1'],
    ['respond-async, wait=1', 202, 'wait=1'],
    ['wait=0', 202, 'wait=0'],
    ['wait=50', 200, 'wait=50'],
    ['wait="1"', 202, 'wait=1'],
    // RFC 7240: a preference that is not understood is ignored.
    ['wait=soon', 200, null],
    ['wait=-1', 200, null],
    ['wait', 200, null],
    [',;=,', 200, null],
    ['return=minimal', 200, null],
  ])('follows Prefer: %s', async (prefer, status, applied) => {
    // An answer that does not wait for the end has no result.
    const prompt = status === 202 ? 'Preferred [[stop]]' : 'Preferred [[pace:30]]';
    const [answer, milliseconds] = await elapsed(ada.write(prompt, { headers: { Prefer: prefer } }));
    expect(answer.status).toBe(status);
    expect(answer.headers.get('preference-applied')).toBe(applied);
    if (applied === 'wait=1') expect(milliseconds).toBeGreaterThan(950);
    if (applied === 'wait=0') expect(milliseconds).toBeLessThan(AT_ONCE);
    const id = status === 202 ? answer.body.job.id : answer.body.jobId;
    await ada.call(`/api/jobs/${id}`, { method: 'DELETE' });
  });

  it('makes one job of 20 requests with the same key, sent to both apis at once', async () => {
    const bob = await product.user();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        bob.start('The same', { api: product.apis[i % 2], headers: { 'Idempotency-Key': 'one' } }),
      ),
    );
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    const other = await bob.write('Another', { headers: { 'Idempotency-Key': 'one' } });
    expect(other).toMatchObject({ status: 422, body: { code: 'IDEMPOTENCY_MISMATCH', success: false } });
    await bob.ended(answers[0]!.id);
    expect(await bob.creations()).toHaveLength(1);
    expect((await bob.account()).credits).toMatchObject({ used: 1, remaining: 29 });
    expect(product.requestsOf('The same')).toHaveLength(1);
  });

  it('finishes the article of a disconnected client, and charges it once', async () => {
    const bob = await product.user();
    const leave = new AbortController();
    const prompt = 'Nobody waits [[pace:300]]';
    const call = bob.write(prompt, { signal: leave.signal });
    await until('the provider to be asked', () => product.requestsOf(prompt).length === 1);
    leave.abort();
    await expect(call).rejects.toThrow();
    const [job] = (await bob.call('/api/jobs')).body.jobs;
    expect(await bob.ended(job!.id)).toMatchObject({ status: 'succeeded', credits: 1 });
    expect(product.requestsOf(prompt)[0]).toMatchObject({ abortedAt: null });
    expect(await bob.creations()).toHaveLength(1);
  });

  describeBadInput();

  function describeBadInput() {
    it.each<[string, unknown, string]>([
      ['no topic', { length: 800 }, 'prompt'],
      ['a blank topic', { prompt: ' \n\t ', length: 800 }, 'prompt'],
      ['a topic over 4,000 characters', { prompt: 'x'.repeat(4_001), length: 800 }, 'prompt'],
      ['a topic that is no text', { prompt: 7, length: 800 }, 'prompt'],
      ['a topic with a broken character', { prompt: 'nul \u0000', length: 800 }, 'prompt'],
      ['length 900', { prompt: 'Rivers', length: 900 }, 'length'],
      ['a length in letters', { prompt: 'Rivers', length: '800' }, 'length'],
    ])('refuses %s, charging nothing', async (_, json, field) => {
      const bob = await product.user();
      const answer = await bob.call('/api/ai/generate-article', { json });
      expect(answer).toMatchObject({
        status: 400,
        body: { success: false, code: 'VALIDATION_FAILED', requestId: expect.any(String) },
      });
      expect(answer.body.details.map((detail) => detail.field)).toContain(field);
      expect((await bob.account()).credits).toMatchObject({ used: 0, remaining: 30 });
      expect((await bob.call('/api/jobs')).body.jobs).toEqual([]);
    });

    it.each([
      ['not JSON', '{"prompt": "Riv', 'application/json'],
      ['a list', '["Rivers"]', 'application/json'],
      ['a form', 'prompt=Rivers', 'application/x-www-form-urlencoded'],
    ])('refuses a body that is %s', async (_, body, type) => {
      const answer = await ada.call('/api/ai/generate-article', { body, headers: { 'Content-Type': type } });
      expect(answer).toMatchObject({
        status: 400,
        body: { success: false, code: 'VALIDATION_FAILED', message: expect.stringMatching(/JSON/) },
      });
    });

    it.each([
      ['a blank Idempotency-Key', { 'Idempotency-Key': ' ' }],
      ['one of 256 characters', { 'Idempotency-Key': 'k'.repeat(256) }],
    ])('refuses %s', async (_, headers) => {
      expect(await ada.write('Rivers', { headers })).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_FAILED' },
      });
    });

    it('refuses lists with invalid parameters with 400', async () => {
      for (const search of [
        'status=done',
        'limit=0',
        'limit=1000',
        'limit=x',
        'cursor=nonsense',
        'tool=%00',
      ]) {
        expect(await ada.call(`/api/jobs?${search}`)).toMatchObject({
          status: 400,
          body: { code: 'VALIDATION_FAILED' },
        });
      }
    });

    it('refuses missing, malformed and expired tokens, and those of another issuer', async () => {
      const tokens = [
        '',
        'nonsense',
        await product.tokenFor(ada.id, { seconds: -60 }),
        await product.tokenFor(ada.id, { seconds: 60, issuer: 'https://elsewhere.example' }),
      ];
      for (const token of tokens) {
        expect(await ada.call('/api/jobs', { token })).toMatchObject({
          status: 401,
          body: { success: false, code: 'UNAUTHENTICATED' },
        });
        expect(
          await ada.call('/api/ai/generate-article', { token, json: { prompt: 'Rivers' } }),
        ).toMatchObject({ status: 401 });
        await expect(listen(product.apis[0]!.address, token)).rejects.toMatchObject({
          message: 'UNAUTHENTICATED',
          data: { code: 'UNAUTHENTICATED' },
        });
      }
      await expect(listen(product.apis[0]!.address, { not: 'a text' })).rejects.toMatchObject({
        message: 'UNAUTHENTICATED',
      });
    });

    it('answers 404 for jobs of other users and unknown jobs', async () => {
      const bob = await product.user();
      const { id } = await ada.start('Private [[pace:100]]');
      for (const wrong of [id, crypto.randomUUID(), 'nonsense', '%00']) {
        for (const call of [{ method: 'GET' }, { method: 'DELETE' }]) {
          expect(await bob.call(`/api/jobs/${wrong}`, call)).toMatchObject({
            status: 404,
            body: { code: 'NOT_FOUND' },
          });
        }
        expect(await bob.call(`/api/jobs/${wrong}/retry`, { method: 'POST' })).toMatchObject({ status: 404 });
      }
      expect(await ada.ended(id)).toMatchObject({ status: 'succeeded' });
    });

    it('refuses a user without credits, and says when they renew', async () => {
      const bob = await product.user();
      await bob.write('The first');
      await product.sql(`UPDATE credit_balances SET balance = 0 WHERE user_id = '${bob.id}'`);
      const answer = await bob.write('One too many');
      const { renewsAt } = (await bob.account()).credits;
      expect(answer).toMatchObject({
        status: 402,
        body: { code: 'INSUFFICIENT_CREDITS', details: { renewsAt } },
      });
      expect(answer.body.message).toMatch(/renew on [A-Z][a-z]+ 1\b/);
      expect(product.requestsOf('One too many')).toEqual([]);
    });

    it('fails after retries with a message about the engine, and refunds the credit', async () => {
      const bob = await product.user();
      const prompt = 'Down [[500]]';
      const answer = await bob.write(prompt);
      expect(answer).toMatchObject({ status: 502, body: { success: false, code: 'PROVIDER_FAILED' } });
      const times = product.requestsOf(prompt).map(({ receivedAt }) => receivedAt);
      expect(times).toHaveLength(3);
      expect(times[1]! - times[0]!).toBeGreaterThan(950);
      expect(times[2]! - times[1]!).toBeGreaterThan(1_950);
      expect((await bob.account()).credits).toMatchObject({ used: 0, remaining: 30 });
      expect(await bob.creations()).toEqual([]);
    });

    it('does not retry when the engine refuses our key', async () => {
      const bob = await product.user();
      const prompt = 'Refused [[401]]';
      expect(await bob.write(prompt)).toMatchObject({ status: 502, body: { code: 'PROVIDER_FAILED' } });
      expect(product.requestsOf(prompt)).toHaveLength(1);
      expect((await bob.account()).credits.remaining).toBe(30);
    });
  }

  it('retries after the time that the engine asks for', async () => {
    const prompt = 'Busy [[429:1]][[retry-after:2]]';
    const { status, body } = await ada.write(prompt);
    expect(status).toBe(200);
    const [first, second] = product.requestsOf(prompt);
    expect(second!.receivedAt - first!.receivedAt).toBeGreaterThan(1_950);
    expect(await ada.job(body.jobId)).toMatchObject({ attempts: 2, error: null });
  });

  it('delivers a whole text after the first stream was cut off', async () => {
    const listener = await ada.listen(product.apis[1]);
    const { body } = await ada.write('Cut [[cut:1]]');
    expect(body.content.trim()).toBe(writeArticle('Cut', 40));
    await until('the whole stream', () => listener.textOf(body.jobId).trim() === body.content.trim());
    expect(new Set(listener.deltas.map(({ attempt }) => attempt))).toEqual(new Set([1, 2]));
    listener.close();
  });

  // Pitfall: "cancel hit another user's job, or was lost between claim and start" (InvokeAI#6049, PR 9263; bullmq#3768)
  it('cancels through any api, ends the request to the provider, and answers waiting requests', async () => {
    const bob = await product.user();
    const prompt = 'Cancelled [[hang:stream]]';
    const waiting = bob.write(prompt, { api: product.apis[0] });
    const request = await until('the provider to write', () =>
      product.requestsOf(prompt).find(({ pieces }) => pieces > 0),
    );
    const [job] = (await bob.call('/api/jobs?status=running')).body.jobs;
    const asked = performance.now();
    const cancelled = await bob.call(`/api/jobs/${job!.id}`, { method: 'DELETE', api: product.apis[1] });
    expect(cancelled).toMatchObject({
      status: 200,
      body: { success: true, job: { status: 'cancelled', credits: 0 } },
    });
    await until('the provider’s connection to break', () => request.abortedAt !== null);
    expect(request.abortedAt! - asked).toBeLessThan(AT_ONCE);
    expect(await waiting).toMatchObject({ status: 409, body: { code: 'JOB_CANCELLED' } });
    expect((await bob.account()).credits).toMatchObject({ used: 0, remaining: 30 });
    expect(await bob.creations()).toEqual([]);
    expect(await bob.call(`/api/jobs/${job!.id}`, { method: 'DELETE' })).toMatchObject({ status: 200 });

    const again = await bob.call(`/api/jobs/${job!.id}/retry`, {
      method: 'POST',
      headers: { Prefer: 'respond-async' },
    });
    expect(again).toMatchObject({ status: 202, body: { job: { credits: 1 } } });
    expect(again.body.job.id).not.toBe(job!.id);
    await bob.call(`/api/jobs/${again.body.job.id}`, { method: 'DELETE' });
    await until('nothing to be written for it', () => product.requestsOf(prompt).every(({ open }) => !open));
  });

  it('refuses to cancel or retry a succeeded job', async () => {
    const { body } = await ada.write('Done');
    expect(await ada.call(`/api/jobs/${body.jobId}`, { method: 'DELETE' })).toMatchObject({
      status: 409,
      body: { code: 'JOB_NOT_CANCELLABLE' },
    });
    expect(await ada.call(`/api/jobs/${body.jobId}/retry`, { method: 'POST' })).toMatchObject({
      status: 409,
      body: { code: 'JOB_NOT_RETRYABLE' },
    });
  });
});
