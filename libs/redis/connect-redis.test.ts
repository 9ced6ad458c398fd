import { EventEmitter, once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import type { Cluster } from 'ioredis';
import { until } from '../../test/support/until.ts';
import { connectRedis, connectSubscriber } from './connect-redis.js';

const closing: (() => unknown)[] = [];
afterEach(() => closing.splice(0).forEach((close) => close()));

/** First byte of a TLS handshake record. */
const CLIENT_HELLO = 0x16;

it('uses TLS with a cluster’s node, and checks the certificate’s name', async () => {
  const server = createServer();
  closing.push(() => server.close());
  await once(server.listen(0), 'listening');
  const { port } = server.address() as AddressInfo;
  const redis = connectRedis({
    kind: 'redis-cluster',
    nodes: [{ host: 'localhost', port }],
    tls: true,
  }) as Cluster;
  closing.push(() => redis.disconnect());
  redis.on('error', () => undefined);

  const [socket] = (await once(server, 'connection')) as [Socket];
  closing.push(() => socket.destroy());
  const [greeting] = (await once(socket, 'data')) as [Buffer];
  expect(greeting[0]).toBe(CLIENT_HELLO);
  expect(redis.nodes().map(({ options }) => options.host)).toEqual(['localhost']);
});

it('leaves a node that the cluster has replaced, which the configuration gives by host name', async () => {
  const server = createServer();
  closing.push(() => server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const main = new EventEmitter();
  const nodes = [{ host: 'localhost', port }];
  const subscriber = connectSubscriber({ kind: 'redis-cluster', nodes, tls: false }, main as Cluster);
  closing.push(() => subscriber.disconnect());
  subscriber.on('error', () => undefined);

  const [first] = (await once(server, 'connection')) as [Socket];
  closing.push(() => first.destroy());
  await until('the connection', () => subscriber.status === 'connect');
  main.emit('-node', { options: { host: '127.0.0.1', port } });
  const [second] = (await once(server, 'connection')) as [Socket];
  closing.push(() => second.destroy());
  expect(second.remotePort).not.toBe(first.remotePort);
});
