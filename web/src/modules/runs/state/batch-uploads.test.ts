import { expect, it } from '@jest/globals';
import type { BatchItem, BatchWithItems } from '#libs/contract/batches.js';
import { until } from '../../../../../test/support/until.ts';
import { ApiFailure } from '../../../shared/http/http';
import type { BatchFiles } from './batch-files';
import { BatchStore } from './batch-store';
import { BatchUploads, matchFiles } from './batch-uploads';

const ID = 'batch';
const item = (n: number, change: Partial<BatchItem> = {}): BatchItem => ({
  n,
  id: String(n),
  name: `${n}.png`,
  size: n,
  state: 'missing',
  jobId: null,
  sendableAgain: false,
  creationId: null,
  content: null,
  thumbnail: null,
  warnings: [],
  original: null,
  error: null,
  ...change,
});
const batch = (count: number, id = ID): BatchWithItems => ({
  id,
  tool: 'remove-image-background',
  title: 'Pictures',
  input: {},
  status: 'open',
  counts: {
    total: count,
    missing: count,
    queued: 0,
    running: 0,
    succeeded: 0,
    failed: 0,
    cancelled: 0,
    leftOut: 0,
    toCheck: 0,
  },
  credits: 0,
  zip: null,
  revision: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  openUntil: '2026-01-08T00:00:00.000Z',
  items: Array.from({ length: count }, (_, index) => item(index + 1)),
  originals: { count: 0, bytes: 0 },
});
const picture = (name: string, bytes: number) => new File(['x'.repeat(bytes)], name, { type: 'image/png' });
const picturesOf = (count: number) =>
  new Map(Array.from({ length: count }, (_, index) => [index + 1, picture(`${index + 1}.png`, index + 1)]));

const DELETED = 'deleted';

/**
 * Sets up uploads with files in memory. The server fails with the error that `answer` returns, or succeeds if it is null.
 */
function setUp(count: number, answer: (n: number, call: number) => ApiFailure | null) {
  const kept = new Map<string, File>();
  const calls: number[] = [];
  let atOnce = 0;
  let most = 0;
  const store = new BatchStore((flush) => flush());
  store.put(batch(count));
  const waits: number[] = [];
  const locks: string[] = [];
  const files: BatchFiles = {
    read: async (_user, id, n) => kept.get(`${id}/${n}`) ?? null,
    batches: async () => [...new Set([...kept.keys()].map((key) => key.split('/')[0]!))],
    numbers: async (_user, id) =>
      [...kept.keys()].flatMap((key) => (key.startsWith(`${id}/`) ? [Number(key.split('/')[1])] : [])),
    write: async (_user, id, n, file) => void kept.set(`${id}/${n}`, file),
    remove: async (_user, id, n) => void kept.delete(`${id}/${n}`),
    clearAll: async () => kept.clear(),
  };
  const uploads = new BatchUploads({
    userId: 'ada',
    store,
    files,
    send: async (_batch, n) => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      calls.push(n);
      await Promise.resolve();
      atOnce -= 1;
      const failure = answer(n, calls.filter((one) => one === n).length);
      if (failure) throw failure;
      return item(n, { state: 'queued', jobId: `job-${n}` });
    },
    refresh: async (id) => {
      if (id === DELETED) throw failure('NOT_FOUND');
    },
    withLock: (name, work) => {
      locks.push(name);
      return work();
    },
    wait: async (milliseconds) => void waits.push(milliseconds),
  });
  uploads.start();
  const queued = (id = ID) => store.view(id)!.items!.filter(({ state }) => state === 'queued').length;
  return { uploads, store, kept, calls, waits, locks, queued, most: () => most };
}

const failure = (code: ApiFailure['code'], retryAfterSeconds: number | null = null) =>
  new ApiFailure(code, 'No.', { status: 0, retryAfterSeconds });

it('sends three at a time, each once, and deletes sent files', async () => {
  const { uploads, kept, calls, queued, most } = setUp(20, () => null);
  uploads.add(ID, picturesOf(20));
  await until('all to be sent', () => queued() === 20);
  await until('the files to be gone', () => kept.size === 0);
  expect([...calls].sort((one, other) => one - other)).toEqual([...picturesOf(20).keys()]);
  expect(most()).toBe(3);
});

it('sends a lost picture again, after the time that the server names', async () => {
  const { uploads, calls, waits, queued } = setUp(2, (n, call) =>
    n === 2 && call === 1 ? failure('UNREACHABLE') : n === 2 && call === 2 ? failure('QUEUE_FULL', 7) : null,
  );
  uploads.add(ID, picturesOf(2));
  await until('both to be sent', () => queued() === 2);
  expect(calls.filter((n) => n === 2)).toHaveLength(3);
  expect(waits).toEqual([2_000, 7_000]);
});

it('continues after a reload with the files stored in this browser', async () => {
  const { uploads, kept, queued } = setUp(3, () => null);
  kept.set(`${ID}/2`, picture('2.png', 2));
  kept.set(`${DELETED}/1`, picture('1.png', 1));
  await uploads.resumeAll();
  await until('it to be sent', () => queued() === 1);
  expect(uploads.state(ID).stored.size).toBe(0);
  await until('the files to be gone', () => kept.size === 0);
});

it('shares its three slots between batches, and sends in one tab at a time', async () => {
  const { uploads, store, locks, queued, most } = setUp(5, () => null);
  store.put(batch(5, 'other'));
  uploads.add(ID, picturesOf(5));
  uploads.add('other', picturesOf(5));
  await until('all to be sent', () => queued() === 5 && queued('other') === 5);
  expect(most()).toBe(3);
  expect(new Set(locks)).toEqual(new Set(['batch-uploads']));
});

it('sends another batch while one waits', async () => {
  const { uploads, store, queued } = setUp(1, (n) => (n === 1 ? failure('PREMIUM_REQUIRED') : null));
  store.put(batch(2, 'other'));
  uploads.add(ID, picturesOf(1));
  uploads.add('other', new Map([[2, picture('2.png', 2)]]));
  await until('the other to be sent', () => queued('other') === 1);
  expect(uploads.state(ID).problem?.code).toBe('PREMIUM_REQUIRED');
});

it.each([
  ['left out', (store: BatchStore) => store.putItem(ID, item(1, { state: 'left-out' }))],
  ['cancelled', (store: BatchStore) => store.put({ ...batch(2), status: 'cancelled', revision: 2 })],
])('deletes a picture that was %s while sending waits', async (_how, change) => {
  const { uploads, store, kept } = setUp(2, () => failure('PREMIUM_REQUIRED'));
  uploads.add(ID, picturesOf(2));
  await until('it to wait', () => uploads.state(ID).problem !== null && kept.size === 2);
  change(store);
  await until('the file to be gone', () => !kept.has(`${ID}/1`));
  expect(uploads.state(ID).stored.has(1)).toBe(false);
});

it('continues after a stop and a new start', async () => {
  const { uploads, queued } = setUp(4, () => null);
  uploads.stop();
  uploads.add(ID, picturesOf(4));
  expect(uploads.state(ID).sending.size).toBe(0);
  uploads.start();
  await until('all to be sent', () => queued() === 4);
});

it('reports a picture that cannot be used, and sends the others', async () => {
  const { uploads, calls, queued } = setUp(3, (n) => (n === 1 ? failure('UNREADABLE_IMAGE') : null));
  uploads.add(ID, picturesOf(3));
  await until('the others to be sent', () => queued() === 2);
  expect(uploads.state(ID).refused.get(1)).toBe('No.');
  expect(calls).toHaveLength(3);
});

it('waits for the user if the plan does not include the tool', async () => {
  let plan = 'free';
  const { uploads, queued } = setUp(1, () => (plan === 'free' ? failure('PREMIUM_REQUIRED') : null));
  uploads.add(ID, picturesOf(1));
  await until('it to wait', () => uploads.state(ID).problem?.code === 'PREMIUM_REQUIRED');
  plan = 'premium';
  uploads.retry(ID);
  await until('it to be sent', () => queued() === 1);
  expect(uploads.state(ID).problem).toBeNull();
});

it('uploads a picture again if the server deleted its file, and stores it nowhere', async () => {
  let credits = 0;
  const { uploads, store, kept, calls, queued } = setUp(2, () =>
    credits === 0 ? failure('INSUFFICIENT_CREDITS') : null,
  );
  const first = batch(2);
  const items = first.items.map((one) => ({ ...one, state: 'failed' as const, jobId: `first-${one.n}` }));
  items[1] = { ...items[1]!, sendableAgain: true };
  const counts = { ...first.counts, missing: 0, failed: 2 };
  const ended: BatchWithItems = { ...first, status: 'ended', counts, revision: 2, items };
  store.put(ended);
  uploads.add(ID, picturesOf(2));
  await until('it to wait', () => uploads.state(ID).problem?.code === 'INSUFFICIENT_CREDITS');
  expect([...uploads.state(ID).stored]).toEqual([2]);
  credits = 1;
  uploads.retry(ID);
  await until('it to be sent', () => queued() === 1);
  expect(calls).toEqual([2, 2]);
  expect(kept.size).toBe(0);
  expect(store.view(ID)!.items![1]).toMatchObject({ jobId: 'job-2', sendableAgain: false });
  expect(uploads.state(ID)).toMatchObject({ stored: new Set(), sending: new Set(), problem: null });
});

it('matches newly chosen files to missing pictures', () => {
  const items = [
    item(1, { state: 'succeeded' }),
    item(2, { name: 'a.png', size: 5 }),
    item(3, { name: 'b.png', size: 5 }),
    item(4, { name: 'c.png', size: 6 }),
  ];
  const files = [picture('b.png', 5), picture('renamed.png', 6), picture('a.png', 9), picture('1.png', 1)];
  expect([...matchFiles(items, files)].map(([n, file]) => [n, file.name])).toEqual([
    [3, 'b.png'],
    [4, 'renamed.png'],
  ]);
});

it('ignores a late event, and notifies of an end once', () => {
  const { store } = setUp(1, () => null);
  const ends: string[] = [];
  store.onEnd(({ id }) => ends.push(id));
  store.putItem(ID, item(1, { state: 'queued', jobId: 'job' }));
  const job = { id: 'job', batchId: ID, status: 'succeeded', result: { content: '/files/x' }, error: null };
  store.applyJob(job as never);
  store.applyJob({ ...job, status: 'running', result: null } as never);
  expect(store.view(ID)!.items![0]).toMatchObject({ state: 'succeeded', content: '/files/x' });
  const { items: _, ...summary } = batch(1);
  store.put({ ...summary, status: 'ended', revision: 5 });
  store.put({ ...summary, status: 'open', revision: 4 });
  store.put({ ...summary, status: 'ended', revision: 6 });
  expect(ends).toEqual([ID]);
});
