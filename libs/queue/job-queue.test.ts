import { randomUUID } from 'node:crypto';
import { connect, createServer, type AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import {
  createJobQueue,
  type Disposition,
  type JobQueue,
  type QueueEntry,
  type QueueWorker,
} from './job-queue.js';
import { lanes, queueNames, queuePriority, TURNS_IN_LANE, type Priority } from './queues.js';
import { query } from '../../scripts/stack/postgres.ts';
import { describeOnBothBackends } from '../../test/support/backends.ts';
import { until } from '../../test/support/until.ts';

const DONE: Disposition = { done: true };

describeOnBothBackends('The queue', (backend) => {
  const closing: (() => Promise<unknown>)[] = [];

  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
    await empty();
  });

  async function empty(): Promise<void> {
    const { database, redis } = backend();
    if (redis) await redis.flush();
    else await query(database.url, 'TRUNCATE bullmq.job CASCADE');
  }

  function open(): JobQueue {
    const { config, database } = backend();
    const queue = createJobQueue({ config, databaseUrl: database.url, onError: () => undefined });
    closing.push(() => queue.close());
    return queue;
  }

  type Process = (jobId: string) => Promise<Disposition>;

  function work(
    queue: JobQueue,
    process: Process,
    { concurrency = 1, leaseSeconds = 2, name = queueNames[0]! } = {},
  ): QueueWorker {
    const worker = queue.work({ queue: name, concurrency, leaseSeconds, process, onError: () => undefined });
    closing.push(() => worker.close());
    return worker;
  }

  const entry = (
    priority: Priority = 'standard',
    jobId: string = randomUUID(),
    delay?: number,
  ): QueueEntry => ({
    jobId,
    queue: 'text',
    tool: 'generate-article',
    lane: lanes[priority],
    turn: 1,
    delay,
  });

  /** A worker that takes note of what it is handed, in order. */
  function taking(queue: JobQueue): string[] {
    const taken: string[] = [];
    work(queue, async (jobId) => {
      taken.push(jobId);
      return DONE;
    });
    return taken;
  }

  const emptied = (queue: JobQueue) =>
    until('the queue to be empty', async () => (await queue.count('text')) === 0);

  // Pitfall: "jobs without a priority run before prioritised ones" (bullmq#2387, "works as designed")
  it('gives every entry a priority, so that none overtakes all others for want of one', () => {
    const { overdue, premium, standard } = lanes;
    const turns = [0, 1, 2, TURNS_IN_LANE];
    const inOrder = [overdue, premium, standard].flatMap((lane) =>
      turns.map((turn) => queuePriority({ lane, turn })),
    );
    expect(inOrder).toEqual([...new Set(inOrder)].sort((a, b) => a - b));
    expect(inOrder[0]).toBeGreaterThan(0);
    expect(queuePriority({ lane: standard, turn: TURNS_IN_LANE + 1 })).toBeLessThan(2_097_152);
  });

  it('hands out premium entries first, and equals in the order they came', async () => {
    const queue = open();
    const entries = [entry(), entry('premium'), entry(), entry('premium'), entry('premium')];
    for (const one of entries) await queue.add([one]);
    const taken = taking(queue);
    await until('all to be taken', () => taken.length === entries.length);
    expect(taken).toEqual([1, 3, 4, 0, 2].map((i) => entries[i]!.jobId));
  });

  it('hands out the lower turn of a lane first, and an entry that was given another place in its new place', async () => {
    const queue = open();
    const [last, late, first, next] = [7, 3, 1, 2].map((turn) => ({ ...entry(), turn })) as [
      QueueEntry,
      QueueEntry,
      QueueEntry,
      QueueEntry,
    ];
    const premium = entry('premium');
    await queue.add([last, late, premium, first, next]);
    await queue.reorder([
      { ...late, lane: lanes.overdue },
      { ...last, turn: 2 },
      { ...entry(), turn: 1 },
    ]);
    const taken = taking(queue);
    await until('all to be taken', () => taken.length === 5);
    expect(taken).toEqual([late, premium, first, next, last].map(({ jobId }) => jobId));
    expect(await queue.count('text')).toBe(0);
  });

  it('keeps an entry’s new place while it is delayed', async () => {
    const queue = open();
    const [moved, other] = [entry('standard', undefined, 1_000), entry('standard', undefined, 1_000)];
    await queue.add([other, moved]);
    await queue.reorder([{ ...moved, lane: lanes.overdue }]);
    await pause(1_100);
    const taken = taking(queue);
    await until('both to be taken', () => taken.length === 2);
    expect(taken).toEqual([moved.jobId, other.jobId]);
  });

  it('keeps one entry for an id that is added again while it waits, is delayed or is at work', async () => {
    const queue = open();
    const [waiting, delayed, atWork] = [entry(), entry('standard', undefined, 60_000), entry('premium')];
    const gate = Promise.withResolvers<void>();
    const taken: string[] = [];
    await queue.add([waiting, delayed, atWork]);
    work(queue, async (jobId) => {
      taken.push(jobId);
      await gate.promise;
      return DONE;
    });
    await until('one to be at work', () => taken.length === 1);

    await queue.add([waiting, { ...delayed, delay: undefined }, atWork]);
    await Promise.all(Array.from({ length: 5 }, () => queue.add([waiting, atWork])));
    expect(await queue.count('text')).toBe(3);

    gate.resolve();
    await until('the one that waits to be taken', async () => (await queue.count('text')) === 1);
    expect(taken).toEqual([atWork.jobId, waiting.jobId]);
  });

  // Pitfall: "BullMQ silently ignores a `jobId` still kept as completed or failed" (didacta-io#45)
  it('takes an id again that ended, well or badly', async () => {
    const queue = open();
    const [well, badly] = [entry(), entry()];
    const taken: string[] = [];
    work(queue, async (jobId) => {
      taken.push(jobId);
      if (jobId === badly.jobId) throw new Error('A process function of ours never rejects, but if one does');
      return DONE;
    });
    for (let round = 1; round <= 3; round += 1) {
      await queue.add([well, badly]);
      await until('both to be taken', () => taken.length === 2 * round);
      await emptied(queue);
    }
  });

  it('brings an entry back at the time it is told', async () => {
    const queue = open();
    const one = entry();
    const at: number[] = [];
    work(queue, async () => {
      at.push(Date.now());
      return at.length < 3 ? { done: false, at: Date.now() + 400 } : DONE;
    });
    await queue.add([one]);
    await until('the third look', () => at.length === 3);
    await emptied(queue);
    expect(at[1]! - at[0]!).toBeGreaterThanOrEqual(390);
    expect(at[2]! - at[1]!).toBeLessThan(3_000);
  });

  it('holds a delayed entry back for its time', async () => {
    const queue = open();
    const taken = taking(queue);
    const [late, early] = [entry('premium', undefined, 700), entry()];
    const added = Date.now();
    await queue.add([late, early]);
    await until('both to be taken', () => taken.length === 2);
    expect(taken).toEqual([early.jobId, late.jobId]);
    expect(Date.now() - added).toBeGreaterThanOrEqual(690);
  });

  it('takes a waiting entry out, and leaves one that a worker holds', async () => {
    const queue = open();
    const [atWork, waiting] = [entry('premium'), entry()];
    const gate = Promise.withResolvers<void>();
    const taken: string[] = [];
    await queue.add([atWork, waiting]);
    work(queue, async (jobId) => {
      taken.push(jobId);
      await gate.promise;
      return DONE;
    });
    await until('one to be at work', () => taken.length === 1);
    await queue.remove('text', waiting.jobId);
    await queue.remove('text', atWork.jobId);
    await queue.remove('text', randomUUID());
    expect(await queue.count('text')).toBe(1);
    gate.resolve();
    await emptied(queue);
    expect(taken).toEqual([atWork.jobId]);
  });

  it('counts each queue by itself', async () => {
    const queue = open();
    await queue.add([
      entry(),
      entry('premium'),
      entry('standard', undefined, 60_000),
      { ...entry(), queue: 'pdf' },
    ]);
    expect(await Promise.all([queue.count('text'), queue.count('pdf'), queue.count('image')])).toEqual([
      3, 1, 0,
    ]);
  });

  it('hands a dead worker’s entry to another, however often that happens', async () => {
    const queue = open();
    const one = entry();
    await queue.add([one]);
    // A worker whose lock is never renewed: its event loop is as good as dead.
    for (let death = 1; death <= 2; death += 1) {
      await takeAndDie();
      const taken: string[] = [];
      const survivor = work(
        open(),
        async (jobId) => {
          taken.push(jobId);
          return death < 2 ? { done: false, at: Date.now() } : DONE;
        },
        { leaseSeconds: 1 },
      );
      await until('the survivor to take it', () => taken.length > 0, { seconds: 15 });
      await survivor.close();
    }
    await emptied(queue);

    async function takeAndDie(): Promise<void> {
      const { config, database } = backend();
      const dying = createJobQueue({ config, databaseUrl: database.url, onError: () => undefined });
      const gate = Promise.withResolvers<Disposition>();
      let holds = false;
      const worker = dying.work({
        queue: 'text',
        concurrency: 1,
        leaseSeconds: 1,
        process: () => ((holds = true), gate.promise),
        onError: () => undefined,
      });
      closing.push(async () => {
        gate.resolve(DONE);
        await worker.close();
        await dying.close();
      });
      await until('the worker to hold it', () => holds);
      await loseLock(one.jobId);
    }
  }, 40_000);

  // What a worker says of an entry whose lock it lost must not touch the entry of the one who holds it now.
  it.each<[string, () => Disposition]>([
    ['put back', () => ({ done: false, at: Date.now() + 60_000 })],
    ['done with', () => DONE],
  ])(
    'ignores a worker that lost its lock when it says that the entry is %s',
    async (_, disposition) => {
      const queue = open();
      const one = entry();
      const [late, owner] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const taken: string[] = [];
      await queue.add([one]);
      work(open(), async () => {
        taken.push('late');
        await late.promise;
        return disposition();
      });
      await until('the first to hold it', () => taken.length === 1);
      await loseLock(one.jobId);
      await requeue(one);
      work(open(), async () => {
        taken.push('owner');
        await owner.promise;
        return DONE;
      });
      await until('the second to hold it', () => taken.length === 2, { seconds: 15 });
      late.resolve();
      // Long enough for the late worker's word to be spoken, and for its lock manager to have its turn.
      await pause(1_500);
      expect(await queue.count('text')).toBe(1);
      expect(taken).toEqual(['late', 'owner']);
      owner.resolve();
      await emptied(queue);
    },
    40_000,
  );

  it('answers a ping, and refuses within seconds while its backend is away', async () => {
    await open().ping();
    const { config, database } = backend();
    const away = createJobQueue({
      config: config.kind === 'postgres' ? config : { kind: 'redis', url: 'redis://127.0.0.1:1' },
      databaseUrl: config.kind === 'postgres' ? 'postgres://nobody@127.0.0.1:1/none' : database.url,
      onError: () => undefined,
    });
    closing.push(() => away.close());
    const asked = performance.now();
    await expect(away.ping()).rejects.toThrow();
    await expect(away.add([entry()])).rejects.toThrow();
    expect(performance.now() - asked).toBeLessThan(5_000);
  });

  // The worst of it is a worker that asks without a pause and freezes its process: then no timer of this test ends.
  it('takes up work though its backend was away when it was opened', async () => {
    const { config, database, redis } = backend();
    let address = config.kind === 'redis' ? config.url : database.url;
    const { port } = new URL(address);
    const gate = await openGate(Number(port));
    closing.push(gate.close);
    address = address.replace(`:${port}`, `:${gate.port}`);
    const queue = createJobQueue({
      config: redis ? { kind: 'redis', url: address } : config,
      databaseUrl: redis ? database.url : address,
      onError: () => undefined,
    });
    closing.push(() => queue.close());
    const taken = taking(queue);
    await pause(1_500);
    await expect(queue.ping()).rejects.toThrow();
    gate.open();
    const one = entry();
    await until('the entry to be accepted', () =>
      queue.add([one]).then(
        () => true,
        () => false,
      ),
    );
    await until('the entry to be taken', () => taken.includes(one.jobId));
  }, 30_000);

  it('goes on by itself after its backend was lost, emptied or restarted', async () => {
    const queue = open();
    const taken = taking(queue);
    for (let round = 1; round <= 3; round += 1) {
      await breakConnections();
      const one = entry();
      await until('the entry to be accepted', () =>
        queue.add([one]).then(
          () => true,
          () => false,
        ),
      );
      await until('the entry to be taken', () => taken.includes(one.jobId), { seconds: 15 });
    }
  }, 60_000);

  it('closes at once when idle, and only after the entry at work when busy', async () => {
    const queue = open();
    const idle = performance.now();
    await work(queue, async () => DONE, { name: 'pdf' }).close();
    expect(performance.now() - idle).toBeLessThan(3_000);

    const gate = Promise.withResolvers<void>();
    const steps: string[] = [];
    const worker = work(queue, async () => {
      steps.push('taken');
      await gate.promise;
      steps.push('ended');
      return DONE;
    });
    await queue.add([entry(), entry()]);
    await until('one to be at work', () => steps.length === 1);
    const closed = worker.close().then(() => steps.push('closed'));
    gate.resolve();
    await closed;
    expect(steps).toEqual(['taken', 'ended', 'closed']);
    expect(await queue.count('text')).toBe(1);
  });

  /** As if the worker's lock had run out. */
  async function loseLock(jobId: string): Promise<void> {
    const { database, redis } = backend();
    if (redis) await redisDo(redis.url, 'del', `{pressroom}:text:${jobId}:lock`);
    else
      await query(
        database.url,
        `UPDATE bullmq.job SET lock_token = 'another', locked_until_ms = 0 WHERE id = '${jobId}'`,
      );
  }

  /** What the stalled check does with an entry whose lock ran out. */
  async function requeue(one: QueueEntry): Promise<void> {
    const { database, redis } = backend();
    if (!redis)
      return void (await query(
        database.url,
        `UPDATE bullmq.job SET state = 'waiting', lock_token = NULL, locked_until_ms = NULL WHERE id = '${one.jobId}'`,
      ));
    await redisDo(redis.url, 'lrem', '{pressroom}:text:active', '1', one.jobId);
    await redisDo(redis.url, 'zadd', '{pressroom}:text:prioritized', '1000', one.jobId);
    await redisDo(redis.url, 'zadd', '{pressroom}:text:marker', '0', '0');
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

/** A way to a port of this machine on which every connection breaks until it is opened. */
async function openGate(to: number) {
  let isOpen = false;
  const server = createServer((client) => {
    client.on('error', () => undefined);
    if (!isOpen) return client.destroy();
    const target = connect(to, '127.0.0.1');
    target.on('error', () => undefined);
    target.on('close', () => client.destroy());
    client.on('close', () => target.destroy());
    client.pipe(target).pipe(client);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    port: (server.address() as AddressInfo).port,
    open: () => void (isOpen = true),
    close: async () => void server.close(),
  };
}
