import { Redis } from 'ioredis';
import type { QueueConfig } from '#libs/config/environment.js';
import { freePort } from './ports.ts';
import { startRedis, type TestRedis } from './redis.ts';
import { until } from './until.ts';

export interface TestRedisCluster {
  config: Extract<QueueConfig, { kind: 'redis-cluster' }>;
  /** For the environment of a program that uses it. */
  variables: Record<'REDIS_CLUSTER_NODES' | 'REDIS_CLUSTER_USERNAME' | 'REDIS_CLUSTER_PASSWORD', string>;
  /** The keys of each node that holds slots. */
  keys: () => Promise<string[][]>;
  /** Stops the node that holds a key's slot; resolves when its replica has taken over. */
  fail: (key: string) => Promise<void>;
  /** Stops the node with the most subscribed channels. */
  failSubscribed: () => Promise<void>;
  stop: () => Promise<void>;
}

const SLOTS = 16_384;
const MASTERS = 3;
/** Milliseconds without an answer after which a node counts as failed. */
const NODE_TIMEOUT = 3_000;
/** The user that a program signs in as. */
const USER = 'pressroom';
const PASSWORD = 'of:the@cluster';
/** The password of the nodes and of this file. */
const NODES_PASSWORD = 'ofthenodes';

interface Node {
  port: number;
  busPort: number;
  client: Redis;
  server: TestRedis;
}

/** Starts a Redis Cluster of this test’s own, behind a password: three nodes with the slots among them, a replica of each. */
export async function startRedisCluster(): Promise<TestRedisCluster> {
  const nodes = await Promise.all(Array.from({ length: 2 * MASTERS }, startNode));
  const masters = nodes.slice(0, MASTERS);
  await Promise.all(
    masters.map(({ client }, i) => client.call('cluster', 'addslotsrange', first(i), first(i + 1) - 1)),
  );
  // Each has its own epoch: with equal ones, the nodes need long to agree.
  await Promise.all(nodes.map(({ client }, i) => client.call('cluster', 'set-config-epoch', i + 1)));
  for (const { port, busPort } of nodes.slice(1)) {
    await nodes[0]!.client.call('cluster', 'meet', '127.0.0.1', port, busPort);
  }
  const info = async ({ client }: Node) => String(await client.call('cluster', 'info'));
  const everybody = new RegExp(`cluster_known_nodes:${nodes.length}\\b`);
  await until('the nodes to form a cluster', async () =>
    (await Promise.all(nodes.map(info))).every((text) => everybody.test(text)),
  );
  for (const [i, master] of masters.entries()) {
    const id = String(await master.client.call('cluster', 'myid'));
    await nodes[MASTERS + i]!.client.call('cluster', 'replicate', id);
  }
  await until(
    'the cluster to be whole',
    async () =>
      (await Promise.all(nodes.map(info))).every((text) => text.includes('cluster_state:ok')) &&
      (await Promise.all(nodes.slice(MASTERS).map(({ client }) => client.info('replication')))).every(
        (text) => text.includes('master_link_status:up'),
      ),
  );

  const alive = new Set(nodes);
  const holding = async () => {
    const roles = await Promise.all(
      [...alive].map(async (node) => ({ node, text: await node.client.info('replication') })),
    );
    return roles.filter(({ text }) => text.includes('role:master')).map(({ node }) => node);
  };
  const end = async (node: Node) => {
    alive.delete(node);
    node.client.disconnect();
    await node.server.stop();
  };
  const fail = async (node: Node) => {
    const index = masters.indexOf(node);
    await end(node);
    if (index < 0) return;
    const replica = nodes[MASTERS + index]!;
    await until(
      'the replica to take over',
      async () =>
        (await replica.client.info('replication')).includes('role:master') &&
        (await info(replica)).includes('cluster_state:ok'),
    );
  };
  return {
    config: {
      kind: 'redis-cluster',
      nodes: masters.map(({ port }) => ({ host: '127.0.0.1', port })),
      ...{ username: USER, password: PASSWORD, tls: false },
    },
    variables: {
      REDIS_CLUSTER_NODES: masters.map(({ port }) => `127.0.0.1:${port}`).join(','),
      REDIS_CLUSTER_USERNAME: USER,
      REDIS_CLUSTER_PASSWORD: PASSWORD,
    },
    keys: async () => Promise.all((await holding()).map(({ client }) => client.keys('*'))),
    async fail(key) {
      const slot = Number(await nodes[0]!.client.call('cluster', 'keyslot', key));
      const index = masters.findIndex((_, i) => slot < first(i + 1));
      await fail(masters[index]!);
    },
    async failSubscribed() {
      const counts = await Promise.all(
        [...alive].map(async (node) => {
          const channels = (await node.client.call('pubsub', 'channels')) as string[];
          return { node, count: channels.length };
        }),
      );
      await fail(counts.sort((one, other) => other.count - one.count)[0]!.node);
    },
    stop: async () => {
      await Promise.all([...alive].map(end));
    },
  };
}

/** The first slot of a master. */
const first = (master: number) => Math.round((master * SLOTS) / MASTERS);

async function startNode(): Promise<Node> {
  // By default its bus listens on the port plus 10,000, which may be out of range.
  const busPort = await freePort();
  const server = await startRedis({
    'cluster-enabled': 'yes',
    'cluster-config-file': 'nodes.conf',
    'cluster-node-timeout': NODE_TIMEOUT,
    'cluster-port': busPort,
    requirepass: NODES_PASSWORD,
    masterauth: NODES_PASSWORD,
  });
  const client = new Redis(server.url);
  client.on('error', () => undefined);
  await client.call('acl', 'setuser', USER, 'on', `>${PASSWORD}`, '~*', '&*', '+@all');
  return { port: Number(new URL(server.url).port), busPort, client, server };
}
