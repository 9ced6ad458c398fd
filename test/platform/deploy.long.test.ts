import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { io, type Socket } from 'socket.io-client';
import type { Job } from '#libs/contract/jobs.js';
import { freePort } from '../support/ports.ts';
import { describeWithRedis } from '../support/available.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { startRedis, type TestRedis } from '../support/redis.ts';
import { allowTimeForPrograms } from '../support/time-limits.ts';
import { until } from '../support/until.ts';
import { RunningProduct, type Answer, type User } from './running-product.ts';

allowTimeForPrograms();

/** Two apis and two workers are replaced one after another while users go on working, as a deployment does. */
describeWithRedis('A new version', () => {
  let database: TestDatabase;
  let redis: TestRedis;
  let product: RunningProduct;
  let users: User[];
  let sockets: Awaited<ReturnType<typeof connect>>[] = [];
  const ports: string[] = [];
  beforeAll(async () => {
    [database, redis] = await Promise.all([testDatabase(), startRedis()]);
    product = await RunningProduct.start(
      { databaseUrl: database.url, redisUrl: redis.url },
      { apis: 0, workers: 2 },
    );
    for (let i = 0; i < 2; i += 1) {
      ports.push(String(await freePort()));
      await product.startApi({ PORT: ports[i] });
    }
    users = await Promise.all(Array.from({ length: 6 }, () => product.user()));
  });
  afterAll(async () => {
    for (const { socket } of sockets) socket.disconnect();
    await product?.close();
    await redis?.stop();
    await database?.drop();
  });

  /** Replaces the api in one place by a new process on the same port. */
  async function replaceApi(index: number): Promise<void> {
    expect(await product.apis[index]!.kill('SIGTERM')).toEqual({ code: 0, signal: null });
    await product.startApi({ PORT: ports[index] });
    product.apis.splice(index, 1, product.apis.pop()!);
  }

  async function replaceWorker(): Promise<void> {
    const old = product.workers.shift()!;
    product.startWorker();
    expect(await old.kill('SIGTERM')).toEqual({ code: 0, signal: null });
  }

  it('loses no job, request or event while each program is replaced', async () => {
    /** The keys of requests that an api had received before it was stopped. */
    const takenIn = new Set<string>();
    const dropped: unknown[] = [];
    let asked = 0;
    /** As a client behind a balancer: a call that an ending api did not take goes to the next, under the same key. */
    async function submit(user: User, held: boolean): Promise<Answer> {
      const key = randomUUID();
      const headers = { 'Idempotency-Key': key, ...(!held && { Prefer: 'respond-async' }) };
      const prompt = `Deployed ${asked} [[pace:${held ? 60 : 120}]]`;
      for (let turn = asked++, tries = 0; tries < 50; turn += 1, tries += 1) {
        const api = product.apis[turn % product.apis.length]!;
        try {
          return await user.write(prompt, { api, headers });
        } catch (error) {
          // Requests sent at the signal may be refused; requests received before it are answered.
          if (takenIn.has(key)) dropped.push(error);
          // The client's own pause before it tries again.
          await pause(50);
        }
      }
      throw new Error('No api took the call.');
    }

    sockets = await Promise.all(product.apis.map((api) => connect(api.address, users[0]!.token)));
    let isOver = false;
    const answers: Promise<Answer>[] = [];
    const submitting = (async () => {
      while (!isOver && answers.length < 150) {
        answers.push(submit(users[answers.length % users.length]!, answers.length % 2 === 0));
        // The users' own pace: more would only wait in the queue.
        await pause(80);
      }
    })();
    for (const index of [0, 1]) {
      // Some calls are under way in every state when the programs are replaced.
      await pause(300);
      const taken = await product.sql<{ key: string }>(
        'SELECT idempotency_key AS key FROM jobs WHERE idempotency_key IS NOT NULL',
      );
      for (const { key } of taken) takenIn.add(key);
      await replaceApi(index);
      await replaceWorker();
    }
    isOver = true;
    await submitting;
    const all = await Promise.all(answers);
    expect(dropped).toEqual([]);
    expect(all.filter(({ status }) => status !== 200 && status !== 202)).toEqual([]);

    const ids = all.map(({ body }) => body.jobId ?? body.job.id);
    expect(new Set(ids).size).toBe(ids.length);
    await until('every job to end', async () => (await unfinished()) === 0, { seconds: 90 });
    const jobs = await product.sql<{ id: string; status: string; creations: number; charges: number }>(
      `SELECT j.id, j.status, (SELECT count(*)::integer FROM creations c WHERE c.job_id = j.id) AS creations,
         (SELECT count(*)::integer FROM credit_entries e WHERE e.job_id = j.id) AS charges FROM jobs j`,
    );
    expect(jobs.map(({ id }) => id).sort()).toEqual([...ids].sort());
    for (const job of jobs) expect(job).toMatchObject({ status: 'succeeded', creations: 1, charges: 1 });

    for (const { socket } of sockets) await until('the socket to be back', () => socket.connected);
    // Each was closed with its own api, and none with the other.
    expect(sockets.map(({ closed }) => closed.length)).toEqual([1, 1]);
    const { id } = await users[0]!.start('After the deployment');
    for (const { received } of sockets)
      await until('its end', () => received.some((job) => job.id === id && job.status === 'succeeded'));
  });

  const unfinished = async () =>
    (
      await product.sql<{ count: number }>(
        `SELECT count(*)::integer AS count FROM jobs WHERE status IN ('queued', 'running')`,
      )
    )[0]!.count;
});

async function connect(
  address: string,
  token: string,
): Promise<{ socket: Socket; received: Job[]; closed: string[] }> {
  const socket = io(address, {
    auth: { token },
    transports: ['websocket'],
    reconnectionDelay: 100,
    reconnectionDelayMax: 300,
  });
  const received: Job[] = [];
  const closed: string[] = [];
  socket.on('job', (job: Job) => received.push(job));
  socket.on('disconnect', (reason) => closed.push(reason));
  await until('the socket to be there', () => socket.connected);
  return { socket, received, closed };
}
