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

  it('go to no standard user while premium jobs wait', async () => {
    await openSlots();
    const [flooder, other, standard] = [
      await platform.user('premium'),
      await platform.user('premium'),
      await platform.user(),
    ];
    const flood = await submit(flooder, 6);
    const ofOther = await submit(other);
    const ofStandard = await submit(standard);
    expect(await claimed(flood.slice(0, 3))).toBe(2);
    expect((await waiting())[0]).toBe(ofOther[0]);
    expect((await waiting()).at(-1)).toBe(ofStandard[0]);
    await claim(ofOther[0]!);
    expect(await claim(flood[3]!)).toMatchObject({ kind: 'claimed' });
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
