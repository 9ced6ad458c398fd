import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { io } from 'socket.io-client';
import { MAX_OPEN_BATCHES, type Batch, type BatchItem, type BatchWithItems } from '#libs/contract/batches.js';
import { AppError } from '#libs/contract/errors.js';
import { Batches, deleteOldBatches, type BatchPublishers } from '#libs/batches/batches.js';
import { signOutEverywhere } from '#libs/accounts/sign-out.js';
import { createDataSource } from '#libs/database/data-source.js';
import { applyRetention } from '#libs/creations/retention.js';
import { tools } from '#libs/tools/catalogue.js';
import { handlers } from '#libs/tools/handlers.js';
import {
  form,
  json,
  PASSWORD,
  type SignedInUser,
  useInProcessProduct,
} from '../../test/support/in-process-product.ts';
import { addProbeTools, closeGate, gate } from '../../test/support/probe-tools.ts';
import { discOnBlue } from '../../test/support/image-files.ts';
import { until } from '../../test/support/until.ts';
import { unzip } from '../../test/support/unzip.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';

allowTimeForPrograms();

// Returns the uploaded picture, so that no model has to run.
addProbeTools();
Object.assign(handlers, {
  'remove-image-background': (handlers as Record<string, unknown>)['probe-image'],
});
const { plan } = tools['remove-image-background'];

const product = useInProcessProduct({ WORKER_CONCURRENCY: '2' });
let picture: Buffer;
beforeAll(async () => {
  picture = await discOnBlue(64, 64).png().toBuffer();
});
afterEach(() => {
  gate.open();
  Object.assign(tools['remove-image-background'], { plan });
});

interface Answered {
  code?: string;
  message: string;
  batch: BatchWithItems;
  batches: Batch[];
  nextCursor: string | null;
  item: BatchItem;
  jobs: { id: string; batchId?: string }[];
}
const read = async (answer: Response) => (await answer.json()) as Answered;

const QUOTA = { free: 1, premium: 1 };
const unused = () => Promise.reject(new Error('This is not called.'));

/** Makes the tool available on the free plan, with its price. */
const makeFree = () => Object.assign(tools['remove-image-background'], { plan: 'free' });

const itemsOf = (names: string[]) =>
  names.map((name, index) => ({ id: `c${index}`, name, size: picture.length }));

const create = (user: SignedInUser, names: string[], headers: Record<string, string> = {}) =>
  user.call('/api/batches', { json: { tool: 'remove-image-background', items: itemsOf(names) }, headers });

async function batchOf(user: SignedInUser, names: string[]): Promise<BatchWithItems> {
  const answer = await create(user, names);
  const body = await read(answer);
  expect([answer.status, body.code]).toEqual([200, undefined]);
  return body.batch;
}

const send = (user: SignedInUser, id: string, n: number, bytes = picture) =>
  user.call(`/api/batches/${id}/items/${n}`, { body: form({ image: { bytes, name: 'other name.png' } }) });

const get = async (user: SignedInUser, id: string) =>
  (await read(await user.call(`/api/batches/${id}`))).batch;

const ended = (user: SignedInUser, id: string) =>
  until('the batch to end', async () => {
    const batch = await get(user, id);
    return batch.status === 'ended' && batch;
  });

const remaining = async (user: SignedInUser) => {
  const { credits } = (await (await user.call('/api/user/account')).json()) as {
    credits: { remaining: number };
  };
  return credits.remaining;
};

const ledger = (user: SignedInUser) =>
  product.sql(
    `SELECT kind AS name, count(*)::integer AS count FROM credit_entries WHERE user_id = $1 AND kind <> 'grant'
     GROUP BY kind ORDER BY kind`,
    [user.id],
  );

describe('a batch of pictures', () => {
  it('starts a job for each uploaded picture, and returns one ZIP with their names', async () => {
    const ada = await product.signUp('Ada', 'premium');
    const events: Batch[] = [];
    const socket = io(product.origin, { transports: ['websocket'], auth: { token: ada.token } });
    socket.on('batch', (batch: Batch) => events.push(batch));
    await until('the socket', () => socket.connected);

    const names = ['../../Cat.JPG', 'cat.png', '🐱.webp'];
    const batch = await batchOf(ada, names);
    expect(batch).toMatchObject({
      tool: 'remove-image-background',
      title: 'Remove Background: 3 pictures',
      status: 'open',
      credits: 0,
      zip: null,
      counts: { total: 3, missing: 3 },
    });
    expect(batch.items.map(({ n, id, name, state }) => [n, id, name, state])).toEqual([
      [1, 'c0', 'Cat.JPG', 'missing'],
      [2, 'c1', 'cat.png', 'missing'],
      [3, 'c2', '🐱.webp', 'missing'],
    ]);
    expect((await ada.call(`/api/batches/${batch.id}/zip`)).status).toBe(404);

    // An early ZIP has the same names as a late one.
    await send(ada, batch.id, 2);
    await until('the first result', async () => (await get(ada, batch.id)).counts.succeeded === 1);
    const early = await ada.call(`/api/batches/${batch.id}/zip`);
    expect([...unzip(Buffer.from(await early.arrayBuffer())).keys()]).toEqual(['cat (2).png']);

    // Concurrent and repeated uploads of picture 1 create only one job.
    const answers = await Promise.all([1, 2, 3, 1].map((n) => send(ada, batch.id, n)));
    const items = await Promise.all(answers.map(async (answer) => (await read(answer)).item));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(items[3]!.jobId).toBe(items[0]!.jobId);
    const done = await ended(ada, batch.id);
    expect((await read(await send(ada, batch.id, 2))).item).toEqual(done.items[1]);
    expect(done.counts).toMatchObject({ total: 3, succeeded: 3, missing: 0 });
    expect(done.items[0]).toMatchObject({ state: 'succeeded', error: null });
    expect((await fetch(done.items[0]!.content!)).status).toBe(200);

    const { jobs } = await read(await ada.call('/api/jobs'));
    expect(jobs.map(({ batchId }) => batchId)).toEqual([batch.id, batch.id, batch.id]);
    expect((await read(await ada.call('/api/jobs?batches=without'))).jobs).toEqual([]);

    const zips = await Promise.all([
      ada.call(`/api/batches/${batch.id}/zip`),
      fetch(done.zip!),
      fetch(done.zip!, { method: 'HEAD' }),
    ]);
    const bytes = Buffer.from(await zips[0].arrayBuffer());
    expect(zips.map(({ headers }) => headers.get('content-length'))).toEqual(
      Array(3).fill(String(bytes.length)),
    );
    expect(Buffer.from(await zips[1].arrayBuffer())).toEqual(bytes);
    expect(zips[0].headers.get('content-disposition')).toMatch(
      /^attachment; filename="remove-image-background-\d{4}-\d\d-\d\d\.zip"$/,
    );
    const files = unzip(bytes);
    expect([...files.keys()]).toEqual(['Cat.png', 'cat (2).png', '🐱.png']);
    const first = await fetch(done.items[0]!.content!);
    expect(files.get('Cat.png')).toEqual(Buffer.from(await first.arrayBuffer()));

    // The ZIP does not contain deleted creations.
    await ada.call(`/api/user/creations/${done.items[1]!.creationId}`, { method: 'DELETE' });
    const rest = await ada.call(`/api/batches/${batch.id}/zip`);
    expect([...unzip(Buffer.from(await rest.arrayBuffer())).keys()]).toEqual(['Cat.png', '🐱.png']);

    // A warning counts until the picture is changed.
    const area = { left: 0.1, top: 0.2, right: 0.3, bottom: 0.4 };
    const warnings = [{ code: 'check-edge', message: 'Check this edge.', area }];
    await product.sql(`UPDATE jobs SET result = result || $1 WHERE id = $2`, [
      { warnings },
      done.items[0]!.jobId,
    ]);
    const doubted = await get(ada, batch.id);
    expect([doubted.counts.toCheck, doubted.items[0]?.warnings, doubted.items[2]?.warnings]).toEqual([
      1,
      warnings,
      [],
    ]);

    // A batch shows the current version of each creation.
    const { creationId, content } = done.items[0]!;
    const edited = await discOnBlue(80, 80).png().toBuffer();
    const saved = await ada.call(`/api/user/creations/${creationId}/versions`, {
      body: form({ base: creationId!, label: 'edited', image: { bytes: edited, name: 'a.png' } }),
    });
    const { creation } = (await saved.json()) as { creation: { content: string; thumbnail: string } };
    expect(creation.content).not.toBe(content);
    expect((await get(ada, batch.id)).items[0]).toMatchObject({
      content: creation.content,
      thumbnail: creation.thumbnail,
      warnings: [],
    });

    for (const { creationId } of [done.items[0]!, done.items[2]!])
      await ada.call(`/api/user/creations/${creationId}`, { method: 'DELETE' });
    const left = await get(ada, batch.id);
    expect([left.zip, left.items[0]!.content, left.counts.succeeded]).toEqual([null, null, 3]);

    // Events may arrive in any order, so pages use the event with the highest revision.
    await until('the last event', () => events.some(({ revision }) => revision === left.revision));
    expect(Math.max(...events.map(({ revision }) => revision))).toBe(left.revision);
    socket.close();
  });

  it('needs storage for its rows', async () => {
    const ada = await product.signUp('Ada', 'premium');
    const used = async () => (await json(await ada.call('/api/user/account'))).storage.used;
    const names = Array.from({ length: 20 }, (_, n) => `${n}.png`);
    const batch = await batchOf(ada, names);
    expect(await used()).toBeGreaterThan(20 * 200);
    closeGate();
    await send(ada, batch.id, 1);
    await product.sql(`UPDATE objects SET bytes = 2000000000 WHERE user_id = $1`, [ada.id]);
    await product.sql(
      `INSERT INTO objects (key, user_id, kind, type, bytes, sha256, name)
       VALUES (repeat('k', 43), $1, 'image', 'image/png', 2000000000, '', '')`,
      [ada.id],
    );
    const answer = await create(ada, names);
    expect([answer.status, (await read(answer)).code]).toEqual([409, 'STORAGE_FULL']);
  });

  it('has a new revision with each change', async () => {
    const ada = await product.signUp('Ada', 'premium');
    const before = await batchOf(ada, ['a.png', 'b.png']);
    closeGate();
    await send(ada, before.id, 1);
    const during: Batch[] = [];
    const batches: Batches = new Batches({
      dataSource: product.dataSource,
      storageQuota: QUOTA,
      submission: { onRetry: () => undefined },
      batchEvents: { batchChanged: async () => undefined },
      accountEvents: { accountChanged: async () => undefined },
      // `cancel` is called after the batch's first change and before that change is published.
      lifecycle: {
        cancelAllWaiting: async () => [],
        cancel: async (userId) => {
          during.push(await batches.get(userId, before.id));
          throw new AppError('JOB_NOT_CANCELLABLE', 'It has ended.');
        },
      },
    });
    const sent = await get(ada, before.id);
    await batches.cancel(ada.id, before.id);
    expect(during).toEqual([expect.objectContaining({ counts: expect.objectContaining({ leftOut: 1 }) })]);
    const revisions = [before, sent, during[0]!].map(({ revision }) => revision);
    expect(revisions).toEqual([...new Set(revisions)].toSorted((one, other) => one - other));
  });

  it('is found by its owner only', async () => {
    const [ada, eve] = [await product.signUp('Ada', 'premium'), await product.signUp('Eve', 'premium')];
    const { id } = await batchOf(ada, ['a.png']);
    const calls: [string, RequestInit?][] = [
      [`/api/batches/${id}`],
      [`/api/batches/${id}`, { method: 'DELETE' }],
      [`/api/batches/${id}/zip`],
      [`/api/batches/${id}/items/1`, { method: 'DELETE' }],
      [`/api/batches/${id}/items/1`, { body: form({ image: { bytes: picture, name: 'a.png' } }) }],
      ['/api/batches/no-id'],
      [`/files/batches/${id}`],
      [`/files/batches/${'x'.repeat(43)}`],
    ];
    for (const [path, options] of calls) expect((await eve.call(path, options)).status).toBe(404);
    for (const n of ['2', 'x', '0', '-1', '1.0', '201', '99999999999'])
      for (const options of [
        { method: 'DELETE' },
        { body: form({ image: { bytes: picture, name: 'a.png' } }) },
      ])
        expect((await ada.call(`/api/batches/${id}/items/${n}`, options)).status).toBe(404);
    expect((await read(await eve.call('/api/batches'))).batches).toEqual([]);
    expect((await get(ada, id)).counts.missing).toBe(1);
  });

  it('is downloaded at most ten times a minute by each user', async () => {
    const ada = await product.signUp('Ada', 'premium');
    const { id } = await batchOf(ada, ['a.png']);
    await send(ada, id, 1);
    const { zip } = await ended(ada, id);
    for (const download of [() => fetch(zip!), () => ada.call(`/api/batches/${id}/zip`)]) {
      const statuses = [];
      for (let i = 0; i < 11; i += 1) statuses.push((await download()).status);
      expect(statuses).toEqual([...Array<number>(10).fill(200), 429]);
    }
    expect((await fetch(zip!, { method: 'HEAD' })).status).toBe(200);
  });

  it('has another link after its owner was signed out, and none while the owner is suspended', async () => {
    const ada = await product.signUp('Ada', 'premium');
    const { id } = await batchOf(ada, ['a.png']);
    await send(ada, id, 1);
    const { zip } = await ended(ada, id);
    const statusOf = async (link: string) => (await fetch(link, { method: 'HEAD' })).status;
    const database = await createDataSource({ url: product.config.databaseUrl }).initialize();
    await signOutEverywhere(database, ada.id);
    await database.destroy();
    expect(await statusOf(zip!)).toBe(404);
    const [batch] = await product.sql(`SELECT zip_key AS key FROM batches WHERE id = $1`, [id]);
    const renewed = zip!.replace(/[^/]+$/, String(batch!['key']));
    expect(await statusOf(renewed)).toBe(200);
    await product.sql(`UPDATE users SET suspended_at = now() WHERE id = $1`, [ada.id]);
    expect(await statusOf(renewed)).toBe(403);
  });

  it('is listed newest first, in pages', async () => {
    const ada = await product.signUp('Ada', 'premium');
    const ids = [];
    for (let i = 0; i < 3; i += 1) ids.unshift((await batchOf(ada, [`${i}.png`])).id);
    const first = await read(await ada.call('/api/batches?limit=2'));
    const second = await read(await ada.call(`/api/batches?limit=2&cursor=${first.nextCursor}`));
    expect([...first.batches, ...second.batches].map(({ id }) => id)).toEqual(ids);
    expect(second.nextCursor).toBeNull();

    for (let i = 4; i <= MAX_OPEN_BATCHES; i += 1) await batchOf(ada, [`${i}.png`]);
    const refused = await create(ada, ['one too many.png']);
    expect([refused.status, (await read(refused)).code]).toEqual([429, 'RATE_LIMITED']);
    await ada.call(`/api/batches/${ids[0]}`, { method: 'DELETE' });
    await batchOf(ada, ['another.png']);
  });

  it('is refused as a whole if a part is invalid', async () => {
    const ada = await product.signUp('Ada', 'premium');
    const post = async (json: object) => {
      const answer = await ada.call('/api/batches', { json });
      return [answer.status, (await read(answer)).message];
    };
    const tool = 'remove-image-background';
    const [item] = itemsOf(['a.png']);
    expect(await post({ tool: 'generate-article', items: [item] })).toEqual([
      400,
      'Choose one of remove-image-background, remove-image-object.',
    ]);
    expect(await post({ tool, items: [] })).toEqual([400, 'Choose 1 to 200 pictures.']);
    expect(await post({ tool, items: [item, item] })).toEqual([400, 'Two pictures have the same id.']);
    expect(await post({ tool, items: [{ ...item, size: 11 * 1024 * 1024 }] })).toEqual([
      400,
      'Images may have up to 10 MB.',
    ]);
    expect(await post({ tool: 'remove-image-object', items: [item] })).toEqual([
      400,
      'Name the object to remove, or paint over it.',
    ]);
    expect(await post({ tool, input: { creation: crypto.randomUUID() }, items: [item] })).toEqual([
      400,
      'Send the pictures of a batch as files.',
    ]);
    const longest = Array.from({ length: 200 }, (_, index) => ({
      ...item,
      id: `${index}`.padStart(100, '猫'),
      name: `${'猫'.repeat(251)}.png`,
    }));
    expect((await post({ tool, items: longest }))[0]).toBe(200);
    const tooLong = [{ ...item, name: 'a'.repeat(256) }];
    expect(await post({ tool, items: tooLong })).toEqual([
      400,
      'The name of a picture may have up to 255 characters.',
    ]);
    expect((await post({ tool, items: [], input: { note: 'a'.repeat(600_000) } }))[0]).toBe(413);
    const { id } = await batchOf(ada, ['a.png']);
    const noFile = await ada.call(`/api/batches/${id}/items/1`, {
      body: form({ creation: crypto.randomUUID() }),
    });
    expect([noFile.status, (await read(noFile)).message]).toEqual([400, 'Choose an image.']);
    const free = await product.signUp('Bob');
    expect((await read(await create(free, ['a.png']))).code).toBe('PREMIUM_REQUIRED');
    expect((await read(await ada.call('/api/batches'))).batches).toHaveLength(2);
  });
});

it('is named by its Idempotency-Key until it has ended, also after 24 hours', async () => {
  const ada = await product.signUp('Ada', 'premium');
  const key = { 'Idempotency-Key': 'once' };
  const ask = async () => (await read(await create(ada, ['one.png'], key))).batch.id;
  const id = await ask();
  await product.sql(`UPDATE batches SET created_at = created_at - interval '2 days' WHERE id = $1`, [id]);
  expect(await ask()).toBe(id);
  closeGate();
  await send(ada, id, 1);
  expect(await ask()).toBe(id);
  gate.open();
  await until('it has ended', async () => (await get(ada, id)).status === 'ended');
  expect(await ask()).not.toBe(id);
});

describe('the credits of a batch', () => {
  it('are charged once for all pictures, or not at all, and refunded for skipped ones', async () => {
    makeFree();
    const ada = await product.signUp();
    const names = (count: number) => Array.from({ length: count }, (_, i) => `${i}.png`);
    const refused = await create(ada, names(31));
    expect([refused.status, (await read(refused)).message]).toEqual([
      402,
      expect.stringContaining('This costs 31 credits, more than you have left'),
    ]);
    expect(await remaining(ada)).toBe(30);

    const key = { 'Idempotency-Key': 'once' };
    const twice = await Promise.all([create(ada, names(4), key), create(ada, names(4), key)]);
    const [one, other] = await Promise.all(twice.map(read));
    expect(one!.batch.id).toBe(other!.batch.id);
    expect((await read(await create(ada, names(5), key))).code).toBe('IDEMPOTENCY_MISMATCH');
    const { id } = one!.batch;
    expect(await remaining(ada)).toBe(26);

    closeGate();
    await send(ada, id, 1);
    await until('it runs', async () => (await get(ada, id)).counts.running === 1);
    const leaveOut = (n: number) => ada.call(`/api/batches/${id}/items/${n}`, { method: 'DELETE' });
    expect((await read(await leaveOut(2))).item.state).toBe('left-out');
    expect((await read(await leaveOut(2))).item.state).toBe('left-out');
    expect((await read(await send(ada, id, 2))).code).toBe('JOB_CANCELLED');
    expect(await remaining(ada)).toBe(27);
    expect((await read(await leaveOut(1))).item.state).toBe('left-out');
    expect(await remaining(ada)).toBe(28);
    gate.open();
    await send(ada, id, 3);
    await until('one is done', async () => (await get(ada, id)).counts.succeeded === 1);
    expect((await read(await leaveOut(3))).code).toBe('JOB_NOT_CANCELLABLE');
    const { batch } = await read(await ada.call(`/api/batches/${id}`, { method: 'DELETE' }));
    expect([batch.status, batch.counts]).toEqual([
      'cancelled',
      expect.objectContaining({ succeeded: 1, leftOut: 3, missing: 0 }),
    ]);
    expect(await remaining(ada)).toBe(29);
    expect(await ledger(ada)).toEqual([
      { name: 'charge', count: 4 },
      { name: 'refund', count: 3 },
    ]);
    expect(batch.zip).not.toBeNull();
  });

  it('are refunded for all waiting pictures at once, and for running ones', async () => {
    makeFree();
    const ada = await product.signUp();
    const { id } = await batchOf(ada, ['a.png', 'b.png', 'c.png', 'd.png', 'e.png']);
    closeGate();
    for (let n = 1; n <= 5; n += 1) await send(ada, id, n);
    const { counts } = await until('two run', async () => {
      const batch = await get(ada, id);
      return batch.counts.running === 2 && batch;
    });
    expect(counts).toMatchObject({ queued: 3 });
    const { batch } = await read(await ada.call(`/api/batches/${id}`, { method: 'DELETE' }));
    expect(batch).toMatchObject({ status: 'cancelled', counts: { cancelled: 5 } });
    expect(await remaining(ada)).toBe(30);
    // One statement has one time.
    const ends = await product.sql(
      `SELECT count(DISTINCT finished_at)::integer AS count FROM jobs WHERE batch_id = $1 AND started_at IS NULL`,
      [id],
    );
    expect(ends).toEqual([{ count: 1 }]);
    gate.open();
  });

  it('are charged again for a retried picture, which replaces the first', async () => {
    makeFree();
    const ada = await product.signUp();
    const { id } = await batchOf(ada, ['a.png', 'b.png']);
    closeGate();
    await send(ada, id, 1);
    await send(ada, id, 2);
    const running = await until('both run', async () => {
      const batch = await get(ada, id);
      return batch.counts.running === 2 && batch;
    });
    const { jobId } = running.items[0]!;
    await ada.call(`/api/jobs/${jobId}`, { method: 'DELETE' });
    gate.open();
    expect((await ended(ada, id)).counts).toMatchObject({ cancelled: 1, succeeded: 1 });
    expect(await remaining(ada)).toBe(29);
    const retries = await Promise.all(
      [1, 2].map(() =>
        ada.call(`/api/jobs/${jobId}/retry`, { method: 'POST', headers: { Prefer: 'respond-async' } }),
      ),
    );
    expect(retries.map(({ status }) => status).sort()).toEqual([202, 409]);
    const done = await until('both are done', async () => {
      const batch = await get(ada, id);
      return batch.counts.succeeded === 2 && batch;
    });
    expect(done.items[0]!.jobId).not.toBe(jobId);
    expect(await remaining(ada)).toBe(28);
    expect(await ledger(ada)).toEqual([
      { name: 'charge', count: 3 },
      { name: 'refund', count: 1 },
    ]);
  });

  it('are charged again for a picture that is uploaded again after it can no longer be retried', async () => {
    makeFree();
    const ada = await product.signUp();
    const { id } = await batchOf(ada, ['a.png']);
    closeGate();
    const { jobId } = (await read(await send(ada, id, 1))).item;
    await until('it runs', async () => (await get(ada, id)).counts.running === 1);
    await ada.call(`/api/jobs/${jobId}`, { method: 'DELETE' });
    gate.open();
    expect((await read(await send(ada, id, 1))).item).toMatchObject({
      jobId,
      state: 'cancelled',
      sendableAgain: false,
    });
    await product.sql(`UPDATE objects SET created_at = now() - interval '1 hour' WHERE job_id = $1`, [jobId]);
    await product.sql(`UPDATE jobs SET finished_at = now() - interval '1 hour' WHERE id = $1`, [jobId]);
    await product.files.sweep();
    const retry = await ada.call(`/api/jobs/${jobId}/retry`, { method: 'POST' });
    expect((await read(retry)).code).toBe('JOB_NOT_RETRYABLE');
    expect((await get(ada, id)).items[0]!.sendableAgain).toBe(true);
    expect(await remaining(ada)).toBe(30);

    const answers = await Promise.all([send(ada, id, 1), send(ada, id, 1)]);
    const [one, other] = await Promise.all(answers.map(read));
    expect(one!.item.jobId).not.toBe(jobId);
    expect(other!.item.jobId).toBe(one!.item.jobId);
    expect((await ended(ada, id)).counts).toMatchObject({ total: 1, succeeded: 1 });
    expect(await remaining(ada)).toBe(29);
    expect(await ledger(ada)).toEqual([
      { name: 'charge', count: 2 },
      { name: 'refund', count: 1 },
    ]);
  });

  it('that nothing was sent for count as storage, are limited, and are deleted after a day', async () => {
    const ada = await product.signUp('Ada', 'premium');
    const storageUsed = async () => {
      const [use] = await product.sql('SELECT inputs::integer AS count FROM storage_use($1)', [ada.id]);
      return use!.count;
    };
    const names = Array.from({ length: 200 }, (_, n) => `${n}${'x'.repeat(200)}.png`);
    const statuses: number[] = [];
    // More than 21 if the minute of the limit ends meanwhile.
    while (statuses.at(-1) !== 429 && statuses.length < 60) {
      const answer = await create(ada, names);
      statuses.push(answer.status);
      expect(answer.headers.get('ratelimit-policy')).toContain('"batches";q=20;w=60');
      if (answer.status !== 200)
        expect((await read(answer)).message).toMatch(/^You are creating batches too fast/);
      // One batch is neither sent nor cancelled.
      else if (statuses.length > 1)
        await ada.call(`/api/batches/${(await read(answer)).batch.id}`, { method: 'DELETE' });
    }
    expect(statuses.at(-1)).toBe(429);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(20);
    expect(await storageUsed()).toBeGreaterThan(20 * 200 * 200);
    await product.sql(`UPDATE batches SET created_at = now() - interval '25 hours' WHERE user_id = $1`, [
      ada.id,
    ]);
    await applyRetention(product.dataSource, product.files, { retentionDays: 90 });
    expect(await storageUsed()).toBe(0);
    expect((await read(await ada.call('/api/batches'))).batches).toEqual([]);
  });

  it('are refunded for pictures not sent in time; old batches are deleted, their creations stay', async () => {
    makeFree();
    const ada = await product.signUp();
    const { id } = await batchOf(ada, ['a.png', 'b.png']);
    await send(ada, id, 1);
    await until('one is done', async () => (await get(ada, id)).counts.succeeded === 1);
    const age = (days: number) =>
      product.sql(`UPDATE batches SET created_at = now() - make_interval(days => $2) WHERE id = $1`, [
        id,
        days,
      ]);
    const published: string[] = [];
    const events: BatchPublishers = {
      batchEvents: { batchChanged: async (batch: string) => void published.push(batch) },
      accountEvents: { accountChanged: async (user: string) => void published.push(user) },
    };
    const retain = () => applyRetention(product.dataSource, product.files, { retentionDays: 90 }, events);
    await age(6);
    await retain();
    expect(await remaining(ada)).toBe(28);
    await age(8);
    await retain();
    expect((await get(ada, id)).counts).toMatchObject({ succeeded: 1, leftOut: 1 });
    expect(published).toEqual([id, ada.id]);
    expect(await remaining(ada)).toBe(29);
    const { creationId } = (await get(ada, id)).items[0]!;

    // Missing pictures of an open batch are refunded before it is deleted.
    const late = await batchOf(ada, ['c.png']);
    const openDays = ({ openUntil, createdAt }: Batch) =>
      (Date.parse(openUntil) - Date.parse(createdAt)) / (24 * 3_600_000);
    const ofShortRetention = new Batches({
      ...{ dataSource: product.dataSource, submission: { onRetry: () => undefined }, ...events },
      ...{
        lifecycle: { cancel: unused, cancelAllWaiting: unused },
        settings: { publicUrl: '', retentionDays: 3 },
      },
      storageQuota: QUOTA,
    });
    expect(openDays(late)).toBe(1);
    expect(openDays(await get(ada, id))).toBe(7);
    expect(openDays(await ofShortRetention.get(ada.id, id))).toBe(3);
    await product.sql(`UPDATE batches SET created_at = now() - interval '91 days' WHERE id = $1`, [late.id]);
    await deleteOldBatches(product.dataSource, 90);
    expect((await get(ada, late.id)).counts.missing).toBe(1);
    await age(91);
    await retain();
    expect((await ada.call(`/api/batches/${late.id}`)).status).toBe(404);
    expect(await remaining(ada)).toBe(29);
    expect((await ada.call(`/api/batches/${id}`)).status).toBe(404);
    expect((await ada.call(`/api/user/creations/${creationId}`)).status).toBe(200);
  });
});

describe('the originals of a batch', () => {
  const storageOf = async (user: SignedInUser) =>
    ((await (await user.call('/api/user/account')).json()) as { storage: { used: number } }).storage.used;
  const bytesOf = async (url: string) => {
    const answer = await fetch(url);
    return answer.ok ? Buffer.from(await answer.arrayBuffer()) : answer.status;
  };
  const finished = async () => {
    const ada = await product.signUp('Ada', 'premium');
    const { id } = await batchOf(ada, ['a.png', 'b.png']);
    await send(ada, id, 1);
    await send(ada, id, 2);
    return { ada, batch: await ended(ada, id) };
  };

  it('are stored and counted until they are deleted, and the results stay', async () => {
    const { ada, batch } = await finished();
    expect(batch.originals).toEqual({ count: 2, bytes: 2 * picture.length });
    await product.files.sweep();
    const [{ original, creationId }] = batch.items as [BatchItem, BatchItem];
    expect(await bytesOf(original!)).toEqual(picture);
    const creation = await ada.call(`/api/user/creations/${creationId}`);
    expect(await creation.json()).toMatchObject({ batch: { id: batch.id, original } });

    await product.files.sweep();
    const before = await storageOf(ada);
    const eve = await product.signUp('Eve', 'premium');
    expect((await eve.call(`/api/batches/${batch.id}/originals`, { method: 'DELETE' })).status).toBe(404);
    const deleted = await read(await ada.call(`/api/batches/${batch.id}/originals`, { method: 'DELETE' }));
    expect(deleted.batch).toMatchObject({ originals: { count: 0, bytes: 0 }, counts: { succeeded: 2 } });
    expect(deleted.batch.items.map((item) => item.original)).toEqual([null, null]);
    expect(await bytesOf(original!)).toBe(404);
    await product.files.sweep();
    expect(before - (await storageOf(ada))).toBe(2 * picture.length);
    expect(await bytesOf(batch.items[0]!.content!)).toBeInstanceOf(Buffer);
  });

  it('are deleted with the batch, and each with its result', async () => {
    const { ada, batch } = await finished();
    const [one, other] = batch.items as [BatchItem, BatchItem];
    await ada.call(`/api/user/creations/${one.creationId}`, { method: 'DELETE' });
    expect(await bytesOf(one.original!)).toBe(404);
    expect(await bytesOf(other.original!)).toEqual(picture);
    await product.sql(`DELETE FROM batches WHERE id = $1`, [batch.id]);
    await product.files.sweep();
    expect(await bytesOf(other.original!)).toBe(404);
    expect(await (await ada.call(`/api/user/creations/${other.creationId}`)).json()).toMatchObject({
      batch: null,
    });
  });

  it('stay originals when a version of the result is saved', async () => {
    const { ada, batch } = await finished();
    const [{ creationId }] = batch.items as [BatchItem, BatchItem];
    const saved = await ada.call(`/api/user/creations/${creationId}/versions`, {
      body: form({ base: creationId!, label: 'Smaller', image: { bytes: picture, name: 'a.png' } }),
    });
    expect(saved.status).toBe(200);
    expect((await get(ada, batch.id)).originals.count).toBe(2);
  });
});

describe('the name of a picture', () => {
  it('is deleted with its creation, and the batch with the last one', async () => {
    const ada = await product.signUp('Ada', 'premium');
    const { id } = await batchOf(ada, ['secret.png', 'other.png']);
    await send(ada, id, 1);
    await send(ada, id, 2);
    const { items } = await ended(ada, id);
    const forget = async (item: BatchItem) => {
      await ada.call(`/api/user/creations/${item.creationId}`, { method: 'DELETE' });
      await product.sql(`UPDATE creations SET deleted_at = now() - interval '2 days' WHERE id = $1`, [
        item.creationId,
      ]);
      await applyRetention(product.dataSource, product.files, { retentionDays: 90 });
    };
    await forget(items[0]!);
    expect((await get(ada, id)).items.map(({ name }) => name)).toEqual(['', 'other.png']);
    await forget(items[1]!);
    expect((await ada.call(`/api/batches/${id}`)).status).toBe(404);
  });
});

describe('a batch of a deleted account', () => {
  it('is deleted with the account', async () => {
    const ada = await product.signUp('Ada', 'premium');
    const before = product.stored().length;
    const { id } = await batchOf(ada, ['a.png', 'b.png']);
    await send(ada, id, 1);
    await until('one is done', async () => (await get(ada, id)).counts.succeeded === 1);
    await ada.call('/api/user/account', { method: 'DELETE', json: { password: PASSWORD } });
    for (const table of ['batches', 'batch_items', 'jobs'])
      expect(
        await product.sql(
          `SELECT id::text AS name FROM (SELECT ${table === 'batch_items' ? 'batch_id' : 'id'} AS id, t::text AS row FROM ${table} t) x
           WHERE position($1 IN row) > 0`,
          [id],
        ),
      ).toEqual([]);
    await product.files.sweep();
    expect(product.stored().length).toBeLessThanOrEqual(before);
  });
});
