import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import type { Cluster } from 'ioredis';
import { connectRedis } from './connect-redis.js';

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
