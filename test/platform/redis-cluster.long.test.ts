import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Queue, Worker } from 'bullmq';
import type { Cluster } from 'ioredis';
import { deletePreviousEntries } from '#libs/queue/previous-entries.js';
import { connectRedis } from '#libs/redis/connect-redis.js';
import { describeWithRedis } from '../support/available.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { startRedisCluster, type TestRedisCluster } from '../support/redis-cluster.ts';
import { allowTimeForPrograms } from '../support/time-limits.ts';
import { until } from '../support/until.ts';
import { RunningProduct, type Answer, type User } from './running-product.ts';

allowTimeForPrograms();

describeWithRedis('The product on a Redis Cluster', () => {
  let cluster: TestRedisCluster;
  let database: TestDatabase;
  let product: RunningProduct;
  let ada: User;
  beforeAll(async () => {
    [cluster, database] = await Promise.all([startRedisCluster(), testDatabase()]);
    const services = { databaseUrl: database.url, variables: cluster.variables };
    product = await RunningProduct.start(services, { apis: 2, workers: 2 });
    ada = await product.user();
  });
  afterAll(async () => {
    await product?.close();
    await cluster?.stop();
    await database?.drop();
  });

  it('runs jobs, and sends each change to a socket on another api', async () => {
    const there = await ada.listen(product.apis[1]);
    const jobs = [
      await ada.start('Through a cluster [[words:80]]'),
      await ada.start('And once more [[words:80]]', { api: product.apis[1] }),
    ];
    for (const { id } of jobs) {
      const ended = await ada.ended(id);
      expect(ended).toMatchObject({ status: 'succeeded', attempts: 1 });
      await until('the socket to receive the end', () =>
        there.jobs.some((job) => job.id === id && job.status === 'succeeded'),
      );
      expect(there.textOf(id).trim()).toBe((ended.result?.content as string).trim());
    }
    there.close();
  });

  it('cancels a job that runs on another process', async () => {
    const job = await ada.start('[[hang:stream]] to be stopped');
    await ada.writing(job.id);
    await ada.call(`/api/jobs/${job.id}`, { method: 'DELETE', api: product.apis[1] });
    await until('the provider’s request to be broken off', () =>
      product.requestsOf('[[hang:stream]] to be stopped').every(({ abortedAt }) => abortedAt),
    );
    expect(await ada.job(job.id)).toMatchObject({ status: 'cancelled', credits: 0 });
  });

  it('counts a user’s calls on all apis together', async () => {
    const bob = await product.user();
    const apis = await Promise.all([1, 2].map(() => product.startApi({ RATE_LIMIT_REQUESTS: '6' })));
    const answers: Answer[] = [];
    for (let i = 0; i < 12; i += 1) answers.push(await bob.call('/api/user/account', { api: apis[i % 2] }));
    const [allowed, refused] = [200, 429].map((status) => answers.filter((one) => one.status === status));
    expect(allowed!.length + refused!.length).toBe(12);
    expect(allowed!.length).toBeLessThanOrEqual(6);
    expect(refused![0]!.headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
  });

  it('keeps each queue on one node, other queues on others, and rate limits of users on any', async () => {
    const nodes = (await cluster.keys()).map((keys) => ({
      queues: new Set(keys.map((key) => /^\{pressroom-(\w+)\}/.exec(key)?.[1]).filter(Boolean)),
      others: keys.filter((key) => !key.startsWith('{pressroom')),
    }));
    expect(nodes).toHaveLength(3);
    const queues = nodes.flatMap((node) => [...node.queues]);
    expect(queues.sort()).toEqual(['image', 'pdf', 'text']);
    expect(nodes.map((node) => node.queues.size)).toEqual([1, 1, 1]);
    for (const key of nodes.flatMap(({ others }) => others)) expect(key).toMatch(/^pressroom:limit:/);
  });

  it('runs a job whose entry only a program of version 0.2 would take, and deletes such entries', async () => {
    const { config } = cluster;
    const redis = connectRedis(config) as Cluster;
    const previous = new Queue('text', { connection: redis, prefix: '{pressroom}' });
    const previousKeys = async () =>
      (await cluster.keys()).flat().filter((key) => key.startsWith('{pressroom}:text:'));
    await product.stopWorkers();
    const { id } = await ada.start('Before the upgrade');
    await redis.del(...(await cluster.keys()).flat().filter((key) => key.startsWith('{pressroom-text}:')));
    await previous.add('generate-article', {}, { jobId: id, priority: 1_000 });

    product.startWorker();
    product.startWorker();
    expect(await ada.ended(id)).toMatchObject({ status: 'succeeded', attempts: 1 });
    await until('the elected worker to delete the entry', async () => (await previous.count()) === 0);

    await previous.add('generate-article', {}, { jobId: id, priority: 1_000 });
    const token = 'of a worker of version 0.2';
    const worker = new Worker('text', null, { connection: redis, prefix: '{pressroom}', autorun: false });
    expect(await worker.getNextJob(token)).toMatchObject({ id });
    expect(await deletePreviousEntries(config)).toBe(0);
    expect(await previous.isPaused()).toBe(false);
    await previous.pause();
    expect(await deletePreviousEntries(config)).toBe(0);
    expect(await previous.isPaused()).toBe(true);
    await redis.del(`{pressroom}:text:${id}:lock`);
    expect(await deletePreviousEntries(config)).toBe(1);
    expect(await previousKeys()).toEqual([]);
    expect(await deletePreviousEntries(config)).toBe(0);
    await Promise.all([worker.close(), previous.close()]);
    redis.disconnect();
  });

  // A replica may lack what the node that died received last: the table has it.
  it('loses no job, and takes jobs again, when the node with the queues dies', async () => {
    const atWork = await ada.start('Still here [[words:200]][[pace:60]]');
    const waiting = await Promise.all([1, 2, 3].map((n) => ada.start(`Before ${n}`)));
    await ada.writing(atWork.id);
    const failed = cluster.fail('{pressroom-text}');
    const during = await ada.start('Meanwhile');
    await failed;
    const after = await ada.start('Afterwards', { api: product.apis[1] });
    for (const { id } of [atWork, ...waiting, during, after]) {
      expect(await ada.ended(id)).toMatchObject({ status: 'succeeded' });
    }
    const creations = await ada.creations();
    expect(new Set(creations.map(({ jobId }) => jobId)).size).toBe(creations.length);
    const there = await ada.listen(product.apis[1], { reconnection: true });
    await ada.receivesAgain(there);
    there.close();
  });
});
