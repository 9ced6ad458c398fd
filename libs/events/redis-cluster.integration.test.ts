import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { QueueConfig } from '#libs/config/environment.js';
import { describeWithRedis } from '../../test/support/available.ts';
import { startRedisCluster, type TestRedisCluster } from '../../test/support/redis-cluster.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';
import { until } from '../../test/support/until.ts';
import { SocketServer } from './socket-server.js';

allowTimeForPrograms();

describeWithRedis('Live events, on a Redis Cluster', () => {
  let cluster: TestRedisCluster;
  beforeAll(async () => {
    cluster = await startRedisCluster();
  });
  afterAll(() => cluster?.stop());

  it('reports missed events once for all connections', async () => {
    const collectMissedMs = 3_000;
    const server = create(cluster.config, collectMissedMs);
    let missed = 0;
    server.onEventsMissed(() => (missed += 1));
    await until('the report', () => missed > 0);
    await setTimeout(collectMissedMs + 500);
    expect(missed).toBe(1);
    await server.close();
  });

  it('knows that it receives events', async () => {
    const server = create(cluster.config);
    expect(server.isReceiving).toBe(false);
    server.attach(createServer());
    await until('the connection', () => server.isReceiving);
    await server.close();
  });

  it('subscribes on another node when its node dies, and then reports missed events', async () => {
    const [publisher, subscriber] = [create(cluster.config), create(cluster.config)];
    const received: string[] = [];
    subscriber.subscribeToUser('ada', (_, payload) => received.push((payload as { id: string }).id));
    await subscriber.subscribed('ada');
    const publish = (id: string) =>
      publisher.publishToUser('ada', 'job:delta', { id, attempt: 1, offset: 0, text: '' });
    await until('an event', () => {
      publish('before');
      return received.includes('before');
    });

    let missed = 0;
    subscriber.onEventsMissed(() => (missed += 1));
    await cluster.failSubscribed();
    await until('the report', () => missed > 0);
    // The cluster may lose an event while its nodes connect to each other again.
    await until('an event after it', () => {
      publish('after');
      return received.includes('after');
    });
    await Promise.all([publisher.close(), subscriber.close()]);
  });
});

const create = (config: QueueConfig, collectMissedMs?: number) =>
  SocketServer.create({ config, databaseUrl: '', onError: () => undefined, collectMissedMs });
