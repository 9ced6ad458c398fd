import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { lanes, queuePriority } from '#libs/queue/priorities.js';
import { QUEUE_ORDER } from './fair-queueing.js';
import { QueueOrder } from './queue-order.js';
import { openJobPlatform, type JobPlatform } from '../../test/support/job-platform.ts';

const SLOTS = 4;

describe('The slots of a queue', () => {
  let platform: JobPlatform;
  let order: QueueOrder;
  let yielding: string[];
  beforeAll(async () => {
    platform = await openJobPlatform();
    order = new QueueOrder(platform.dataSource, platform.queue, platform.live, 600);
    platform.live.subscribe('job:yields', (id) => yielding.push(id));
  });
  afterAll(() => platform.close());
  afterEach(async () => {
    platform.queue.entries.clear();
    platform.errors.length = 0;
    await platform.sql('DELETE FROM users');
    await platform.sql('DELETE FROM worker_slots');
  });

  async function openSlots(slots = SLOTS): Promise<void> {
    yielding = [];
    await platform.openSlots(slots);
  }
  async function submit(user: string, jobs = 1): Promise<string[]> {
    const ids: string[] = [];
    for (let i = 0; i < jobs; i += 1) ids.push((await platform.submit(user)).id);
    return ids;
  }
  const claim = (id: string) => platform.lifecycle.claim(id, 60);
  const claimed = async (ids: string[]) =>
    (await Promise.all(ids.map(claim))).filter(({ kind }) => kind === 'claimed').length;
  const fail = (jobId: string, hitLimit: boolean) =>
    platform.lifecycle.fail(
      { jobId, attempt: 1 },
      { code: 'UNREADABLE_PDF', message: 'Too complex', hitLimit },
    );
  /** Makes a job as old as one whose entry is in the queue. */
  const age = (id: string) =>
    platform.sql(`UPDATE jobs SET created_at = created_at - interval '1 second' WHERE id = $1`, [id]);
  const laneOf = async (id: string) => (await platform.job(id)).lane;
  const waiting = async () =>
    (
      await platform.sql<{ id: string }>(
        `SELECT id FROM jobs WHERE status = 'queued' ORDER BY ${QUEUE_ORDER}`,
      )
    ).map(({ id }) => id);
  const handedOut = () =>
    [...platform.queue.entries.values()]
      .sort((a, b) => queuePriority(a) - queuePriority(b))
      .map(({ jobId }) => jobId);

  it('all go to one user while nobody else waits', async () => {
    await openSlots();
    expect(await claimed(await submit(await platform.user(), SLOTS))).toBe(SLOTS);
  });

  it.each([
    [1, 1],
    [3, 2],
    [4, 2],
  ])(
    'of %i are at most %i one user’s while others wait, however many claim at once',
    async (slots, share) => {
      await openSlots(slots);
      const [flooder, other] = [await platform.user(), await platform.user()];
      const flood = await submit(flooder, 12);
      const [single] = await submit(other);
      expect(await claimed(flood)).toBe(share);
      expect(await claim(single!)).toMatchObject({ kind: 'claimed' });
    },
  );

  describe('of which a user holds many of 100 while others wait', () => {
    /** @returns the user, and the next job */
    async function hold(held: number): Promise<[user: string, next: string]> {
      await openSlots(100);
      const [flooder, other] = [await platform.user('premium'), await platform.user('premium')];
      const flood = await submit(flooder, held + 1);
      expect(await claimed(flood.slice(0, held))).toBe(held);
      await submit(other);
      return [flooder, flood.at(-1)!];
    }

    it('go to the user without the lock of the share while fewer than the share less 16 are held', async () => {
      const [user, next] = await hold(33);
      const locking = platform.dataSource.createQueryRunner();
      await locking.query(`SELECT pg_advisory_lock(770155, hashtext('text' || $1))`, [user]);
      try {
        expect(await claim(next)).toMatchObject({ kind: 'claimed' });
      } finally {
        await locking.query('SELECT pg_advisory_unlock_all()');
        await locking.release();
      }
    });

    it.each([
      [49, 'claimed'],
      [50, 'retry'],
    ])('do not exceed the share: with %i held, the next is %s', async (held, kind) => {
      const [, next] = await hold(held);
      expect(await claim(next)).toMatchObject({ kind });
    });
  });

  it('move a yielding job behind the next one of another user, in queue and table', async () => {
    await openSlots();
    const [flooder, other] = [await platform.user(), await platform.user()];
    const flood = await submit(flooder, 5);
    await claimed(flood.slice(0, 2));
    for (const id of flood.slice(0, 2)) platform.queue.entries.delete(id);
    const ofOther = await submit(other, 2);
    expect(await waiting()).toEqual([flood[2], ofOther[0], flood[3], ofOther[1], flood[4]]);
    expect(await claim(flood[2]!)).toEqual({ kind: 'retry', delayMs: 0 });
    expect(await waiting()).toEqual([ofOther[0], flood[2], flood[3], ofOther[1], flood[4]]);
    expect(handedOut()[0]).toBe(ofOther[0]);
    expect((await platform.places.of(await platform.job(ofOther[0]!)))?.position).toBe(1);
    // The other user's job has no queue entry yet, so the claim only waits a moment and changes nothing.
    expect(await claim(flood[2]!)).toEqual({ kind: 'retry', delayMs: 250 });
    expect((await waiting())[0]).toBe(ofOther[0]);
    expect(await claimed(ofOther)).toBe(2);
    expect(await claim(flood[2]!)).toMatchObject({ kind: 'claimed' });
  });

  it('go to premium users first, but for a quarter', async () => {
    await openSlots();
    const [flooder, other, standard] = [
      await platform.user('premium'),
      await platform.user('premium'),
      await platform.user(),
    ];
    const flood = await submit(flooder, 6);
    const ofOther = await submit(other);
    const [single] = await submit(standard);
    expect(await claimed(flood.slice(0, 3))).toBe(2);
    expect((await waiting())[0]).toBe(ofOther[0]);
    expect((await waiting()).at(-1)).toBe(single);
    await claim(ofOther[0]!);
    for (const id of [...flood.slice(0, 2), ...ofOther]) platform.queue.entries.delete(id);
    await age(single!);
    expect(await claim(flood[2]!)).toEqual({ kind: 'retry', delayMs: 1_000 });
    expect([(await waiting())[0], handedOut()[0]]).toEqual([single, single]);
    expect(await claim(single!)).toMatchObject({ kind: 'claimed' });
  });

  describe('of which standard jobs have a quarter', () => {
    const succeed = (jobId: string) =>
      platform.lifecycle.succeed({ jobId, attempt: 1 }, { result: { engine: 'offline' }, creation: null });
    const slow = (user: string) => platform.lifecycle.recordCpuTime(user, 120);

    it.each([
      ['a premium user', 'premium', 4, 3],
      ['a premium user', 'premium', 8, 6],
      ['a slowed user', 'free', 8, 6],
      // Too few to keep one.
      ['a premium user', 'premium', 3, 12],
    ] as const)(
      'leave %s (%s) of %i at most %i, however many claim at once, until no standard job came for a minute',
      async (_, plan, slots, most) => {
        await openSlots(slots);
        const [flooder, other] = [await platform.user(plan), await platform.user()];
        if (plan === 'free') await slow(flooder);
        const [single] = await submit(other);
        await claim(single!);
        await succeed(single!);
        const flood = await submit(flooder, 12);
        expect(await claimed(flood)).toBe(most);
        if (most === 12) return;
        const [first] = await waiting();
        expect(await claim(first!)).toEqual({ kind: 'retry', delayMs: 250, keepsSlot: true });
        await platform.sql(`UPDATE jobs SET finished_at = now() - interval '2 minutes' WHERE id = $1`, [
          single,
        ]);
        expect(await claimed(await waiting())).toBe(12 - most);
      },
    );

    it('are released by the newest premium jobs when a standard job comes', async () => {
      await openSlots();
      const [flooder, other] = [await platform.user('premium'), await platform.user()];
      const flood = await submit(flooder, SLOTS);
      for (const id of flood) await claim(id);
      const [single] = await submit(other);
      await order.pass();
      expect(yielding).toEqual([flood.at(-1)]);
      expect(await platform.lifecycle.yield({ jobId: flood.at(-1)!, attempt: 1 })).toBe(true);
      await age(single!);
      expect(await claim(flood.at(-1)!)).toMatchObject({ kind: 'retry' });
      expect(await claim(single!)).toMatchObject({ kind: 'claimed' });
    });

    it.each([
      ['premium', 'premium'],
      ['slowed', 'free'],
    ] as const)(
      'do not keep a premium job waiting while another, %s user has more than a share',
      async (_, plan) => {
        await openSlots(8);
        const [flooder, other, standard] = [
          await platform.user(plan),
          await platform.user('premium'),
          await platform.user(),
        ];
        if (plan === 'free') await slow(flooder);
        const [ended] = await submit(standard);
        await claim(ended!);
        await succeed(ended!);
        const flood = await submit(flooder, 6);
        for (const id of flood) expect(await claim(id)).toMatchObject({ kind: 'claimed' });
        // A standard job can use the free slots.
        const [next] = await submit(standard);
        await order.pass();
        expect(yielding).toEqual([]);
        await claim(next!);
        await succeed(next!);
        const [single] = await submit(other);
        expect(await claim(single!)).toMatchObject({ keepsSlot: true });
        await order.pass();
        expect(yielding.toSorted()).toEqual(flood.slice(4).toSorted());
        for (const jobId of yielding) await platform.lifecycle.yield({ jobId, attempt: 1 });
        expect(await claim(flood[4]!)).toMatchObject({ kind: 'retry' });
        expect(await claim(single!)).toMatchObject({ kind: 'claimed' });
        expect(await claimed(flood.slice(4))).toBe(1);
      },
    );

    it.each([
      ['premium', 4],
      ['free', 4],
      ['premium', 8],
    ] as const)(
      'are at most half those of slowed users together while a %s user of %i slots waits',
      async (plan, slots) => {
        await openSlots(slots);
        const running: string[] = [];
        for (let n = 0; n < slots; n += 1) {
          const slowed = await platform.user();
          await slow(slowed);
          running.push(...(await submit(slowed)));
          expect(await claim(running.at(-1)!)).toMatchObject({ kind: 'claimed' });
        }
        await order.pass();
        expect(yielding).toEqual([]);
        const [single] = await submit(await platform.user(plan));
        await order.pass();
        expect(yielding.toSorted()).toEqual(running.slice(slots / 2).toSorted());
        for (const jobId of yielding) await platform.lifecycle.yield({ jobId, attempt: 1 });
        await age(single!);
        expect(await claim(single!)).toMatchObject({ kind: 'claimed' });
      },
    );

    it('are released by jobs of slowed users before premium ones', async () => {
      await openSlots();
      const [slowed, premium] = [await platform.user(), await platform.user('premium')];
      await slow(slowed);
      const [heavy] = await submit(slowed);
      const ofPremium = await submit(premium, 2);
      const [other] = await submit(await platform.user('premium'));
      for (const id of [heavy!, ...ofPremium, other!]) await claim(id);
      await submit(await platform.user());
      await order.pass();
      expect(yielding).toEqual([heavy]);
    });

    it('are not missed by a standard job that moves ahead before its entry is in the queue', async () => {
      await openSlots();
      const [flooder, other] = [await platform.user('premium'), await platform.user()];
      const flood = await submit(flooder, SLOTS);
      for (const id of flood.slice(1)) await claim(id);
      const [single] = await submit(other);
      const entry = platform.queue.entries.get(single!)!;
      platform.queue.entries.delete(single!);
      await age(single!);
      await claim(flood[0]!);
      platform.queue.entries.set(single!, entry);
      await order.pass();
      expect(platform.queue.entries.get(single!)).toMatchObject({ lane: lanes.overdue });
    });
  });

  it('are released by the newest jobs of a user with more than a share when another user comes', async () => {
    await openSlots();
    const [flooder, other] = [await platform.user(), await platform.user()];
    const flood = await submit(flooder, SLOTS);
    for (const id of flood) await claim(id);
    await order.pass();
    expect(yielding).toEqual([]);
    const [single] = await submit(other);
    await order.pass();
    expect(yielding.toSorted()).toEqual(flood.slice(2).toSorted());
    expect(await platform.lifecycle.yield({ jobId: flood[3]!, attempt: 1 })).toBe(true);
    expect(await platform.job(flood[3]!)).toMatchObject({
      status: 'queued',
      failures: 0,
    });
    expect(await claim(single!)).toMatchObject({ kind: 'claimed' });
  });

  it('are not released by a job that streams text, nor repeatedly by one job', async () => {
    await openSlots();
    const [flooder, other] = [await platform.user(), await platform.user()];
    const flood = await submit(flooder, SLOTS);
    await claimed(flood);
    await platform.sql(`UPDATE jobs SET partial = 'Once' WHERE id = ANY ($1::uuid[])`, [flood.slice(0, 2)]);
    await platform.sql(`UPDATE jobs SET attempts = 6 WHERE id = ANY ($1::uuid[])`, [flood.slice(2)]);
    await submit(other);
    await order.pass();
    expect(yielding).toEqual([]);
  });

  it('go last to a user whose jobs repeatedly fail at a limit, for a while', async () => {
    await openSlots();
    const [flooder, other] = [await platform.user(), await platform.user()];
    const flood = await submit(flooder, 4);
    await claimed(flood.slice(0, 2));
    await fail(flood[0]!, true);
    await order.pass();
    expect(await laneOf(flood[2]!)).toBe(lanes.standard);
    await fail(flood[1]!, true);
    await order.pass();
    const later = await submit(flooder);
    const ofOther = await submit(other, 3);
    expect(await waiting()).toEqual([...ofOther, ...flood.slice(2), ...later]);
    for (const id of flood.slice(0, 2)) platform.queue.entries.delete(id);
    expect(handedOut()).toEqual(await waiting());
    await platform.sql(`UPDATE user_slowdowns SET updated_at = now() - interval '10 minutes'`);
    await order.pass();
    expect((await waiting()).indexOf(flood[2]!)).toBeLessThan(3);
    expect(platform.errors).toEqual([]);
  });

  it('go last to a user whose jobs take much CPU time, however they end', async () => {
    await openSlots();
    const user = await platform.user();
    const [job] = await submit(user);
    await platform.lifecycle.recordCpuTime(user, 60);
    await order.pass();
    expect(await laneOf(job!)).toBe(lanes.standard);
    await platform.lifecycle.recordCpuTime(user, 60);
    await order.pass();
    expect(await laneOf(job!)).toBe(lanes.slowed);
  });

  it('go in order to a user whose jobs fail for other reasons', async () => {
    await openSlots();
    const user = await platform.user();
    const jobs = await submit(user, 4);
    await claimed(jobs.slice(0, 3));
    for (const id of jobs.slice(0, 3)) await fail(id, false);
    await order.pass();
    expect(await laneOf(jobs[3]!)).toBe(lanes.standard);
  });
});
