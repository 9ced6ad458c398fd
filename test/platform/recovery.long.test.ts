import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import type { Flow } from '#libs/contract/flows.js';
import type { Job } from '#libs/contract/jobs.js';
import { createJobQueue } from '#libs/queue/job-queue.js';
import { writeArticle } from '../provider/article.ts';
import { describeOnBothBackends } from '../support/backends.ts';
import { allowTimeForPrograms } from '../support/time-limits.ts';
import { until } from '../support/until.ts';
import { RunningProduct, type User } from './running-product.ts';

allowTimeForPrograms();

describeOnBothBackends('Recovery', (backend, kind) => {
  let product: RunningProduct;
  let ada: User;
  beforeAll(async () => {
    const { database, redis } = backend();
    product = await RunningProduct.start({ databaseUrl: database.url, redisUrl: redis?.url });
    ada = await product.user();
  });
  afterAll(() => product?.close());
  afterEach(async () => {
    await product.keepOneWorker();
    ada = await product.user();
  });

  /** Every job ended once: one creation, one charge, and the whole text. */
  async function expectExactlyOnce(user: User, prompts: Map<string, string>): Promise<void> {
    const creations = await user.creations();
    expect(creations.map(({ jobId }) => jobId).sort()).toEqual([...prompts.keys()].sort());
    for (const { jobId, content } of creations) {
      const words = Number(/words:(\d+)/.exec(prompts.get(jobId)!)?.[1] ?? 40);
      expect(content.trim()).toBe(
        writeArticle(
          prompts
            .get(jobId)!
            .replace(/\[\[[^\]]*\]\]/g, '')
            .trim(),
          words,
        ),
      );
    }
    const entries = await product.sql<{ kind: string; count: number }>(
      `SELECT kind, count(*)::integer AS count FROM credit_entries WHERE user_id = '${user.id}' GROUP BY kind ORDER BY kind`,
    );
    expect(entries).toEqual([
      { kind: 'charge', count: prompts.size },
      { kind: 'grant', count: 1 },
    ]);
    expect((await user.account()).credits).toMatchObject({
      used: prompts.size,
      remaining: 30 - prompts.size,
    });
  }

  /** Releases every stop of the provider during the work. */
  async function releasingStops<T>(work: () => Promise<T>): Promise<T> {
    const timer = setInterval(() => product.provider.goOn(), 50);
    try {
      return await work();
    } finally {
      clearInterval(timer);
    }
  }

  /** Submits as a client does that repeats a request after UNAVAILABLE: the first may meet a broken connection. */
  async function startWithRetries(prompt: string): Promise<string> {
    const headers = { Prefer: 'respond-async', 'Idempotency-Key': prompt };
    const answer = await until('the job to be accepted', async () => {
      const { status, body } = await ada.write(prompt, { headers });
      if (status === 503) return null;
      expect(status).toBe(202);
      return body;
    });
    return answer.job.id;
  }

  async function loseConnections(): Promise<void> {
    await product.sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()`,
    );
  }

  async function loseTheQueue(): Promise<void> {
    const { redis } = backend();
    if (redis) await redis.flush();
    else await product.sql('TRUNCATE bullmq.job CASCADE');
  }

  it('finishes an article once, with the whole text, after its worker was killed', async () => {
    const prompt = 'Killed in the middle [[words:80]][[stop]]';
    const listener = await ada.listen();
    const { id } = await ada.start(prompt);
    await ada.writing(id);
    const grace = await product.user({ plan: 'premium' });
    const painted = await grace.startImage('Killed as well [[stop]]');
    const isPreviewed = (attempt: number) => (job: Job) => job.preview?.attempt === attempt;
    const { preview } = await grace.jobWhen(painted.id, 'previewed', isPreviewed(1));
    product.startWorker();
    const killed = product.workers.shift()!;
    expect(await killed.kill('SIGKILL')).toEqual({ code: null, signal: 'SIGKILL' });
    await until('the broken-off calls to be over', () => product.provider.stopped === 0);
    await grace.jobWhen(painted.id, 'previewed again', isPreviewed(2));
    await until('both to wait again', () => product.provider.stopped === 2);
    expect(await grace.preview(preview!.url)).toBeInstanceOf(Buffer);
    await product.goOn();
    expect(await grace.ended(painted.id)).toMatchObject({ status: 'succeeded', attempts: 2, preview: null });
    expect(await product.sql('SELECT FROM job_previews')).toEqual([]);
    expect(await ada.ended(id)).toMatchObject({ status: 'succeeded', attempts: 2, credits: 1 });
    await expectExactlyOnce(ada, new Map([[id, prompt]]));
    await until('the whole stream', () => listener.jobs.at(-1)?.status === 'succeeded');
    expect(listener.textOf(id)).toBe(writeArticle('Killed in the middle', 80));
    listener.close();
  });

  it('leaves a text unchanged, without a charge, when the worker that rewrites it is killed', async () => {
    const { creationId } = (await ada.write('A text to edit [[words:80]]')).body as unknown as {
      creationId: string;
    };
    const read = async () => {
      const path = `/api/user/creations/${creationId}`;
      return [(await ada.call(path)).body, (await ada.call(`${path}/versions`)).body];
    };
    const before = await read();
    const passage = `${'These are very many words of the text. '.repeat(8)}[[stop]]`;
    const { job } = (
      await ada.call('/api/ai/rewrite-text', {
        json: { text: passage, action: 'shorter', creation: creationId },
        headers: { Prefer: 'respond-async' },
      })
    ).body;
    await ada.writing(job.id);
    expect((await ada.account()).credits.used).toBe(2);
    await product.stopWorkers('SIGKILL');
    await until('the broken-off call to be over', () => product.provider.stopped === 0);
    expect(await read()).toEqual(before);
    expect((await ada.call(`/api/jobs/${job.id}`, { method: 'DELETE' })).status).toBe(200);
    expect(await ada.job(job.id)).toMatchObject({ status: 'cancelled', credits: 0 });
    expect((await ada.account()).credits.used).toBe(1);
    expect(await read()).toEqual(before);
  });

  it('continues a flow, each step once, after its workers were killed and its queue was lost', async () => {
    const prompt = 'A flow that is killed [[stop]]';
    const { flow } = (
      await ada.call('/api/flows/article', { json: { prompt, steps: 'generate-article,humanize-text' } })
    ).body as unknown as { flow: Flow };
    const read = async () =>
      ((await ada.call(`/api/flows/${flow.id}`)).body as unknown as { flow: Flow }).flow;
    await ada.writing(flow.steps[0]!.jobId!);
    const ended = await releasingStops(async () => {
      // They are killed as soon as the first step has ended, whether they started the next or not.
      await until('the first step to end', async () => (await read()).steps[0]!.state === 'succeeded');
      await product.stopWorkers('SIGKILL');
      await loseTheQueue();
      product.startWorker();
      return until('the flow to end', async () => {
        const now = await read();
        return now.status === 'ended' && now;
      });
    });
    expect(ended.steps.map(({ state }) => state)).toEqual(['succeeded', 'succeeded']);
    expect((await ada.call('/api/jobs')).body.jobs).toHaveLength(2);
    expect(await ada.creations()).toHaveLength(2);
    expect((await ada.account()).credits).toMatchObject({ used: 2, remaining: 28 });
  });

  it('finishes waiting and running jobs once while all workers are killed repeatedly', async () => {
    const prompts = new Map<string, string>();
    for (let i = 0; i < 12; i += 1) {
      const prompt = `Killed often ${i} [[pace:60]]`;
      prompts.set((await ada.start(prompt)).id, prompt);
    }
    for (let round = 0; round < 2; round += 1) {
      await until(
        'some to run',
        async () => (await ada.call('/api/jobs?status=running')).body.jobs.length > 0,
      );
      await product.stopWorkers('SIGKILL');
      product.startWorker();
      product.startWorker();
    }
    for (const id of prompts.keys()) expect(await ada.ended(id)).toMatchObject({ status: 'succeeded' });
    await expectExactlyOnce(ada, prompts);
  });

  // "Redis emptied with FLUSHALL under twenty running and queued jobs": promise 1
  it('finishes twenty waiting and running jobs once after their queue was emptied', async () => {
    const prompts = new Map<string, string>();
    await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        const prompt = `Lost by the queue ${i} [[stop]]`;
        prompts.set((await ada.start(prompt)).id, prompt);
      }),
    );
    await until(
      'eight to run',
      async () => (await ada.call('/api/jobs?status=running')).body.jobs.length === 8,
    );
    await loseTheQueue();
    await releasingStops(async () => {
      for (const id of prompts.keys())
        expect(await ada.ended(id)).toMatchObject({ status: 'succeeded', attempts: 1 });
    });
    await expectExactlyOnce(ada, prompts);
  });

  it('finishes every job once that was accepted during an outage of the queue’s service', async () => {
    const prompts = new Map<string, string>();
    const start = async (prompt: string) => prompts.set(await startWithRetries(prompt), prompt);
    for (let i = 0; i < 6; i += 1) await start(`Before the loss ${i} [[pace:80]]`);
    const { redis } = backend();
    if (redis) {
      await redis.leave();
      // Accepted without Redis, and in good time.
      const asked = performance.now();
      await start('During the outage');
      expect(performance.now() - asked).toBeLessThan(30_000);
      // The answer is kept for a second, for all probes.
      const ready = await until('readiness to notice the outage', async () => {
        const answer = await ada.call('/health/ready');
        return answer.status === 503 && answer;
      });
      expect(ready.body).toMatchObject({ success: false, checks: { database: true, queue: false } });
      await redis.restart();
    } else {
      await loseConnections();
      await start('During the outage');
    }
    for (let i = 0; i < 6; i += 1) await start(`After the loss ${i}`);
    for (const id of prompts.keys()) expect(await ada.ended(id)).toMatchObject({ status: 'succeeded' });
    await expectExactlyOnce(ada, prompts);
    const listener = await ada.listen(undefined, { reconnection: true });
    await ada.receivesAgain(listener);
    listener.close();
    expect(product.apis[0]!.output()).not.toMatch(/unhandled|uncaught/i);
  });

  // Promise 7
  it('has a worker finish a short job on SIGTERM, take no new one, and exit 0', async () => {
    await product.stopWorkers();
    // Workers that were killed left their slots behind, and may have sent a statement that writes them.
    const connections = `SELECT FROM pg_stat_activity WHERE application_name = 'pressroom-worker' AND datname = current_database()`;
    await until('their connections to end', async () => (await product.sql(connections)).length === 0);
    await product.sql('DELETE FROM worker_slots');
    // Long enough for what follows, on a busy machine too.
    product.startWorker({ SHUTDOWN_SECONDS: '40' });
    const { id } = await ada.start('Short enough [[stop]]');
    await ada.writing(id);
    const [worker] = product.workers.splice(0);
    const slots = async () => (await product.sql('SELECT FROM worker_slots')).length;
    await until('the worker to write its slots', async () => (await slots()) > 0);
    const ended = worker!.kill('SIGTERM');
    await until('the worker to stop', async () => (await slots()) === 0);
    const next = await ada.start('Left to another');
    await product.goOn();
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(await ada.job(id)).toMatchObject({ status: 'succeeded', attempts: 1 });
    expect(await ada.job(next.id)).toMatchObject({ status: 'queued', attempts: 0 });
    product.startWorker();
    expect(await ada.ended(next.id)).toMatchObject({ status: 'succeeded', attempts: 1 });
  });

  it('has a worker hand back a long job on SIGTERM and exit 0; another finishes it', async () => {
    const prompt = 'Handed back [[stop]]';
    const { id } = await ada.start(prompt);
    await ada.writing(id);
    const [worker] = product.workers.splice(0);
    // A program that does not stop in the time that it has ends with another code.
    expect(await worker!.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    await until('the broken-off call to be over', () => !product.requestsOf(prompt)[0]!.open);
    expect(product.requestsOf(prompt)[0]!.abortedAt).not.toBeNull();
    expect(await ada.job(id)).toMatchObject({ status: 'queued', credits: 1 });
    product.startWorker();
    await product.goOn();
    expect(await ada.ended(id)).toMatchObject({ status: 'succeeded', attempts: 2 });
    await expectExactlyOnce(ada, new Map([[id, prompt]]));
  });

  // With the queue in PostgreSQL, it is unavailable only together with the database.
  if (kind === 'redis') {
    it('exits with 0 on SIGTERM although Redis is unavailable, and loses no job', async () => {
      const redis = backend().redis!;
      const prompt = 'Stopped without its queue [[pace:500]]';
      const { id } = await ada.start(prompt);
      await ada.writing(id);
      const api = await product.startApi();
      product.apis.pop();
      const [worker] = product.workers.splice(0);
      await redis.leave();
      const exits = await Promise.all([api.kill('SIGTERM'), worker!.kill('SIGTERM')]);
      await redis.restart();
      expect(exits).toEqual(Array(2).fill({ code: 0, signal: null }));
      product.startWorker();
      expect(await ada.ended(id)).toMatchObject({ status: 'succeeded' });
      await expectExactlyOnce(ada, new Map([[id, prompt]]));
    });

    it('starts jobs once Redis is available, also when it was not at the start of the programs', async () => {
      const redis = backend().redis!;
      await product.stopWorkers();
      await redis.leave();
      product.startWorker();
      const { id } = await ada.start('Started before Redis');
      // Time for several attempts to connect, which nothing shows.
      await pause(2_000);
      await redis.restart();
      expect(await ada.ended(id)).toMatchObject({ status: 'succeeded', attempts: 1 });
    });
  }

  it('has an api answer waiting requests on SIGTERM, and exit 0; the job keeps running', async () => {
    const api = await product.startApi();
    product.apis.pop();
    const prompt = 'Held by an api that ends [[stop]]';
    const held = ada.write(prompt, { api });
    await until('the job to run', () => product.requestsOf(prompt).length === 1);
    const listener = await ada.listen(api);
    expect(await api.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    const answer = await held;
    await product.goOn();
    expect(answer).toMatchObject({ status: 202, body: { success: true } });
    await until('the socket to be closed', () => !listener.socket.connected);
    await expect(fetch(`${api.address}/health/live`)).rejects.toThrow();
    expect(await ada.ended(answer.body.job.id)).toMatchObject({ status: 'succeeded' });
  });

  it('resumes a queue that an operator resumed while Redis was unavailable', async () => {
    const { config, database } = backend();
    const queue = createJobQueue({ config, databaseUrl: database.url, onError: () => undefined });
    await queue.setPaused('text', true);
    await queue.close();
    const { id } = await ada.start('After the queue was resumed');
    expect(await ada.ended(id)).toMatchObject({ status: 'succeeded', attempts: 1 });
  });

  // Pitfall: "a worker deaf but healthy" (hatchet#1796)
  it('lets an idle worker take jobs after an outage of its queue, without a restart', async () => {
    await (await product.user()).write('A first job, so that the worker is there');
    const { redis } = backend();
    for (let round = 0; round < 2; round += 1) {
      if (redis) {
        await redis.leave();
        // The outage lasts over several attempts to connect, which nothing shows.
        await pause(3_000);
        await redis.restart();
      } else {
        await loseConnections();
      }
      const id = await startWithRetries(`Work again ${round}`);
      expect(await ada.ended(id)).toMatchObject({ status: 'succeeded', attempts: 1 });
    }
  });
});
