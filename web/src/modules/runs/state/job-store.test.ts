import { describe, expect, it, jest } from '@jest/globals';
import type { JobDelta } from '#libs/contract/events.js';
import type { Job } from '#libs/contract/jobs.js';
import type { Progress } from '#libs/contract/progress.js';
import { JobStore } from './job-store.js';

const ID = '0b7c9b0e-5a55-4a6e-9a53-000000000001';

const progress = (percent: number, changes: Partial<Progress> = {}): Progress => ({
  ...{ percent, kind: 'estimated', measure: null, elapsedSeconds: 10, expectedSeconds: null },
  ...{ stage: 'writing', message: 'Writing' },
  ...changes,
});

function job(changes: Partial<Job> = {}): Job {
  return {
    id: ID,
    tool: 'generate-article',
    title: 'A topic',
    status: 'running',
    progress: progress(10),
    position: null,
    etaSeconds: null,
    waiting: null,
    wentAheadOf: 0,
    preview: null,
    result: null,
    error: null,
    attempts: 1,
    credits: 1,
    priority: 'standard',
    group: null,
    revision: 1,
    createdAt: '2026-11-21T08:00:00.000Z',
    startedAt: '2026-11-21T08:00:01.000Z',
    finishedAt: null,
    ...changes,
  };
}

const delta = (offset: number, text: string, attempt = 1): JobDelta => ({ id: ID, attempt, offset, text });

/** A store that flushes synchronously, waits one turn of the event loop between fetches, and fetches `server.job`. */
function setUp(first: Job | null = job()) {
  const server: { job: Job | null; reads: number; fails: number } = { job: first, reads: 0, fails: 0 };
  const store = new JobStore({
    fetch: async () => {
      server.reads += 1;
      if (server.fails > 0) {
        server.fails -= 1;
        throw new Error('No answer.');
      }
      return server.job;
    },
    wait: settled,
    schedule: (flush) => flush(),
  });
  return { store, server, text: () => store.view(ID)?.text };
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('JobStore', () => {
  it('keeps the newest revision', () => {
    const { store } = setUp();
    store.put(job({ revision: 5, progress: progress(50) }));
    store.put(job({ revision: 4 }));
    expect(store.view(ID)?.job.revision).toBe(5);
    expect(store.view(ID)?.job.progress.percent).toBe(50);
  });

  it('appends the new part of a delta and drops the rest', () => {
    const { store, server, text } = setUp();
    store.put(job());
    store.applyDelta(delta(0, 'The quick '));
    store.applyDelta(delta(10, 'brown '));
    store.applyDelta(delta(4, 'quick'));
    store.applyDelta(delta(10, 'brown fox'));
    expect(text()).toBe('The quick brown fox');
    expect(server.reads).toBe(0);
  });

  it('counts in UTF-16 code units, also through a surrogate pair', () => {
    const { store, text } = setUp();
    store.put(job());
    store.applyDelta(delta(0, 'a\ud83d'));
    store.applyDelta(delta(2, '\ude00b'));
    expect(text()).toBe('a😀b');
  });

  it('closes a gap by fetching until the response reaches it', async () => {
    const { store, server, text } = setUp(job({ partial: 'One ' }));
    store.put(job());
    server.fails = 2;
    store.applyDelta(delta(8, 'three'));
    expect(text()).toBe('');
    await settled();
    server.job = job({ partial: 'One two ' });
    await until(() => text() !== '' && text() !== 'One ');
    expect(text()).toBe('One two three');
    expect(server.reads).toBeGreaterThan(2);
  });

  it('starts again with a newer attempt and drops deltas of an older one', () => {
    const { store, text } = setUp();
    store.put(job());
    store.applyDelta(delta(0, 'First try'));
    store.put(job({ attempts: 2, revision: 2 }));
    expect(text()).toBe('');
    store.applyDelta(delta(9, ' goes on', 1));
    store.applyDelta(delta(0, 'First try', 1));
    expect(text()).toBe('');
    store.applyDelta(delta(0, 'Second', 2));
    // A late delta of the first attempt must be ignored, although its offset fits.
    store.applyDelta(delta(6, 'late', 1));
    expect(text()).toBe('Second');
    store.applyDelta(delta(0, 'Third', 3));
    expect(text()).toBe('Third');
    store.put(job({ attempts: 2, revision: 3, partial: 'Second and more' }));
    expect(text()).toBe('Third');
  });

  it('ends with the text of the result, and ignores later events', () => {
    const { store, text } = setUp();
    store.put(job());
    store.applyDelta(delta(0, 'Half of it'));
    store.put(job({ status: 'succeeded', revision: 9, result: { content: 'All of it', engine: 'openai' } }));
    store.applyDelta(delta(10, ' and late news'));
    store.put(job({ revision: 3, partial: 'Half of it, and longer than the result' }));
    expect(text()).toBe('All of it');
  });

  it('keeps the text of a cancelled job', () => {
    const { store, text } = setUp();
    store.put(job());
    store.applyDelta(delta(0, 'Half'));
    store.put(job({ status: 'cancelled', revision: 2 }));
    expect(text()).toBe('Half');
  });

  it('fetches a job that is known from a delta only', async () => {
    const { store, text } = setUp(job({ partial: 'Hello ' }));
    store.applyDelta(delta(6, 'there'));
    await settled();
    expect(text()).toBe('Hello there');
  });

  it('removes a job that does not exist', async () => {
    const { store } = setUp(null);
    await expect(store.refresh(ID)).resolves.toBe(false);
    expect(store.view(ID)).toBeNull();
    expect(store.list()).toEqual([]);
  });

  it('fetches active jobs, and only those, after a reconnection', async () => {
    const { store, server, text } = setUp();
    store.put(job());
    server.job = job({ partial: 'Missed', revision: 2 });
    store.resync();
    await settled();
    expect(text()).toBe('Missed');
    store.put(job({ status: 'succeeded', revision: 3, result: { content: 'Missed and done' } }));
    const { reads } = server;
    store.resync();
    await settled();
    expect(server.reads).toBe(reads);
  });

  it('notifies of an end once, and only for a job that was already known', () => {
    const { store } = setUp();
    const onEnd = jest.fn();
    store.onEnd(onEnd);
    const done = job({ status: 'succeeded', revision: 2, result: { content: 'Text' } });
    store.put(job());
    store.put(done);
    store.put(done);
    store.put({ ...done, id: '0b7c9b0e-5a55-4a6e-9a53-000000000002' });
    expect(onEnd).toHaveBeenCalledTimes(1);
  });

  it('measures a job’s run time by its own clock, and never decreases progress', () => {
    let now = 100_000;
    const store = new JobStore({
      fetch: async () => null,
      wait: settled,
      schedule: (flush) => flush(),
      now: () => now,
    });
    const seconds = () => store.secondsSinceStart(store.view(ID)!.job, now);
    store.put(job({ progress: progress(0, { elapsedSeconds: null }) }));
    expect(seconds()).toBeNull();
    store.put(job({ progress: progress(30, { elapsedSeconds: 10 }), revision: 2 }));
    now += 5_000;
    expect(seconds()).toBe(15);
    // A response that took four seconds must not set the clock back.
    store.put(job({ progress: progress(20, { elapsedSeconds: 11 }), revision: 3 }));
    expect(seconds()).toBe(15);
    expect(store.view(ID)?.job.progress.percent).toBe(30);
    // After the device slept, during which its clock stopped, the server's time counts.
    store.put(job({ progress: progress(40, { elapsedSeconds: 90 }), revision: 4 }));
    expect(seconds()).toBe(90);
  });

  it('shows the newest preview of the newest attempt, until the job ends', () => {
    const { store } = setUp();
    const preview = (attempt: number, index: number) => ({ attempt, index, url: `/${attempt}/${index}` });
    const shown = () => store.view(ID)?.job.preview?.url ?? null;
    store.applyPreview({ id: ID, ...preview(1, 0) });
    store.put(job());
    expect(shown()).toBeNull();
    store.applyPreview({ id: ID, ...preview(1, 1) });
    store.applyPreview({ id: ID, ...preview(1, 0) });
    expect(shown()).toBe('/1/1');
    // A response that the server sent before the event has an older preview.
    store.put(job({ preview: preview(1, 0), revision: 2 }));
    expect(shown()).toBe('/1/1');
    store.put(job({ attempts: 2, revision: 3 }));
    expect(shown()).toBeNull();
    store.applyPreview({ id: ID, ...preview(1, 2) });
    expect(shown()).toBeNull();
    store.applyPreview({ id: ID, ...preview(2, 0) });
    expect(shown()).toBe('/2/0');
    store.put(job({ attempts: 2, status: 'succeeded', revision: 4, result: {} }));
    store.applyPreview({ id: ID, ...preview(2, 1) });
    expect(shown()).toBeNull();
  });

  it('applies a queue position without a revision', () => {
    const waiting = { reason: 'ahead' as const, ahead: { premium: 1, own: 0, others: 0 } };
    const { store } = setUp();
    store.put(job({ status: 'queued', position: 5, etaSeconds: 50 }));
    store.applyPosition({ id: ID, position: 2, etaSeconds: 20, waiting });
    expect(store.view(ID)?.job).toMatchObject({ position: 2, etaSeconds: 20, waiting, revision: 1 });
    store.put(job({ revision: 2 }));
    store.applyPosition({ id: ID, position: 1, etaSeconds: 5, waiting });
    expect(store.view(ID)?.job.position).toBeNull();
  });

  it('lists the newest first, in the same array until a job changes', () => {
    const { store } = setUp();
    store.put(job());
    store.put(job({ id: '0b7c9b0e-5a55-4a6e-9a53-000000000002', createdAt: '2026-11-21T09:00:00.000Z' }));
    const list = store.list();
    expect(list.map(({ createdAt }) => createdAt.slice(11, 13))).toEqual(['09', '08']);
    store.applyDelta(delta(0, 'Text moves'));
    expect(store.list()).toBe(list);
  });

  it('ends with the same text, however deltas are split, repeated, reordered or lost', async () => {
    for (let seed = 1; seed <= 300; seed += 1) {
      const random = generator(seed);
      const whole = sentence(random, 400);
      const { store, server, text } = setUp(job());
      store.put(job());

      for (const { piece, reached } of shuffled(cuts(whole, random), random)) {
        // A response can contain less text than events that arrived earlier.
        const known = Math.floor(random() * (reached + 1));
        if (known > (server.job?.partial?.length ?? 0)) server.job = job({ partial: whole.slice(0, known) });
        if (random() < 0.2) server.fails = 1;
        if (random() < 0.15) continue;
        store.applyDelta(piece);
        if (random() < 0.15) store.applyDelta(piece);
        if (random() < 0.1) store.resync();
        if (random() < 0.3) await settled();
      }
      server.job = job({ partial: whole });
      store.resync();
      await until(() => text() === whole);
      expect(text()).toBe(whole);
    }
  });
});

/** Splits a text into overlapping deltas, in order. `reached` is the end offset of each delta. */
function cuts(whole: string, random: () => number) {
  const pieces: { piece: JobDelta; reached: number }[] = [];
  for (let at = 0; at < whole.length;) {
    const start = Math.max(0, at - (random() < 0.2 ? Math.floor(random() * 12) : 0));
    const end = Math.min(whole.length, at + 1 + Math.floor(random() * 30));
    pieces.push({ piece: delta(start, whole.slice(start, end)), reached: end });
    at = end;
  }
  return pieces;
}

/** A copy with some neighbouring items swapped. */
function shuffled<T>(items: T[], random: () => number): T[] {
  const mixed = [...items];
  for (let at = 1; at < mixed.length; at += 1) {
    if (random() < 0.2) [mixed[at - 1], mixed[at]] = [mixed[at] as T, mixed[at - 1] as T];
  }
  return mixed;
}

function sentence(random: () => number, length: number): string {
  const letters = 'abcdef ghij\nklm😀é';
  return Array.from({ length }, () => letters[Math.floor(random() * letters.length)]).join('');
}

async function until(holds: () => boolean): Promise<void> {
  for (let turns = 0; turns < 200 && !holds(); turns += 1) await settled();
}

/** mulberry32, a seeded random number generator. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
