import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { createJobQueue, type QueueEntry } from './job-queue.js';
import { lanes, queuePriority, MAX_VIRTUAL_START } from './priorities.js';
import { describeWithRedis } from '../../test/support/available.ts';
import { describeOnBothBackends } from '../../test/support/backends.ts';
import { DONE, emptied, entry, useQueues } from '../../test/support/queues.ts';
import { startRedis } from '../../test/support/redis.ts';
import { until } from '../../test/support/until.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';

allowTimeForPrograms();

describeOnBothBackends('The queue', (backend) => {
  // A busy machine may take longer than the time that the product allows.
  const queues = useQueues(backend, { answerWithin: 30_000 });

  // Pitfall: "jobs without a priority run before prioritised ones" (bullmq#2387, "works as designed")
  it('gives every entry a priority, since one without would overtake all others', () => {
    const { overdue, premium, standard } = lanes;
    const starts = [0, 1, 2, MAX_VIRTUAL_START];
    const inOrder = [overdue, premium, standard].flatMap((lane) =>
      starts.map((virtualStart) => queuePriority({ lane, virtualStart })),
    );
    expect(inOrder).toEqual([...new Set(inOrder)].sort((a, b) => a - b));
    expect(inOrder[0]).toBeGreaterThan(0);
    expect(queuePriority({ lane: standard, virtualStart: MAX_VIRTUAL_START + 1 })).toBeLessThan(2_097_152);
  });

  it('hands out premium entries first, and equal ones in order', async () => {
    const queue = queues.open();
    const entries = [entry(), entry('premium'), entry(), entry('premium'), entry('premium')];
    for (const one of entries) await queue.add([one]);
    const taken = queues.taking(queue);
    await until('all to be taken', () => taken.length === entries.length);
    expect(taken).toEqual([1, 3, 4, 0, 2].map((i) => entries[i]!.jobId));
  });

  it('gives out the lower virtual start time of a lane first, and a reordered entry at its new position', async () => {
    const queue = queues.open();
    const [last, late, first, next] = [7, 3, 1, 2].map((virtualStart) => ({ ...entry(), virtualStart })) as [
      QueueEntry,
      QueueEntry,
      QueueEntry,
      QueueEntry,
    ];
    const premium = entry('premium');
    await queue.add([last, late, premium, first, next]);
    await queue.reorder([
      { ...late, lane: lanes.overdue },
      { ...last, virtualStart: 2 },
      { ...entry(), virtualStart: 1 },
    ]);
    const taken = queues.taking(queue);
    await until('all to be taken', () => taken.length === 5);
    expect(taken).toEqual([late, premium, first, next, last].map(({ jobId }) => jobId));
    await emptied(queue);
  });

  it('keeps an entry’s new position while it is delayed', async () => {
    const queue = queues.open();
    const [moved, other] = [entry('standard', undefined, 1), entry('standard', undefined, 1)];
    await queue.add([other, moved]);
    await queue.reorder([{ ...moved, lane: lanes.overdue }]);
    const due = Date.now() + 1;
    await until('both to be due', () => Date.now() > due);
    const taken = queues.taking(queue);
    await until('both to be taken', () => taken.length === 2);
    expect(taken).toEqual([moved.jobId, other.jobId]);
  });

  it('keeps one entry for an id that is added again while it waits, is delayed or runs', async () => {
    const queue = queues.open();
    const [waiting, delayed, atWork] = [entry(), entry('standard', undefined, 60_000), entry('premium')];
    const gate = Promise.withResolvers<void>();
    const taken: string[] = [];
    await queue.add([waiting, delayed, atWork]);
    queues.work(queue, async (jobId) => {
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
  it('accepts an id again after it succeeded or failed', async () => {
    const queue = queues.open();
    const [well, badly] = [entry(), entry()];
    const taken: string[] = [];
    queues.work(queue, async (jobId) => {
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

  it('returns an entry at the given time', async () => {
    const queue = queues.open();
    const one = entry();
    const at: number[] = [];
    queues.work(queue, async () => {
      at.push(Date.now());
      return at.length < 3 ? { done: false, delayMs: 400 } : DONE;
    });
    await queue.add([one]);
    await until('the third look', () => at.length === 3);
    await emptied(queue);
    const pauses = [at[1]! - at[0]!, at[2]! - at[1]!];
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(390);
    // Takes the shorter of the two, because other work on the machine may delay one.
    expect(Math.min(...pauses)).toBeLessThan(6_000);
  });

  it('delays an entry for its time', async () => {
    const queue = queues.open();
    const takenAt = new Map<string, number>();
    queues.work(queue, async (jobId) => {
      takenAt.set(jobId, Date.now());
      return DONE;
    });
    const [never, late, now] = [
      entry('premium', undefined, 3_600_000),
      entry('premium', undefined, 2_000),
      entry(),
    ];
    const added = Date.now();
    await queue.add([never, late, now]);
    await until('two to be taken', () => takenAt.size === 2);
    expect(new Set(takenAt.keys())).toEqual(new Set([late.jobId, now.jobId]));
    expect(takenAt.get(late.jobId)! - added).toBeGreaterThanOrEqual(1_990);
  });

  it('removes a waiting entry, but not one that a worker holds', async () => {
    const queue = queues.open();
    const [atWork, waiting] = [entry('premium'), entry()];
    const gate = Promise.withResolvers<void>();
    const taken: string[] = [];
    await queue.add([atWork, waiting]);
    queues.work(queue, async (jobId) => {
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

  it('counts each queue separately', async () => {
    const queue = queues.open();
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

  it('closes at once when idle, and after the running entry when busy', async () => {
    const queue = queues.open();
    // Takes the best of three rounds, because other work on the machine may disturb one.
    const idle: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const began = performance.now();
      await queues.work(queue, async () => DONE, { name: 'pdf' }).close();
      idle.push(performance.now() - began);
    }
    expect(Math.min(...idle)).toBeLessThan(4_500);

    const gate = Promise.withResolvers<void>();
    const steps: string[] = [];
    const worker = queues.work(queue, async () => {
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
});

describeWithRedis('The memory of Redis', () => {
  it.each([
    [0, false],
    ['100mb', true],
  ])('is used in part with maxmemory=%s: %s', async (maxmemory, isLimited) => {
    const redis = await startRedis({ maxmemory });
    const errors: Error[] = [];
    const queue = createJobQueue({
      config: { kind: 'redis', url: redis.url },
      databaseUrl: '',
      onError: (error) => errors.push(error),
    });
    await until('the connection', () =>
      queue.ping().then(
        () => true,
        () => false,
      ),
    );
    const used = await queue.memoryUsed();
    expect(used > 0 && used < 1).toBe(isLimited);
    await queue.close();
    await redis.stop();
  });
});
