import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { programId } from '#libs/config/program-id.js';
import { PREVIEW_MAX_BYTES } from '#libs/contract/jobs.js';
import type { JobEntity } from '#libs/database/entities/jobs.js';
import { AttemptPreviews } from './runner/attempt-previews.js';
import { deleteUser } from '#libs/accounts/delete-user.js';
import { deleteAbandonedPreviews } from './job-transitions.js';
import type { Attempt, Outcome } from './lifecycle.js';
import { openJobPlatform, type JobPlatform } from '../../test/support/job-platform.ts';
import { until } from '../../test/support/until.ts';

const OUTCOME: Outcome = {
  result: { content: 'A whole text.', engine: 'openai' },
  creation: { type: 'article', prompt: 'Rivers', displayName: 'The rivers', content: 'A whole text.' },
};
const FAILURE = { code: 'PROVIDER_FAILED', message: 'The provider failed.' } as const;

describe('The life of a job', () => {
  let platform: JobPlatform;
  beforeAll(async () => {
    platform = await openJobPlatform();
  });
  afterAll(() => platform.close());
  afterEach(() => {
    platform.live.published.length = 0;
  });

  async function claimed(userId: string, leaseSeconds = 60): Promise<{ job: JobEntity; attempt: Attempt }> {
    const { id } = await platform.submit(userId);
    const claim = await platform.lifecycle.claim(id, leaseSeconds);
    if (claim.kind !== 'claimed') throw new Error(`The job was not claimed but ${claim.kind}.`);
    return { job: claim.job, attempt: { jobId: id, attempt: claim.job.attempts } };
  }

  const runOut = (jobId: string) =>
    platform.sql(`UPDATE jobs SET lease_until = now() - interval '1 second' WHERE id = $1`, [jobId]);

  describe('claiming', () => {
    // Several workers claim the same job at once.
    it('gives a job to one of many simultaneous workers', async () => {
      const { id } = await platform.submit(await platform.user());
      const claims = await Promise.all(Array.from({ length: 12 }, () => platform.lifecycle.claim(id, 60)));
      expect(claims.filter(({ kind }) => kind === 'claimed')).toHaveLength(1);
      expect(claims.filter(({ kind }) => kind === 'retry')).toHaveLength(11);
      expect(await platform.job(id)).toMatchObject({ status: 'running', attempts: 1, lostAttempts: 0 });
    });

    it('returns when to claim again: after the other’s lease, or after the delay', async () => {
      const user = await platform.user();
      const { job, attempt } = await claimed(user, 600);
      const held = await platform.lifecycle.claim(job.id, 600);
      expect(held).toMatchObject({ kind: 'retry' });
      expect(held.kind === 'retry' && held.delayMs).toBeGreaterThan(540_000);
      await platform.lifecycle.retryLater(attempt, { delayMs: 3_600_000, message: 'Later', isFailure: true });
      const paused = await platform.lifecycle.claim(job.id, 600);
      expect(paused.kind === 'retry' && paused.delayMs).toBeGreaterThan(3_540_000);
    });

    it('takes over a job with an expired lease once, and counts the lost attempt', async () => {
      const { job } = await claimed(await platform.user());
      await runOut(job.id);
      const claims = await Promise.all(Array.from({ length: 8 }, () => platform.lifecycle.claim(job.id, 60)));
      expect(claims.filter(({ kind }) => kind === 'claimed')).toHaveLength(1);
      expect(await platform.job(job.id)).toMatchObject({ attempts: 2, lostAttempts: 1, partial: '' });
    });

    it('reports an ended or deleted job as over', async () => {
      const user = await platform.user();
      const job = await platform.submit(user);
      await platform.lifecycle.cancel(user, job.id);
      expect(await platform.lifecycle.claim(job.id, 10)).toEqual({ kind: 'ended' });
      expect(await platform.lifecycle.claim(randomUUID(), 10)).toEqual({ kind: 'ended' });
    });
  });

  it('keeps the worker, times and outcome of each attempt, of the last 50', async () => {
    const { job, attempt } = await claimed(await platform.user());
    const again = async () => {
      await platform.sql(`UPDATE jobs SET run_after = NULL WHERE id = $1`, [job.id]);
      return platform.lifecycle.claim(job.id, 60);
    };
    await platform.lifecycle.retryLater(attempt, {
      delayMs: 0,
      message: 'The AI service had a problem',
      isFailure: true,
    });
    await again();
    await platform.lifecycle.release({ ...attempt, attempt: 2 });
    await again();
    await runOut(job.id);
    await again();
    await platform.lifecycle.renew({ ...attempt, attempt: 4 }, 60, {});
    await platform.lifecycle.fail({ ...attempt, attempt: 4 }, FAILURE);
    const { attemptLog } = await platform.job(job.id);
    const times = { startedAt: expect.any(String), endedAt: expect.any(String), worker: programId };
    expect(attemptLog).toEqual([
      { attempt: 1, outcome: 'retried', message: 'The AI service had a problem', ...times },
      { attempt: 2, outcome: 'released', ...times },
      { attempt: 3, outcome: 'lost', ...times },
      { attempt: 4, outcome: 'failed', message: FAILURE.message, ...times },
    ]);

    const { job: many, attempt: first } = await claimed(await platform.user());
    for (let n = 1; n <= 55; n += 1) {
      await platform.lifecycle.release({ ...first, attempt: n });
      await platform.lifecycle.claim(many.id, 60);
    }
    await platform.lifecycle.succeed({ ...first, attempt: 56 }, OUTCOME);
    const log = (await platform.job(many.id)).attemptLog;
    expect(log).toHaveLength(50);
    expect(log.at(-1)).toMatchObject({ attempt: 56, outcome: 'succeeded' });
  });

  it('keeps attempts that waited in a row as one, so that they push out no other', async () => {
    const { job, attempt } = await claimed(await platform.user());
    await runOut(job.id);
    for (let n = 2; n <= 60; n += 1) {
      await platform.sql(`UPDATE jobs SET run_after = NULL WHERE id = $1`, [job.id]);
      await platform.lifecycle.claim(job.id, 60);
      await platform.lifecycle.retryLater(
        { ...attempt, attempt: n },
        { delayMs: 0, message: `Waited ${n}`, isFailure: false },
      );
    }
    const { attemptLog } = await platform.job(job.id);
    const times = { startedAt: expect.any(String), endedAt: expect.any(String), worker: programId };
    expect(attemptLog).toEqual([
      { attempt: 1, outcome: 'lost', ...times },
      { attempt: 60, outcome: 'waited', message: 'Waited 60', ...times },
    ]);
  });

  // Prevents a bug of BullMQ (#439): a lock was not renewed while the CPU was busy, so the job ran twice.
  describe('an attempt that was taken over', () => {
    it.each<[string, (platform: JobPlatform, late: Attempt) => Promise<boolean>]>([
      [
        'no progress and no partial',
        ({ lifecycle }, late) =>
          lifecycle.renew(late, 10, {
            partial: 'late',
            progress: { percent: 50, stage: 'late', message: 'Late' },
          }),
      ],
      ['no success', ({ lifecycle }, late) => lifecycle.succeed(late, OUTCOME)],
      ['no failure', ({ lifecycle }, late) => lifecycle.fail(late, FAILURE)],
      [
        'no pause',
        ({ lifecycle }, late) =>
          lifecycle.retryLater(late, { delayMs: 1_000, message: 'Late', isFailure: true }),
      ],
      ['no release', ({ lifecycle }, late) => lifecycle.release(late)],
    ])('writes %s', async (_, write) => {
      const user = await platform.user();
      const { job, attempt } = await claimed(user);
      await runOut(job.id);
      await platform.lifecycle.claim(job.id, 10);
      const before = await platform.job(job.id);
      platform.live.published.length = 0;

      expect(await write(platform, attempt)).toBe(false);

      expect(await platform.job(job.id)).toEqual(before);
      expect(await platform.creationsOf(job.id)).toEqual([]);
      expect(await platform.ledger(user)).toMatchObject([{ balance: 29, kinds: ['grant', 'charge'] }]);
      const later = platform.live
        .of('job')
        .filter(({ id, revision }) => id === job.id && revision > Number(before.revision));
      expect(later).toEqual([]);
      // The current attempt is not disturbed by the outdated one.
      expect(await platform.lifecycle.succeed({ jobId: job.id, attempt: 2 }, OUTCOME)).toBe(true);
      expect(await platform.creationsOf(job.id)).toHaveLength(1);
    });
  });

  it('succeeds once, with one creation, and keeps the charge', async () => {
    const user = await platform.user();
    const { job, attempt } = await claimed(user);
    const won = await Promise.all(
      Array.from({ length: 6 }, () => platform.lifecycle.succeed(attempt, OUTCOME)),
    );
    expect(won.filter(Boolean)).toHaveLength(1);
    expect(await platform.lifecycle.fail(attempt, FAILURE)).toBe(false);
    expect(await platform.job(job.id)).toMatchObject({
      status: 'succeeded',
      credits: 1,
      percent: 100,
      result: { content: 'A whole text.' },
    });
    expect(await platform.creationsOf(job.id)).toEqual([{ content: 'A whole text.' }]);
    expect(
      await platform.sql('SELECT display_name AS name FROM creations WHERE job_id = $1', [job.id]),
    ).toEqual([{ name: 'The rivers' }]);
    expect(await platform.ledger(user)).toMatchObject([{ balance: 29, sum: 29 }]);
  });

  it('ends simultaneous jobs independently: a blocked or failing one does not affect the others', async () => {
    const runs = await Promise.all(Array.from({ length: 6 }, async () => claimed(await platform.user())));
    const [held, lost, unstorable, ...others] = runs.map(({ attempt }) => attempt);
    await runOut(lost!.jobId);
    await platform.lifecycle.claim(lost!.jobId, 10);
    const outcomeOf = ({ jobId }: Attempt): Outcome =>
      jobId === unstorable!.jobId
        ? { ...OUTCOME, creation: { ...OUTCOME.creation!, content: 'NUL \u0000' } }
        : { ...OUTCOME, creation: { ...OUTCOME.creation!, content: jobId } };
    const ended = new Set<string>();
    const succeed = (attempt: Attempt) =>
      platform.lifecycle.succeed(attempt, outcomeOf(attempt)).finally(() => ended.add(attempt.jobId));

    const outcomes = await platform.dataSource.transaction(async (transaction) => {
      await transaction.query('SELECT FROM jobs WHERE id = $1 FOR UPDATE', [held!.jobId]);
      const all = Promise.allSettled([held!, lost!, unstorable!, ...others].map(succeed));
      await until('all but the held one to end', () => ended.size === 5);
      return { all };
    });

    expect((await outcomes.all).map((one) => (one.status === 'fulfilled' ? one.value : 'rejected'))).toEqual([
      ...[true, false, 'rejected'],
      ...[true, true, true],
    ]);
    for (const { jobId } of [held!, ...others])
      expect(await platform.creationsOf(jobId)).toEqual([{ content: jobId }]);
    for (const { jobId } of [lost!, unstorable!]) expect(await platform.creationsOf(jobId)).toEqual([]);
    expect(await platform.job(unstorable!.jobId)).toMatchObject({ status: 'running', result: null });
  });

  it('stores success and creation together or not at all', async () => {
    const { job, attempt } = await claimed(await platform.user());
    const commit = () => Promise.reject(new Error('What the tool stores besides failed.'));
    await expect(platform.lifecycle.succeed(attempt, { ...OUTCOME, commit })).rejects.toThrow('besides');
    expect(await platform.job(job.id)).toMatchObject({ status: 'running', result: null });
    expect(await platform.creationsOf(job.id)).toEqual([]);
  });

  // Prevents bugs of CADAM (#78) and Draftdeckai (#1046): no refund after a broken stream, and ignored errors
  // of refunds.
  describe('failing', () => {
    it('refunds the credits once', async () => {
      const user = await platform.user();
      const { job, attempt } = await claimed(user);
      const ended = await Promise.all(
        Array.from({ length: 6 }, () => platform.lifecycle.fail(attempt, FAILURE)),
      );
      expect(ended.filter(Boolean)).toHaveLength(1);
      expect(await platform.job(job.id)).toMatchObject({
        status: 'failed',
        credits: 0,
        errorCode: 'PROVIDER_FAILED',
        errorMessage: 'The provider failed.',
      });
      expect(await platform.ledger(user)).toMatchObject([
        { balance: 30, sum: 30, kinds: ['grant', 'charge', 'refund'] },
      ]);
    });

    it('fails only together with its refund: if the refund fails, the job continues to run', async () => {
      const user = await platform.user();
      const { job, attempt } = await claimed(user);
      // Makes the refund violate a check constraint.
      await platform.sql('UPDATE credit_balances SET granted = 29 WHERE user_id = $1', [user]);
      await expect(platform.lifecycle.fail(attempt, FAILURE)).rejects.toThrow(/check constraint/);
      expect(await platform.job(job.id)).toMatchObject({ status: 'running', credits: 1 });
      await platform.sql('UPDATE credit_balances SET granted = 30 WHERE user_id = $1', [user]);
      expect(await platform.lifecycle.fail(attempt, FAILURE)).toBe(true);
      expect(await platform.remaining(user)).toBe(30);
    });

    it('refunds to the month of the charge', async () => {
      const user = await platform.user();
      platform.setTime('2026-01-31T23:59:00Z');
      const { attempt } = await claimed(user);
      platform.setTime('2026-02-01T00:01:00Z');
      await platform.submit(user);
      platform.setTime(null);
      await platform.lifecycle.fail(attempt, FAILURE);
      expect(await platform.ledger(user)).toMatchObject([
        { month: '2026-01-01', balance: 30, sum: 30 },
        { month: '2026-02-01', balance: 29, sum: 29 },
      ]);
    });
  });

  describe('cancelling', () => {
    it('ends a waiting job, removes it from the queue and refunds it', async () => {
      const user = await platform.user();
      const { id } = await platform.submit(user);
      const published: string[] = [];
      const stop = platform.live.subscribe('job:cancelled', (jobId) => published.push(jobId));
      expect(await platform.lifecycle.cancel(user, id)).toMatchObject({ status: 'cancelled', credits: 0 });
      stop();
      expect(published).toEqual([id]);
      expect(platform.queue.entries.has(id)).toBe(false);
      expect(await platform.remaining(user)).toBe(30);
      expect(await platform.lifecycle.claim(id, 10)).toEqual({ kind: 'ended' });
    });

    it('ends many waiting jobs, and removes them from the queue, a hundred at once, without waiting for it', async () => {
      const user = await platform.user();
      await platform.sql(
        `INSERT INTO jobs (id, user_id, tool, queue, title, input, priority, credits)
         SELECT gen_random_uuid(), $1, 'generate-article', 'text', 'A', '{}', 'standard', 0
         FROM generate_series(1, 150)`,
        [user],
      );
      let [open, most, removed] = [0, 0, 0];
      const answered = Promise.withResolvers<void>();
      const remove = jest.spyOn(platform.queue, 'remove').mockImplementation(async () => {
        open += 1;
        most = Math.max(most, open);
        await answered.promise;
        open -= 1;
        removed += 1;
      });
      expect(await platform.lifecycle.cancelAllWaiting({ userId: user })).toHaveLength(150);
      expect(removed).toBe(0);
      answered.resolve();
      await platform.lifecycle.close();
      expect({ open, most, removed }).toEqual({ open: 0, most: 100, removed: 150 });
      remove.mockRestore();
    });

    it('calls what follows the commit before the events of the jobs', async () => {
      const user = await platform.user();
      await platform.submit(user);
      const calls: string[] = [];
      const changed = jest.spyOn(platform.jobEvents, 'jobChanged').mockImplementation(async () => {
        calls.push('event');
      });
      const afterCancelling = async () => void calls.push('transaction');
      const committed = async () => void calls.push('committed');
      await platform.lifecycle.cancelAllWaiting({ userId: user }, { afterCancelling, committed });
      changed.mockRestore();
      expect(calls).toEqual(['transaction', 'committed', 'event']);
    });

    it('ends a running job, after which its worker cannot write', async () => {
      const user = await platform.user();
      const { job, attempt } = await claimed(user);
      await platform.lifecycle.renew(attempt, 10, { partial: 'So far' });
      await platform.lifecycle.cancel(user, job.id);
      expect(await platform.lifecycle.renew(attempt, 10, { partial: 'So far and on' })).toBe(false);
      expect(await platform.lifecycle.succeed(attempt, OUTCOME)).toBe(false);
      expect(await platform.job(job.id)).toMatchObject({
        status: 'cancelled',
        partial: 'So far',
        result: null,
      });
      expect(await platform.remaining(user)).toBe(30);
    });

    it('may be repeated, and is refused after success or failure', async () => {
      const user = await platform.user();
      const { id } = await platform.submit(user);
      const [first, second] = await Promise.all([
        platform.lifecycle.cancel(user, id),
        platform.lifecycle.cancel(user, id),
      ]);
      expect([first.status, second.status]).toEqual(['cancelled', 'cancelled']);
      expect((await platform.ledger(user))[0]?.kinds).toEqual(['grant', 'charge', 'refund']);

      const { job, attempt } = await claimed(user);
      await platform.lifecycle.succeed(attempt, OUTCOME);
      await expect(platform.lifecycle.cancel(user, job.id)).rejects.toMatchObject({
        code: 'JOB_NOT_CANCELLABLE',
        status: 409,
      });
      expect(await platform.remaining(user)).toBe(29);
    });

    // Prevents a bug of InvokeAI (#6049): cancelling hit another user's job.
    it('never affects another job, of the same or another user', async () => {
      const [ada, bob] = [await platform.user(), await platform.user()];
      const { job, attempt } = await claimed(ada);
      const other = await platform.submit(ada);
      await expect(platform.lifecycle.cancel(bob, job.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(platform.lifecycle.cancel(ada, randomUUID())).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await platform.lifecycle.cancel(ada, other.id);
      expect(await platform.job(job.id)).toMatchObject({ status: 'running' });
      expect(await platform.lifecycle.succeed(attempt, OUTCOME)).toBe(true);
    });

    it('works while the queue is unavailable', async () => {
      const user = await platform.user();
      const { id } = await platform.submit(user);
      platform.queue.isUnavailable = true;
      expect(await platform.lifecycle.cancel(user, id)).toMatchObject({ status: 'cancelled' });
      platform.queue.isUnavailable = false;
      expect(await platform.lifecycle.claim(id, 10)).toEqual({ kind: 'ended' });
      platform.errors.length = 0;
    });

    it('has one outcome with matching credits in a race with success or failure', async () => {
      const outcomes = { succeeded: 0, cancelled: 0, failed: 0 };
      for (let round = 0; round < 60; round += 1) {
        const user = await platform.user();
        const { job, attempt } = await claimed(user);
        const end =
          round % 3 === 0
            ? platform.lifecycle.fail(attempt, FAILURE)
            : platform.lifecycle.succeed(attempt, OUTCOME);
        await Promise.allSettled(
          round % 2
            ? [end, platform.lifecycle.cancel(user, job.id)]
            : [platform.lifecycle.cancel(user, job.id), end],
        );
        const { status, credits } = await platform.job(job.id);
        const succeeded = status === 'succeeded';
        outcomes[status as keyof typeof outcomes] += 1;
        expect(credits).toBe(succeeded ? 1 : 0);
        expect(await platform.creationsOf(job.id)).toHaveLength(succeeded ? 1 : 0);
        expect(await platform.ledger(user)).toMatchObject([
          succeeded ? { balance: 29, sum: 29 } : { balance: 30, sum: 30 },
        ]);
      }
      expect(outcomes.succeeded + outcomes.cancelled + outcomes.failed).toBe(60);
    });
  });

  // Ending a job and deleting its user used to lock their rows in opposite order, which caused a deadlock.
  it('succeeds while its user is deleted', async () => {
    const user = await platform.user();
    const { attempt } = await claimed(user);
    let deleted: Promise<unknown> | undefined;
    const succeeded = await platform.lifecycle.succeed(attempt, {
      ...OUTCOME,
      creation: null,
      commit: async (transaction) => {
        deleted = deleteUser(platform.dataSource, platform.files, user);
        await until('the deletion to wait', async () => {
          const [{ waiting } = { waiting: 0 }] = await platform.sql<{ waiting: number }>(
            `SELECT count(*)::int AS waiting FROM pg_stat_activity
             WHERE wait_event_type = 'Lock' AND datname = current_database()`,
          );
          return waiting > 0;
        });
        // Takes the same lock as the foreign key of a new creation.
        await transaction.query('SELECT FROM users WHERE id = $1 FOR KEY SHARE', [user]);
      },
    });
    expect(succeeded).toBe(true);
    await deleted;
    expect(await platform.sql('SELECT FROM users WHERE id = $1', [user])).toEqual([]);
  });

  it('may cause a deadlock with the deletion of its user, which is retried', async () => {
    const user = await platform.user();
    const { id } = await platform.submit(user);
    let tries = 0;
    const removed = await deleteUser(platform.dataSource, platform.files, user, {
      first: async (transaction) => {
        tries += 1;
        if (tries < 3) await transaction.query(`DO $$ BEGIN RAISE SQLSTATE '40P01'; END $$`);
      },
    });
    expect(tries).toBe(3);
    expect(removed).toMatchObject([{ id }]);
    expect(await platform.sql('SELECT FROM users WHERE id = $1', [user])).toEqual([]);
  });

  describe('a preview', () => {
    const image = (text: string) => Buffer.from(text);
    const shown = async (userId: string, jobId: string) =>
      platform.reader.preview(userId, jobId).then(
        (preview) => preview?.toString() ?? null,
        (error: { code: string }) => error.code,
      );
    const stored = async (jobId: string) =>
      (await platform.sql('SELECT FROM job_previews WHERE job_id = $1', [jobId])).length;

    it('is the newest one of the running attempt, and visible to its owner only', async () => {
      const [user, stranger] = [await platform.user(), await platform.user()];
      const { job, attempt } = await claimed(user);
      expect(await shown(user, job.id)).toBeNull();
      expect(await platform.lifecycle.storePreview(attempt, 0, image('blurred'))).toBe(true);
      expect(await platform.lifecycle.storePreview(attempt, 1, image('sharper'))).toBe(true);
      expect(await platform.lifecycle.storePreview(attempt, 0, image('late'))).toBe(false);
      expect(await shown(user, job.id)).toBe('sharper');
      expect(await shown(stranger, job.id)).toBe('NOT_FOUND');
      expect((await platform.reader.get(user, job.id)).preview).toMatchObject({ attempt: 1, index: 1 });

      // The worker died, and another worker has started a new attempt.
      await platform.sql(`UPDATE jobs SET lease_until = now() - interval '1 second' WHERE id = $1`, [job.id]);
      await platform.lifecycle.claim(job.id, 10);
      expect(await shown(user, job.id)).toBeNull();
      expect((await platform.reader.get(user, job.id)).preview).toBeNull();
      expect(await platform.lifecycle.storePreview(attempt, 2, image('of the dead'))).toBe(false);
      expect(await deleteAbandonedPreviews(platform.dataSource)).toBe(1);
      expect(await platform.lifecycle.storePreview({ ...attempt, attempt: 2 }, 0, image('anew'))).toBe(true);
      expect(await deleteAbandonedPreviews(platform.dataSource)).toBe(0);
      expect(await shown(user, job.id)).toBe('anew');

      const previews = new AttemptPreviews({
        ...{ attempt: { ...attempt, attempt: 2 }, userId: user, lifecycle: platform.lifecycle },
        ...{ live: platform.live, onError: (error) => errors.push(error) },
      });
      const errors: Error[] = [];
      // Indexes of a new AttemptPreviews start at 0, and a preview with index 0 is already stored.
      previews.show(image('late'));
      await previews.close();
      previews.show(Buffer.alloc(PREVIEW_MAX_BYTES + 1, 'x'));
      previews.show(Buffer.alloc(PREVIEW_MAX_BYTES, 'y'));
      previews.show(Buffer.alloc(PREVIEW_MAX_BYTES + 1, 'z'));
      await previews.close();
      expect([(await shown(user, job.id))?.[0], errors]).toEqual(['y', []]);
    });

    it.each<[string, (attempt: Attempt, user: string) => Promise<unknown>]>([
      ['success', (attempt) => platform.lifecycle.succeed(attempt, OUTCOME)],
      ['failure', (attempt) => platform.lifecycle.fail(attempt, FAILURE)],
      ['cancel', ({ jobId }, user) => platform.lifecycle.cancel(user, jobId)],
      [
        'retry',
        (one) => platform.lifecycle.retryLater(one, { delayMs: 0, message: 'Again', isFailure: true }),
      ],
      ['release', (attempt) => platform.lifecycle.release(attempt)],
      ['yield', (attempt) => platform.lifecycle.yield(attempt)],
      ['deletion of its user', (_, user) => platform.sql('DELETE FROM users WHERE id = $1', [user])],
    ])('is deleted at the end of its attempt: %s', async (_, end) => {
      const user = await platform.user();
      const { attempt } = await claimed(user);
      await platform.lifecycle.storePreview(attempt, 0, image('blurred'));
      expect(await stored(attempt.jobId)).toBe(1);
      await end(attempt, user);
      expect(await stored(attempt.jobId)).toBe(0);
      expect(await platform.lifecycle.storePreview(attempt, 1, image('late'))).toBe(false);
      expect(await stored(attempt.jobId)).toBe(0);
    });
  });

  it('publishes every change after its commit, with increasing revisions', async () => {
    const user = await platform.user();
    const { attempt } = await claimed(user);
    await platform.lifecycle.renew(attempt, 10, {
      progress: { percent: 40, stage: 'writing', message: 'Writing' },
    });
    await platform.lifecycle.renew(attempt, 10, { partial: 'text alone is no new revision' });
    await platform.lifecycle.succeed(attempt, OUTCOME);
    // Filter by job, since late events of the previous test may arrive.
    const published = () => platform.live.of('job').filter(({ id }) => id === attempt.jobId);
    await until('four events', () => published().length >= 4);
    const jobs = published().toSorted((a, b) => a.revision - b.revision);
    expect(jobs.map(({ revision, status, progress }) => [revision, status, progress.percent])).toEqual([
      [0, 'queued', 0],
      [100, 'running', 0],
      [101, 'running', 40],
      [201, 'succeeded', 100],
    ]);
    expect(jobs.some((job) => 'partial' in job)).toBe(false);
  });

  it.each<[string, (attempt: Attempt, user: string) => Promise<unknown>]>([
    ['succeeds', (attempt) => platform.lifecycle.succeed(attempt, OUTCOME)],
    ['fails', (attempt) => platform.lifecycle.fail(attempt, FAILURE)],
    ['is released', (attempt) => platform.lifecycle.release(attempt)],
    ['is cancelled', ({ jobId }, user) => platform.lifecycle.cancel(user, jobId)],
    ['is claimed again', ({ jobId }) => platform.lifecycle.claim(jobId, 10)],
  ])('publishes later than lost progress when a job %s', async (_, end) => {
    const user = await platform.user();
    const { attempt } = await claimed(user);
    const { jobId } = attempt;
    const before = await platform.job(jobId);
    for (const percent of [40, 50, 60])
      await platform.lifecycle.renew(attempt, 10, {
        progress: { percent, stage: 'writing', message: 'Writing' },
      });
    const published = await platform.job(jobId);
    // Simulates writes that a crash of PostgreSQL loses.
    await platform.sql(
      `UPDATE jobs SET revision = $2, percent = $3, lease_until = now() - interval '1 second' WHERE id = $1`,
      [jobId, before.revision, before.percent],
    );
    await end(attempt, user);
    expect((await platform.job(jobId)).revision).toBeGreaterThan(published.revision);
  });
});
