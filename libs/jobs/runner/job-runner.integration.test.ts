import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { EngineError } from '#libs/contract/engine.js';
import { lanes } from '#libs/queue/priorities.js';
import { currentJobWork } from '#libs/resilience/job-work.js';
import { StoreError } from '#libs/storage/object-store.js';
import { createKey } from '#libs/storage/object-key.js';
import { tools } from '#libs/tools/catalogue.js';
import { handlers } from '#libs/tools/handlers.js';
import type { RunContext } from '../tool-handler.js';
import { openJobPlatform, type JobPlatform } from '../../../test/support/job-platform.ts';
import { createRunner } from '../../../test/support/job-runner.ts';
import { providerOf } from '../../../test/support/stub-provider.ts';
import { TestClock } from '../../../test/support/test-clock.ts';
import { until } from '../../../test/support/until.ts';

const passing = (retryAfterMs?: number) =>
  new EngineError('The service is busy.', { retryable: true, retryAfterMs });
const final = () => new EngineError('The service refused this.', { retryable: false });

describe('Running a job', () => {
  let platform: JobPlatform;
  beforeAll(async () => {
    platform = await openJobPlatform();
  });
  afterAll(() => platform.close());

  const writing = (...pieces: string[]) =>
    providerOf(async function* () {
      yield* pieces;
    });
  const failing = (error: Error, ...pieces: string[]) =>
    providerOf(async function* () {
      yield* pieces;
      throw error;
    });

  /** A provider that streams one chunk, then waits until it is released or aborted. Records aborts in `state`. */
  function gated({ ignoresAbort = false } = {}) {
    const gate = Promise.withResolvers<void>();
    const state = { started: 0, aborted: 0, ended: 0 };
    const provider = providerOf(async function* (_, signal) {
      state.started += 1;
      yield '# So far';
      await new Promise<void>((resolve, reject) => {
        void gate.promise.then(resolve);
        if (ignoresAbort) return;
        signal.addEventListener('abort', () => {
          state.aborted += 1;
          reject(signal.reason as Error);
        });
      });
      yield ' and to the end.';
      state.ended += 1;
    });
    return { provider, state, open: gate.resolve };
  }

  it('writes the article, keeps the charge and completes the queue entry', async () => {
    const user = await platform.user();
    const { id } = await platform.submit(user);
    expect(await createRunner(platform, writing('# Rivers\n\n', 'They flow.')).run(id)).toEqual({
      done: true,
    });
    expect(await platform.job(id)).toMatchObject({
      status: 'succeeded',
      attempts: 1,
      failures: 0,
      credits: 1,
      result: { content: '# Rivers\n\nThey flow.', engine: 'openai' },
    });
    expect(await platform.creationsOf(id)).toHaveLength(1);
    expect(await platform.remaining(user)).toBe(29);
  });

  describe('with a retryable failure', () => {
    // Prevents a bug of immich (discussion 32475): a temporary storage error failed the job for good, since it was
    // tried only once.
    it('retries with growing delays, and finally fails with a refund', async () => {
      const user = await platform.user();
      const { id } = await platform.submit(user);
      const runner = createRunner(platform, failing(passing()), { attempts: 3 });
      for (const [failures, seconds] of [
        [1, 1],
        [2, 2],
      ] as const) {
        expect(await runner.run(id)).toEqual({ done: false, delayMs: seconds * 1_000 });
        expect(await platform.job(id)).toMatchObject({
          status: 'queued',
          failures,
          credits: 1,
          stage: 'waiting',
          stageMessage: expect.stringContaining(`${seconds} s`),
        });
        await platform.sql('UPDATE jobs SET run_after = now() WHERE id = $1', [id]);
      }
      expect(await runner.run(id)).toEqual({ done: true });
      expect(await platform.job(id)).toMatchObject({
        status: 'failed',
        attempts: 3,
        errorCode: 'PROVIDER_FAILED',
        errorMessage: 'The service is busy.',
        credits: 0,
      });
      expect(await platform.ledger(user)).toMatchObject([
        { balance: 30, kinds: ['grant', 'charge', 'refund'] },
      ]);
    });

    it('waits as long as the provider asks, at most five minutes', async () => {
      const user = await platform.user();
      for (const [asked, waited] of [
        [7_000, 7_000],
        [3_600_000, 300_000],
        [10, 1_000],
      ] as const) {
        const { id } = await platform.submit(user);
        const now = async () => (await platform.sql<{ now: Date }>('SELECT now()'))[0]!.now.getTime();
        const before = await now();
        const disposition = await createRunner(platform, failing(passing(asked))).run(id);
        expect(disposition).toEqual({ done: false, delayMs: waited });
        const runAfter = (await platform.job(id)).runAfter!.getTime();
        expect(runAfter).toBeGreaterThanOrEqual(before + waited);
        expect(runAfter).toBeLessThanOrEqual((await now()) + waited + 1);
      }
    });

    it('waits for a suspended service without counting a failure, for a limited time', async () => {
      const held = new EngineError('Held back.', { retryable: true, retryAfterMs: 3_000, scope: 'held' });
      const user = await platform.user();
      const { id } = await platform.submit(user);
      // The worker's clock is wrong by an hour, which must not change how long it waits.
      const clock = new TestClock();
      clock.set(3_600_000);
      const runner = createRunner(platform, failing(held), { attempts: 1, outageSeconds: 60, clock });
      for (let i = 1; i <= 3; i += 1) {
        const disposition = await runner.run(id);
        expect(disposition.done ? 0 : disposition.delayMs).toBeGreaterThanOrEqual(3_000);
        expect(await platform.job(id)).toMatchObject({
          status: 'queued',
          attempts: i,
          failures: 0,
          credits: 1,
        });
        await platform.sql('UPDATE jobs SET run_after = now() WHERE id = $1', [id]);
      }
      await platform.sql(`UPDATE jobs SET started_at = now() - interval '61 seconds' WHERE id = $1`, [id]);
      expect(await runner.run(id)).toEqual({ done: true });
      expect(await platform.job(id)).toMatchObject({
        status: 'failed',
        errorCode: 'PROVIDER_FAILED',
        credits: 0,
      });
      expect(await platform.remaining(user)).toBe(30);
    });

    it('requests no picture while the file store is unavailable', async () => {
      const ping = jest
        .spyOn(platform.files, 'ping')
        .mockRejectedValueOnce(new StoreError('The store is unavailable.'));
      const { id } = await platform.submit(await platform.user('premium'), {
        tool: 'generate-image',
        input: tools['generate-image'].input.parse({ prompt: 'A fox' }),
      });
      const disposition = await createRunner(platform, writing('never')).run(id);
      ping.mockRestore();
      expect(disposition).toMatchObject({ done: false });
      expect(await platform.job(id)).toMatchObject({
        status: 'queued',
        failures: 0,
        stageMessage: expect.stringContaining('file store'),
      });
    });

    // The aborted job must not start its tool: the tool's rejection would be unhandled and end the worker.
    it('requests no picture if the job is cancelled during the check of the file store', async () => {
      const user = await platform.user('premium');
      const { id } = await platform.submit(user, {
        tool: 'generate-image',
        input: tools['generate-image'].input.parse({ prompt: 'A fox' }),
      });
      const ping = jest
        .spyOn(platform.files, 'ping')
        .mockImplementationOnce(async () => void (await platform.lifecycle.cancel(user, id)));
      const begun: AbortSignal[] = [];
      const withProvider = async (_input: unknown, _provider: unknown, { signal }: RunContext) => {
        begun.push(signal);
        throw signal.reason as Error;
      };
      const probe = { ...handlers, 'generate-image': { ...handlers['generate-image'], withProvider } };
      const disposition = await createRunner(platform, writing('never'), { handlers: probe }).run(id);
      ping.mockRestore();
      expect(disposition).toEqual({ done: true });
      expect(begun).toEqual([]);
    });

    it('starts the text again without the piece of the failed attempt', async () => {
      const { id } = await platform.submit(await platform.user());
      await createRunner(platform, failing(passing(), '# Half a te')).run(id);
      await platform.sql('UPDATE jobs SET run_after = now() WHERE id = $1', [id]);
      await createRunner(platform, writing('# A whole text')).run(id);
      expect(await platform.job(id)).toMatchObject({
        status: 'succeeded',
        attempts: 2,
        result: { content: '# A whole text' },
      });
      const deltas = platform.live.of('job:delta').filter((delta) => delta.id === id);
      expect(deltas.map(({ attempt, offset }) => [attempt, offset])).toEqual([
        [1, 0],
        [2, 0],
      ]);
    });
  });

  it.each([
    ['a final error', final(), { errorCode: 'PROVIDER_FAILED', errorMessage: 'The service refused this.' }],
  ])('fails at once on %s, with a refund', async (_, error, expected) => {
    const user = await platform.user();
    const { id } = await platform.submit(user);
    expect(await createRunner(platform, failing(error)).run(id)).toEqual({ done: true });
    expect(await platform.job(id)).toMatchObject({ status: 'failed', attempts: 1, credits: 0, ...expected });
    expect(await platform.remaining(user)).toBe(30);
  });

  it('shows as a stage that the model thinks', async () => {
    const { id } = await platform.submit(await platform.user());
    const stages: (string | undefined)[] = [];
    const provider = providerOf(async function* ({ onThinking }) {
      onThinking?.();
      await until('the stage to be stored', async () => (await platform.job(id)).stage === 'thinking');
      stages.push((await platform.job(id)).stageMessage ?? undefined);
      yield '# Rivers';
    });
    await createRunner(platform, provider).run(id);
    expect(stages).toEqual(['The AI model is thinking']);
    expect(await platform.job(id)).toMatchObject({ status: 'succeeded' });
  });

  it('does not reveal the message of an unexpected error', async () => {
    const { id } = await platform.submit(await platform.user());
    await createRunner(platform, failing(new TypeError('secret of ours')), { attempts: 1 }).run(id);
    expect(await platform.job(id)).toMatchObject({
      status: 'failed',
      errorCode: 'INTERNAL',
      errorMessage: expect.not.stringContaining('secret'),
    });
  });

  it('aborts a job at its time limit, and refunds it', async () => {
    const user = await platform.user();
    const { id } = await platform.submit(user);
    const { provider, state } = gated();
    const clock = new TestClock();
    const run = createRunner(platform, provider, { clock }).run(id);
    await until('the stream to begin', () => state.started === 1);
    await clock.advance(tools['generate-article'].timeLimitSeconds * 1_000);
    expect(await run).toEqual({ done: true });
    expect(state.aborted).toBe(1);
    expect(await platform.job(id)).toMatchObject({
      status: 'failed',
      errorCode: 'JOB_TIMED_OUT',
      failures: 0,
      credits: 0,
    });
    expect(await platform.remaining(user)).toBe(30);
  });

  describe('that is cancelled', () => {
    it('aborts the provider’s request at once', async () => {
      const user = await platform.user();
      const { id } = await platform.submit(user);
      const { provider, state } = gated();
      // Only the event can stop the worker, since there is nothing to save and the lease is long.
      const run = createRunner(platform, provider, { leaseSeconds: 600 }).run(id);
      await until('the text to be saved', async () => (await platform.job(id)).partial === '# So far');
      await platform.lifecycle.cancel(user, id);
      expect(await run).toEqual({ done: true });
      expect(state.aborted).toBe(1);
      expect(await platform.job(id)).toMatchObject({ status: 'cancelled', credits: 0 });
      expect(await platform.creationsOf(id)).toEqual([]);
    });

    // Prevents a bug of InvokeAI (PR 9263) and BullMQ (#3768): a cancellation between claim and start
    // was lost.
    it('stops at the next save if the event was lost', async () => {
      const user = await platform.user();
      const { id } = await platform.submit(user);
      const { provider, state } = gated();
      const run = createRunner(platform, provider, { leaseSeconds: 2 }).run(id);
      await until('the stream to begin', () => state.started === 1);
      platform.live.dropsEvents = true;
      await platform.lifecycle.cancel(user, id);
      platform.live.dropsEvents = false;
      expect(await run).toEqual({ done: true });
      expect(state.aborted).toBe(1);
    });

    it('frees the worker even if the tool ignores its signal', async () => {
      const user = await platform.user();
      const { id } = await platform.submit(user);
      const { provider, state, open } = gated({ ignoresAbort: true });
      const runner = createRunner(platform, provider);
      const run = runner.run(id);
      await until('the stream to begin', () => state.started === 1);
      await platform.lifecycle.cancel(user, id);
      expect(await run).toEqual({ done: true });
      expect(runner.running).toBe(0);
      open();
      await until('the tool to have ended', () => state.ended === 1);
      expect(await platform.job(id)).toMatchObject({ status: 'cancelled', result: null });
    });
  });

  // Prevents a bug of BullMQ (#439): a lock was not renewed while the CPU was busy, so two workers ran the same
  // job.
  it('lets only the worker with the lease write; the other one stops', async () => {
    const user = await platform.user();
    const { id } = await platform.submit(user);
    const slow = gated();
    // The first worker's clock is stopped until the second is done, so that its lease is not renewed.
    const clock = new TestClock();
    const first = createRunner(platform, slow.provider, { clock }).run(id);
    await until('the first to write', () => slow.state.started === 1);

    const second = createRunner(platform, writing('# The second’s text'));
    // Expire the lease on each try, since a pending progress write of the first worker may renew it.
    await until('the second to take it', async () => {
      await platform.sql(`UPDATE jobs SET lease_until = now() - interval '1 second' WHERE id = $1`, [id]);
      return (await second.run(id)).done;
    });
    await clock.advance(1_000);
    expect(await first).toEqual({ done: true });

    expect(slow.state.aborted).toBe(1);
    expect(await platform.job(id)).toMatchObject({
      status: 'succeeded',
      attempts: 2,
      lostAttempts: 1,
      result: { content: '# The second’s text' },
    });
    expect(await platform.creationsOf(id)).toHaveLength(1);
    expect(await platform.ledger(user)).toMatchObject([{ balance: 29, kinds: ['grant', 'charge'] }]);
  });

  it('runs after the previous picture of its batch, without delaying others', async () => {
    const user = await platform.user();
    const [first, second, alone] = await Promise.all([1, 2, 3].map(() => platform.submit(user)));
    const batchId = randomUUID();
    await platform.dataSource.query(
      `INSERT INTO batches (id, user_id, tool, input, zip_key, credits, request_hash)
       VALUES ($1, $2, 'remove-image-background', '{}', $3, 0, 'x')`,
      [batchId, user, createKey()],
    );
    const inBatch = [first!.id, second!.id];
    await platform.dataSource.query(`UPDATE jobs SET batch_id = $1 WHERE id = ANY ($2)`, [batchId, inBatch]);
    const gate = Promise.withResolvers<void>();
    const started: string[] = [];
    const article = handlers['generate-article'];
    const runner = createRunner(platform, null, {
      handlers: {
        ...handlers,
        'generate-article': {
          ...article,
          offline: async (input, context) => {
            started.push(context.jobId);
            if (inBatch.includes(context.jobId)) await gate.promise;
            return article.offline(input, context);
          },
        },
      },
    });
    const pictures = inBatch.map((id) => runner.run(id));
    await until('both to be claimed', () => runner.running === 2);
    await runner.run(alone!.id);
    expect(started.filter((id) => inBatch.includes(id))).toHaveLength(1);
    gate.resolve();
    await Promise.all(pictures);
    expect(started).toHaveLength(3);
    for (const { id } of [first!, second!, alone!])
      expect(await platform.job(id)).toMatchObject({ status: 'succeeded' });
  });

  it('is not started twice by one process that receives its entry again', async () => {
    const { id } = await platform.submit(await platform.user());
    const { provider, state, open } = gated();
    const runner = createRunner(platform, provider);
    const first = runner.run(id);
    await until('it to run', () => state.started === 1);
    await platform.sql(`UPDATE jobs SET lease_until = now() - interval '1 second' WHERE id = $1`, [id]);
    expect(await runner.run(id)).toMatchObject({ done: false });
    open();
    expect(await first).toEqual({ done: true });
    expect(await runner.run(id)).toEqual({ done: true });
    expect(state.started).toBe(1);
    expect(await platform.job(id)).toMatchObject({ status: 'succeeded', attempts: 1, lostAttempts: 0 });
  });

  it('is queued again when the worker stops, without counting a failure or a lost attempt', async () => {
    const user = await platform.user();
    const { id } = await platform.submit(user);
    const { provider, state } = gated();
    const runner = createRunner(platform, provider);
    const run = runner.run(id);
    await until('it to run', () => state.started === 1);
    runner.stopAll();
    expect(await run).toEqual({ done: false, delayMs: 0 });
    expect(state.aborted).toBe(1);
    expect(await platform.job(id)).toMatchObject({ status: 'queued', failures: 0, credits: 1 });
    await createRunner(platform, writing('# Taken up again')).run(id);
    expect(await platform.job(id)).toMatchObject({
      status: 'succeeded',
      attempts: 2,
      failures: 0,
      lostAttempts: 0,
    });
  });

  it('renews its lease while it waits for a silent provider', async () => {
    const { id } = await platform.submit(await platform.user());
    const { provider, state, open } = gated();
    const clock = new TestClock();
    const run = createRunner(platform, provider, { clock, leaseSeconds: 60 }).run(id);
    await until('it to run', () => state.started === 1);
    await platform.sql(`UPDATE jobs SET lease_until = now() + interval '1 second' WHERE id = $1`, [id]);
    await clock.advance(20_500);
    await until('the lease to be renewed', async () => {
      const { leaseUntil } = await platform.job(id);
      return leaseUntil!.getTime() > Date.now() + 30_000;
    });
    expect(await platform.lifecycle.claim(id, 10)).toMatchObject({ kind: 'retry' });
    open();
    expect(await run).toEqual({ done: true });
    expect(await platform.job(id)).toMatchObject({ status: 'succeeded', attempts: 1 });
  });

  describe('with unreadable data', () => {
    it.each<[string, string]>([
      ['an unknown tool', `UPDATE jobs SET tool = 'tool-of-tomorrow' WHERE id = $1`],
      ['an invalid input', `UPDATE jobs SET input = '{"prompt": 7}' WHERE id = $1`],
      ['a deleted input', `UPDATE jobs SET input = NULL WHERE id = $1`],
      ['more than 20 lost attempts', `UPDATE jobs SET lost_attempts = 21 WHERE id = $1`],
    ])('fails permanently, with a refund and a line in the log: %s', async (_, spoil) => {
      const user = await platform.user();
      const { id } = await platform.submit(user);
      await platform.sql(spoil, [id]);
      const ended = jest.fn();
      const log = { started: () => undefined, ended, error: () => undefined };
      expect(await createRunner(platform, writing('never asked'), { log }).run(id)).toEqual({ done: true });
      expect(await platform.job(id)).toMatchObject({
        status: 'failed',
        credits: 0,
        errorMessage: expect.stringMatching(/\w/),
      });
      expect(await platform.remaining(user)).toBe(30);
      expect(ended).toHaveBeenCalledWith(expect.objectContaining({ id }), 'failed', expect.any(Error));
    });
  });

  describe('whose slot is reserved for standard jobs', () => {
    const SLOTS = 4;
    let clock: TestClock;
    let run: Promise<unknown>;
    let claims: number;
    beforeEach(async () => {
      await platform.sql('DELETE FROM users');
      await platform.openSlots(SLOTS);
      const [premium, standard] = [await platform.user('premium'), await platform.user()];
      const { id } = await platform.submit(standard);
      await createRunner(platform, writing('x')).run(id);
      for (let running = 0; running < SLOTS - 1; running += 1)
        await platform.lifecycle.claim((await platform.submit(premium)).id, 60);
      const waiting = await platform.submit(premium);
      clock = new TestClock();
      claims = 0;
      const counting = Object.assign(Object.create(platform.lifecycle) as typeof platform.lifecycle, {
        claim: async (...args: Parameters<typeof platform.lifecycle.claim>) => {
          const claim = await platform.lifecycle.claim(...args);
          claims += 1;
          return claim;
        },
      });
      run = createRunner(platform, writing('x'), { clock, lifecycle: counting }).run(waiting.id);
      await until('the first claim', () => claims === 1);
    });
    afterEach(() => platform.sql('DELETE FROM worker_slots'));

    /** Advances the clock until the run has ended. */
    async function ended(): Promise<unknown> {
      let outcome: unknown;
      void run.then((disposition) => (outcome = disposition));
      return until('the run to end', async () => {
        await clock.advance(250);
        return outcome;
      });
    }

    it('waits with the slot until a standard job comes, which goes first', async () => {
      const { id } = await platform.submit(await platform.user());
      expect(await ended()).toEqual({ done: false, delayMs: 1_000 });
      expect(await platform.job(id)).toMatchObject({ status: 'queued', lane: lanes.overdue });
    });

    it('returns to the queue after five seconds', async () => {
      expect(await ended()).toMatchObject({ done: false, delayMs: 250 });
      expect(claims).toBeGreaterThan(1);
      expect(claims).toBeLessThanOrEqual(21);
    });
  });

  it.each(['succeeds', 'fails'] as const)('counts the CPU time of its threads when it %s', async (how) => {
    const user = await platform.user();
    const { id } = await platform.submit(user);
    const article = handlers['generate-article'];
    const withProvider: typeof article.withProvider = async (...args) => {
      currentJobWork()!.cpuMs += 90_000;
      if (how === 'fails') throw final();
      return article.withProvider(...args);
    };
    const probe = { ...handlers, 'generate-article': { ...article, withProvider } };
    await createRunner(platform, writing('x'), { handlers: probe }).run(id);
    const [slowdown] = await platform.sql<{ failures: number }>(
      'SELECT failures FROM user_slowdowns WHERE user_id = $1',
      [user],
    );
    expect(slowdown?.failures).toBeCloseTo(1.5);
  });

  it('counts the sum of the CPU time of a user’s short jobs', async () => {
    const user = await platform.user();
    const article = handlers['generate-article'];
    const withProvider: typeof article.withProvider = async (...args) => {
      currentJobWork()!.cpuMs += 950;
      return article.withProvider(...args);
    };
    const probe = { ...handlers, 'generate-article': { ...article, withProvider } };
    const runner = createRunner(platform, writing('x'), { handlers: probe });
    const countAfterJob = async () => {
      const { id } = await platform.submit(user);
      await runner.run(id);
      const [slowdown] = await platform.sql<{ failures: number }>(
        'SELECT failures FROM user_slowdowns WHERE user_id = $1',
        [user],
      );
      return slowdown?.failures;
    };
    expect(await countAfterJob()).toBeUndefined();
    expect(await countAfterJob()).toBeCloseTo(1.9 / 60);
  });

  it('retries soon when the database does not answer a claim', async () => {
    const broken = Object.assign(Object.create(platform.lifecycle) as typeof platform.lifecycle, {
      claim: () => Promise.reject(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })),
    });
    const { id } = await platform.submit(await platform.user());
    const disposition = await createRunner(platform, writing('x'), { lifecycle: broken }).run(id);
    expect(disposition).toEqual({ done: false, delayMs: 2_000 });
    platform.errors.length = 0;
  });

  it('stores its outcome as soon as the database answers again', async () => {
    const user = await platform.user();
    const { id } = await platform.submit(user);
    let failuresLeft = 3;
    const flickering = Object.assign(Object.create(platform.lifecycle) as typeof platform.lifecycle, {
      succeed: (...args: Parameters<typeof platform.lifecycle.succeed>) =>
        failuresLeft-- > 0
          ? Promise.reject(Object.assign(new Error('terminating connection'), { code: '57P01' }))
          : platform.lifecycle.succeed(...args),
    });
    expect(await createRunner(platform, writing('# Kept'), { lifecycle: flickering }).run(id)).toEqual({
      done: true,
    });
    expect(await platform.job(id)).toMatchObject({ status: 'succeeded', attempts: 1 });
    expect(await platform.creationsOf(id)).toHaveLength(1);
  });
});
