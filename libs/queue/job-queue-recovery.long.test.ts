import { connect, createServer, type AddressInfo } from 'node:net';
import { expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import type { Disposition } from './entry-processor.js';
import type { JobQueue, QueueEntry } from './job-queue.js';
import { query } from '../../scripts/stack/query.ts';
import { describeOnBothBackends } from '../../test/support/backends.ts';
import { DONE, emptied, entry, useQueues } from '../../test/support/queues.ts';
import { until } from '../../test/support/until.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';

allowTimeForPrograms();

/** With this lease, BullMQ renews locks every second. */
const SHORT_LEASE = { leaseSeconds: 2 };

/** Tests workers that die or lose their lock, and backends that are unavailable, restarted or emptied. */
describeOnBothBackends('The queue, where something is lost', (backend) => {
  const queues = useQueues(backend);

  it('gives a dead worker’s entry to another, any number of times', async () => {
    const queue = queues.open();
    const one = entry();
    await queue.add([one]);
    // Simulates workers that die twice in a row.
    for (let death = 1; death <= 2; death += 1) {
      await takeAndDie();
      const taken: string[] = [];
      const survivor = queues.work(
        queues.open(),
        async (jobId) => {
          taken.push(jobId);
          return death < 2 ? { done: false, delayMs: 0 } : DONE;
        },
        { leaseSeconds: 1 },
      );
      await until('the survivor to take it', () => taken.length > 0);
      await survivor.close();
    }
    await emptied(queue);

    async function takeAndDie(): Promise<void> {
      const gate = Promise.withResolvers<Disposition>();
      let holds = false;
      queues.work(queues.open(), () => ((holds = true), gate.promise), { leaseSeconds: 1 });
      queues.onEnd(async () => gate.resolve(DONE));
      await until('the worker to hold it', () => holds);
      await loseLock(one.jobId);
    }
  });

  // This happens if a worker's clock is an hour ahead.
  it.each(['active', 'delayed'] as const)('requeues an entry that is %s for an hour', async (state) => {
    const queue = queues.open();
    const one = entry('standard', undefined, state === 'delayed' ? 3_600_000 : undefined);
    await queue.add([one]);
    const gate = Promise.withResolvers<Disposition>();
    if (state === 'active') {
      let holds = false;
      queues.work(queue, () => ((holds = true), gate.promise));
      queues.onEnd(async () => gate.resolve(DONE));
      await until('the worker to hold it', () => holds);
    }
    expect(await queue.readUnavailable('text')).toEqual({ active: [], delayed: [], [state]: [one.jobId] });
    const taken = queues.taking(queue);
    await queue.requeue('text', one.jobId);
    await until('another worker to take it', () => taken.includes(one.jobId));
    await queue.requeue('text', one.jobId);
    await queue.requeue('text', entry().jobId);
  });

  // A worker that lost its lock must not change the entry of the current holder.
  it.each<[string, () => Disposition]>([
    ['put back', () => ({ done: false, delayMs: 60_000 })],
    ['done with', () => DONE],
  ])('ignores a worker that lost its lock and reports the entry as %s', async (_, disposition) => {
    const queue = queues.open();
    const one = entry();
    const [late, owner] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const taken: string[] = [];
    await queue.add([one]);
    const lateWorker = queues.work(
      queues.open(),
      async () => {
        taken.push('late');
        await late.promise;
        return disposition();
      },
      SHORT_LEASE,
    );
    await until('the first to hold it', () => taken.length === 1);
    await loseLock(one.jobId);
    await requeue(one);
    const ownerWorker = queues.work(
      queues.open(),
      async () => {
        taken.push('owner');
        await owner.promise;
        return DONE;
      },
      SHORT_LEASE,
    );
    await until('the second to hold it', () => taken.length === 2);
    await until('the late worker to fail to renew its lock', () => lateWorker.renewals.lost > 0);
    late.resolve();
    await lateWorker.close();
    const { held } = ownerWorker.renewals;
    await until('the owner to renew its lock once more', () => ownerWorker.renewals.held > held);
    expect(await queue.count('text')).toBe(1);
    expect(taken).toEqual(['late', 'owner']);
    owner.resolve();
    await emptied(queue);
  });

  it('answers a ping, and rejects within seconds while its backend is unavailable', async () => {
    await queues.open().ping();
    const { config, database } = backend();
    const unavailable = queues.open({
      config: config.kind === 'postgres' ? config : { kind: 'redis', url: 'redis://127.0.0.1:1' },
      databaseUrl: config.kind === 'postgres' ? 'postgres://nobody@127.0.0.1:1/none' : database.url,
    });
    const asked = performance.now();
    await expect(unavailable.ping()).rejects.toThrow();
    await expect(unavailable.add([entry()])).rejects.toThrow();
    // Each call should take 2 seconds. A call that waits for a connection would never end.
    expect(performance.now() - asked).toBeLessThan(30_000);
  });

  // A regression may freeze the process: a worker that retries without a pause blocks the timers of this test too.
  it('starts working even if its backend was unavailable when it was opened', async () => {
    const { config, database, redis } = backend();
    let address = config.kind === 'redis' ? config.url : database.url;
    const { port } = new URL(address);
    const gate = await openGate(Number(port));
    queues.onEnd(gate.close);
    address = address.replace(`:${port}`, `:${gate.port}`);
    const queue = queues.open({
      config: redis ? { kind: 'redis', url: address } : config,
      databaseUrl: redis ? database.url : address,
    });
    const taken = queues.taking(queue);
    // Enough for the queue and its worker to have retried.
    await until('the connections to be refused', () => gate.refused >= 4);
    await expect(queue.ping()).rejects.toThrow();
    gate.open();
    await goesThrough(queue, taken);
  });

  it('recovers after its backend was lost, emptied or restarted', async () => {
    const queue = queues.open();
    const taken = queues.taking(queue);
    for (let round = 1; round <= 3; round += 1) {
      await breakConnections();
      await goesThrough(queue, taken);
    }
  });

  /** Adds an entry, with retries, and waits until a worker takes it. */
  async function goesThrough(queue: JobQueue, taken: string[]): Promise<void> {
    const one = entry();
    await until('the entry to be accepted', () =>
      queue.add([one]).then(
        () => true,
        () => false,
      ),
    );
    await until('the entry to be taken', () => taken.includes(one.jobId));
  }

  /** Simulates an expired lock of a worker. */
  async function loseLock(jobId: string): Promise<void> {
    const { database, redis } = backend();
    if (redis) await redisDo(redis.url, 'del', `{pressroom-text}:text:${jobId}:lock`);
    else
      await query(
        database.url,
        `UPDATE bullmq.job SET lock_token = 'another', locked_until_ms = 0 WHERE id = '${jobId}'`,
      );
  }

  /** Simulates BullMQ's check for stalled entries, which makes an entry with an expired lock waiting again. */
  async function requeue(one: QueueEntry): Promise<void> {
    const { database, redis } = backend();
    if (!redis)
      return void (await query(
        database.url,
        `UPDATE bullmq.job SET state = 'waiting', lock_token = NULL, locked_until_ms = NULL WHERE id = '${one.jobId}'`,
      ));
    await redisDo(redis.url, 'lrem', '{pressroom-text}:text:active', '1', one.jobId);
    await redisDo(redis.url, 'zadd', '{pressroom-text}:text:prioritized', '1000', one.jobId);
    await redisDo(redis.url, 'zadd', '{pressroom-text}:text:marker', '0', '0');
  }

  async function breakConnections(): Promise<void> {
    const { database, redis } = backend();
    if (redis) return redis.restart();
    await query(
      database.url,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()`,
    );
  }
});

async function redisDo(url: string, ...[name, ...args]: [string, ...string[]]): Promise<void> {
  const client = new Redis(url);
  await client.call(name, ...args);
  client.disconnect();
}

/** Starts a proxy to a local port. It breaks every connection until `open` is called. */
async function openGate(to: number) {
  let isOpen = false;
  let refused = 0;
  const server = createServer((client) => {
    client.on('error', () => undefined);
    if (!isOpen) {
      refused += 1;
      return client.destroy();
    }
    const target = connect(to, '127.0.0.1');
    target.on('error', () => undefined);
    target.on('close', () => client.destroy());
    client.on('close', () => target.destroy());
    client.pipe(target).pipe(client);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    port: (server.address() as AddressInfo).port,
    get refused() {
      return refused;
    },
    open: () => void (isOpen = true),
    close: async () => void server.close(),
  };
}
