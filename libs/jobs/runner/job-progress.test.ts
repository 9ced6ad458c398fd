import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { JobDelta } from '#libs/contract/events.js';
import type { AttemptPlan, AttemptProgress } from '../job-transitions.js';
import { JobProgress } from './job-progress.js';
import { InMemoryEvents } from '../../../test/support/job-platform.ts';
import { TestClock } from '../../../test/support/test-clock.ts';

interface Saved {
  progress?: AttemptProgress;
  plan?: AttemptPlan;
  partial?: string;
}

describe('The progress of an attempt', () => {
  const runs: JobProgress[] = [];
  let clock: TestClock;
  beforeEach(() => {
    clock = new TestClock();
  });
  afterEach(async () => {
    await Promise.all(runs.splice(0).map((run) => run.close()));
  });

  function start({
    leaseSeconds = 60,
    ...options
  }: Partial<ConstructorParameters<typeof JobProgress>[0]> = {}) {
    const live = new InMemoryEvents();
    const saved: Saved[] = [];
    const errors: Error[] = [];
    const store = { answer: async (): Promise<boolean> => true };
    const run = new JobProgress({
      attempt: { jobId: 'a-job', attempt: 3 },
      userId: 'ada',
      leaseSeconds,
      lifecycle: {
        renew: async (_attempt: unknown, _lease: number, change: Saved) => {
          const own = await store.answer();
          saved.push(change);
          return own;
        },
      } as never,
      live,
      onError: (error) => errors.push(error),
      clock,
      ...options,
    });
    runs.push(run);
    return { run, live, saved, errors, store, deltas: () => live.of('job:delta') };
  }

  const joined = (deltas: JobDelta[]) => deltas.map(({ text }) => text).join('');
  function expectNoGap(deltas: JobDelta[]) {
    let offset = 0;
    for (const delta of deltas) {
      expect(delta).toMatchObject({ id: 'a-job', attempt: 3, offset });
      offset += delta.text.length;
    }
  }

  it('counts offsets in UTF-16 code units, whatever the script', async () => {
    const { run, deltas } = start();
    const pieces = ['plain ', 'Emoji 🦊👩‍👩‍👧 ', '漢字かな ', 'é ', '𠮷野家', ' end'];
    for (const piece of pieces) {
      run.text(piece);
      await clock.advance(60);
    }
    await run.close();
    expect(deltas()).toHaveLength(pieces.length);
    expectNoGap(deltas());
    expect(joined(deltas())).toBe(pieces.join(''));
    expect(deltas().at(-1)?.offset).toBe(pieces.slice(0, -1).join('').length);
  });

  it('sends the first piece at once and collects the following ones', async () => {
    const { run, deltas } = start();
    run.text('First');
    await clock.advance(0);
    expect(deltas()).toHaveLength(1);
    for (let i = 0; i < 500; i += 1) run.text(`${i} `);
    await clock.advance(120);
    expect(deltas().length).toBeLessThanOrEqual(3);
    expectNoGap(deltas());
    expect(joined(deltas())).toContain('499 ');
    await clock.advance(60);
    run.text('after a pause, at once');
    expect(deltas().at(-1)?.text).toBe('after a pause, at once');
    expectNoGap(deltas());
  });

  it('sends nothing for an empty piece, and the remaining text on close', async () => {
    const { run, deltas } = start();
    run.text('');
    await clock.advance(60);
    expect(deltas()).toEqual([]);
    run.text('a');
    run.text('b');
    await run.close();
    expect(joined(deltas())).toBe('ab');
  });

  it('stores lasting stages at once, text and percent at intervals, and never decreases', async () => {
    const { run, saved } = start();
    run.stage('thinking', 'Thinking', 2);
    await clock.advance(200);
    run.stage('writing', 'Writing', 5);
    await clock.advance(200);
    expect(saved).toEqual([]);
    await clock.advance(50);
    expect(saved).toHaveLength(1);
    expect(saved[0]).toEqual({
      progress: { stage: 'writing', message: 'Writing', percent: 5 },
      partial: undefined,
    });
    for (let percent = 6; percent <= 60; percent += 1) {
      run.percent(percent);
      run.text('x');
      await clock.advance(20);
    }
    run.percent(10);
    run.stage('proofing', 'Proofreading', 20);
    await clock.advance(250);
    expect(saved.at(-1)?.progress?.stage).toBe('proofing');
    // Two writes for the stages, and two during the 1.1 seconds of the loop.
    expect(saved.length).toBeLessThanOrEqual(4);
    const percents = saved.flatMap(({ progress }) => progress?.percent ?? []);
    expect(percents).toEqual(percents.toSorted((a, b) => a - b));
    expect(percents.at(-1)).toBe(60);
    expect(saved.findLast(({ partial }) => partial)?.partial).toMatch(/^x+$/);
  });

  it('continues measured progress from the estimate, and a new attempt from the previous one', async () => {
    const { run, saved } = start({
      percent: 12,
      startedAt: clock.elapsed() - 10_000,
      engine: 'openai',
      expected: Promise.resolve({ from: 20, to: 40 }),
    });
    run.stage('asking', 'Asking', 5);
    await clock.advance(10_000);
    const measure = { done: 1, total: 10, unit: 'parts' as const };
    run.stage('writing', 'Writing', 10, measure);
    run.percent(99, { ...measure, done: 9 });
    run.stage('storing', 'Storing', 98);
    await clock.advance(500);
    const states = saved.flatMap(({ progress }) => progress ?? []);
    expect(states[0]).toMatchObject({ stage: 'asking', percent: 12 });
    expect(saved.find(({ plan }) => plan?.expected)?.plan).toEqual({
      engine: 'openai',
      expected: { from: 20, to: 40 },
    });
    expect(states.find(({ stage }) => stage === 'writing') ?? states.at(-1)).toBeDefined();
    const percents = states.map(({ percent }) => percent);
    expect(percents).toEqual(percents.toSorted((a, b) => a - b));
    // When measuring began, 20 of the estimated 40 seconds had passed.
    expect(percents.at(-1)).toBeGreaterThanOrEqual(45);
  });

  it('renews its lease while nothing happens', async () => {
    const { saved } = start({ leaseSeconds: 1 });
    await clock.advance(1_500);
    expect(saved).toEqual(Array(3).fill({ progress: undefined, partial: undefined }));
  });

  it('renews its lease after the machine’s clock was set back, and after a failed write', async () => {
    const { saved, store } = start({ leaseSeconds: 60 });
    clock.set(-3_600_000);
    await clock.advance(21_000);
    expect(saved).toHaveLength(1);
    const answer = store.answer;
    store.answer = () => Promise.reject(new Error('The database is unavailable.'));
    await clock.advance(20_000);
    store.answer = answer;
    await clock.advance(1_000);
    expect(saved).toHaveLength(2);
  });

  it('includes everything in the next save after a save failed', async () => {
    const { run, saved, errors, store } = start();
    const answer = store.answer;
    store.answer = () => Promise.reject(new Error('The database is unavailable.'));
    run.stage('writing', 'Writing', 5);
    run.text('Written during the outage');
    await clock.advance(1_000);
    expect(errors.length).toBeGreaterThanOrEqual(2);
    expect(run.signal.aborted).toBe(false);
    store.answer = answer;
    await clock.advance(1_000);
    expect(saved).toContainEqual({
      progress: { stage: 'writing', message: 'Writing', percent: 5 },
      partial: 'Written during the outage',
    });
  });

  it('writes one at a time, and queues at most one write behind a slow one', async () => {
    const { run, saved, store } = start({ leaseSeconds: 1 });
    const hang = Promise.withResolvers<void>();
    let open = 0;
    let most = 0;
    store.answer = async () => {
      most = Math.max(most, ++open);
      await hang.promise;
      open -= 1;
      return true;
    };
    for (let i = 0; i < 8; i += 1) {
      run.stage(`stage-${i}`, 'A stage', i);
      await clock.advance(150);
    }
    hang.resolve();
    await clock.advance(0);
    expect(saved.at(-1)?.progress?.stage).toBe('stage-7');
    expect(most).toBe(1);
    expect(saved).toHaveLength(2);
  });

  it('stops and publishes nothing more when another attempt replaced it', async () => {
    const { run, store, deltas } = start();
    run.text('Before');
    await clock.advance(0);
    expect(deltas()).toHaveLength(1);
    store.answer = async () => false;
    run.stage('writing', 'Writing', 5);
    await clock.advance(250);
    expect(run.signal.reason).toMatchObject({ name: 'RunStopped', reason: 'lost' });
    run.text('After');
    await clock.advance(80);
    await run.close();
    expect(joined(deltas())).toBe('Before');
  });

  it('writes nothing more after another attempt replaced it', async () => {
    const { run, saved, store } = start({ leaseSeconds: 1 });
    store.answer = async () => false;
    run.stage('writing', 'Writing', 5);
    await clock.advance(250);
    const writes = saved.length;
    store.answer = async () => true;
    run.stage('proofing', 'Proofreading', 50);
    run.text('Late');
    await clock.advance(2_000);
    await run.close();
    expect(saved).toHaveLength(writes);
  });
});
