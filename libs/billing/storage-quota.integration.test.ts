import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openJobPlatform, type JobPlatform } from '../../test/support/job-platform.js';
import { reclaimStorage } from '#libs/creations/deleted-results.js';
import { readAccount } from './account.js';
import { requireRoomForFile } from './storage-quota.js';

const KB = 1024;
const MB = 1024 * KB;
const storageQuota = { free: 10 * MB, premium: 100 * MB };

let platform: JobPlatform;
beforeAll(async () => {
  platform = await openJobPlatform({ storageQuota });
});
afterAll(() => platform?.close());

const upload = (userId: string, bytes: number) =>
  platform.files.add({
    userId,
    kind: 'upload',
    type: 'application/pdf',
    name: 'cv.pdf',
    content: Buffer.alloc(bytes),
  });
const submitWithFile = async (userId: string, bytes: number, more = {}) =>
  platform.submit(userId, {
    tool: 'resume-review',
    input: {},
    files: { resume: await upload(userId, bytes) },
    ...more,
  });
const storage = async (userId: string) =>
  (await readAccount(platform.dataSource, userId, storageQuota))!.storage;

/** Creates an image creation like a job does. */
async function makeImage(userId: string, bytes: number): Promise<string> {
  const { id } = await platform.submit(userId);
  await platform.lifecycle.claim(id, 10);
  const keep = () =>
    platform.files.add({
      ...{ userId, jobId: id, kind: 'image', type: 'image/png', name: '', content: Buffer.alloc(bytes / 2) },
      requireRoom: (transaction) =>
        requireRoomForFile(transaction, storageQuota, userId, bytes / 2, reclaimStorage),
    });
  const [image, thumbnail] = [await keep(), await keep()];
  await platform.lifecycle.succeed(
    { jobId: id, attempt: 1 },
    {
      result: { engine: 'offline' },
      creation: {
        type: 'image',
        prompt: 'fox',
        content: '',
        files: { image: { key: image, path: '' }, thumbnail: { key: thumbnail, path: '' } },
      },
    },
  );
  const [creation] = await platform.sql<{ id: string }>('SELECT id FROM creations WHERE job_id = $1', [id]);
  return creation!.id;
}
const deleteCreation = (id: string) =>
  platform.sql(`UPDATE creations SET deleted_at = now() WHERE id = $1`, [id]);
const creationsOf = async (userId: string) =>
  (await platform.sql<{ id: string }>('SELECT id FROM creations WHERE user_id = $1', [userId])).map(
    ({ id }) => id,
  );

describe('the storage of a user', () => {
  it('counts uploads, results, documents, pictures and texts, and is bounded by the plan', async () => {
    const [ada, premium] = [await platform.user(), await platform.user('premium')];
    expect(await storage(ada)).toEqual({ used: 0, limit: 10 * MB });
    expect((await storage(premium)).limit).toBe(100 * MB);
    await submitWithFile(ada, 1 * MB);
    await makeImage(ada, 2 * MB);
    for (const kind of ['document', 'picture'] as const)
      await platform.files.add({ userId: ada, kind, type: '', name: '', content: Buffer.alloc(MB) });
    const { used } = await storage(ada);
    expect(used).toBeGreaterThan(5 * MB);
    expect(used).toBeLessThan(5 * MB + 10 * KB);
  });

  it('counts the input of a text, its versions, and its shared copy', async () => {
    const ada = await platform.user();
    const id = randomUUID();
    // Random text, since the database compresses texts, and storage use counts the compressed size.
    const jobDescription = randomBytes(20 * KB).toString('base64');
    await platform.sql(
      `INSERT INTO creations (id, user_id, tool, type, prompt, content, engine, settings)
       VALUES ($1, $2, 'cover-letter', 'cover-letter', '', 'A letter', 'offline', $3)`,
      [id, ada, { jobDescription }],
    );
    const made = (await storage(ada)).used;
    expect(made).toBeGreaterThan(20 * KB);
    await platform.sql(
      `INSERT INTO creation_versions (id, creation_id, number, label, is_current, is_cut_out, content)
       SELECT gen_random_uuid(), $1, n, 'Edited', n = 21, false, repeat('x', 10240) FROM generate_series(1, 21) n`,
      [id],
    );
    await platform.sql(`INSERT INTO creation_shares (token, creation_id, content) VALUES ($1, $2, $3)`, [
      randomUUID(),
      id,
      'x'.repeat(10 * KB),
    ]);
    await platform.sql(`UPDATE creations SET content_revision = 21 WHERE id = $1`, [id]);
    expect((await storage(ada)).used).toBe(made + 220 * KB);
    await deleteCreation(id);
    expect(await storage(ada)).toMatchObject({ used: 0 });
  });

  it('is not exceeded by simultaneous submissions, which are not charged when refused', async () => {
    const ada = await platform.user();
    const keys = await Promise.all(Array.from({ length: 20 }, () => upload(ada, 2 * MB)));
    const outcomes = await Promise.allSettled(
      keys.map((resume) => platform.submit(ada, { tool: 'resume-review', input: {}, files: { resume } })),
    );
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(refused).toHaveLength(16);
    for (const { reason } of refused)
      expect(reason).toMatchObject({
        code: 'STORAGE_FULL',
        status: 409,
        message: expect.stringMatching(/8\.\d MB of 10 MB are in use.*2\.1 MB.*Delete creations/) as unknown,
        details: { limit: 10 * MB },
      });
    expect(await platform.remaining(ada)).toBe(26);
    expect((await storage(ada)).used).toBeLessThanOrEqual(10 * MB);
  });

  it('answers a repeated request even if it is full', async () => {
    const ada = await platform.user();
    const first = await submitWithFile(ada, 6 * MB, { idempotencyKey: 'once' });
    expect((await submitWithFile(ada, 6 * MB, { idempotencyKey: 'once' })).id).toBe(first.id);
    await expect(submitWithFile(ada, 6 * MB)).rejects.toMatchObject({ code: 'STORAGE_FULL' });
  });

  it('counts the upload of a job until it succeeds, unless an earlier job may be tried again with it', async () => {
    const ada = await platform.user();
    const succeed = async (jobId: string) => {
      await platform.lifecycle.claim(jobId, 10);
      const outcome = { result: { engine: 'offline' as const }, creation: null };
      expect(await platform.lifecycle.succeed({ jobId, attempt: 1 }, outcome)).toBe(true);
    };
    for (let round = 0; round < 3; round += 1) await succeed((await submitWithFile(ada, 8 * MB)).id);
    expect((await storage(ada)).used).toBeLessThan(KB);

    const { id } = await submitWithFile(ada, 4 * MB);
    await platform.lifecycle.cancel(ada, id);
    await succeed((await platform.submission.retry(ada, id)).id);
    expect((await storage(ada)).used).toBeGreaterThan(4 * MB);
    await platform.submission.retry(ada, id);
  });

  it('counts the uploads of cancelled jobs until they are deleted, and those of a retry once', async () => {
    const ada = await platform.user();
    const { id } = await submitWithFile(ada, 4 * MB);
    await platform.lifecycle.cancel(ada, id);
    const again = await platform.submission.retry(ada, id);
    await platform.lifecycle.cancel(ada, again.id);
    expect((await storage(ada)).used).toBeLessThan(4 * MB + KB);
    const other = await submitWithFile(ada, 4 * MB);
    await platform.lifecycle.cancel(ada, other.id);
    await expect(submitWithFile(ada, 4 * MB)).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    await platform.sql(`UPDATE jobs SET finished_at = now() - interval '50 minutes' WHERE user_id = $1`, [
      ada,
    ]);
    await platform.sql(`UPDATE objects SET created_at = now() - interval '2 hours' WHERE user_id = $1`, [
      ada,
    ]);
    await platform.files.sweep();
    expect((await storage(ada)).used).toBeLessThan(KB);
    await submitWithFile(ada, 4 * MB);
  });

  it('reserves room for the images of unfinished jobs', async () => {
    const ada = await platform.user('premium');
    const generate = () =>
      platform.submit(ada, { tool: 'generate-image', input: { prompt: 'A fox', size: '1024x1024' } });
    for (let i = 0; i < 24; i += 1) await generate();
    await expect(generate()).rejects.toMatchObject({ code: 'STORAGE_FULL' });
  });

  it('is not exceeded by a result', async () => {
    const ada = await platform.user();
    await makeImage(ada, 8 * MB);
    await expect(makeImage(ada, 8 * MB)).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    expect((await storage(ada)).used).toBeLessThan(10 * MB);
  });

  it('has room again after deletions, which are hidden at once and purged when needed', async () => {
    const ada = await platform.user();
    const [old, kept] = [await makeImage(ada, 4 * MB), await makeImage(ada, 4 * MB)];
    await expect(submitWithFile(ada, 4 * MB)).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    await deleteCreation(old);
    expect((await storage(ada)).used).toBeLessThan(4 * MB + 20 * KB);
    await submitWithFile(ada, 1 * MB);
    expect(await creationsOf(ada)).toHaveLength(2);
    await submitWithFile(ada, 4 * MB);
    expect(await creationsOf(ada)).toEqual([kept]);
    expect((await storage(ada)).used).toBeLessThan(9 * MB + 30 * KB);
  });

  it('counts originals of batches, and deletes them when their room is needed', async () => {
    const ada = await platform.user();
    const creation = await makeImage(ada, 2 * MB);
    const key = await platform.files.add({
      ...{ userId: ada, kind: 'original', type: 'image/png', name: '', content: Buffer.alloc(5 * MB) },
    });
    await platform.sql(`UPDATE objects SET creation_id = $2 WHERE key = $1`, [key, creation]);
    const originals = () => platform.sql(`SELECT FROM objects WHERE key = $1 AND removed_at IS NULL`, [key]);
    expect((await storage(ada)).used).toBeGreaterThan(7 * MB);
    await submitWithFile(ada, 1 * MB);
    expect(await originals()).toHaveLength(1);
    await submitWithFile(ada, 4 * MB);
    expect(await originals()).toHaveLength(0);
    expect(await creationsOf(ada)).toEqual([creation]);
  });

  it('purges nothing if that would not make enough room', async () => {
    const ada = await platform.user();
    const [small, large] = [await makeImage(ada, 1 * MB), await makeImage(ada, 8 * MB)];
    await deleteCreation(small);
    await expect(submitWithFile(ada, 4 * MB)).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    expect((await creationsOf(ada)).sort()).toEqual([small, large].sort());
  });

  it('is cached for a user with many creations, and counted again for files or if little is free', async () => {
    const ada = await platform.user('premium');
    await platform.sql(
      `INSERT INTO creations (id, user_id, tool, type, prompt, content, engine)
       SELECT gen_random_uuid(), $1, 'generate-article', 'article', 'About rivers', 'A text', 'offline' FROM generate_series(1, 1000)`,
      [ada],
    );
    await platform.submit(ada);
    await upload(ada, 1);
    // Use up the whole quota.
    await platform.sql(`UPDATE objects SET kind = 'image', bytes = $2 WHERE user_id = $1`, [ada, 100 * MB]);
    await platform.submit(ada);
    await expect(submitWithFile(ada, 6 * MB)).rejects.toMatchObject({ code: 'STORAGE_FULL' });
  });

  it('is counted again for a user whose texts fill it', async () => {
    const ada = await platform.user('premium');
    await platform.sql(
      `INSERT INTO creations (id, user_id, tool, type, prompt, content, engine)
       SELECT gen_random_uuid(), $1, 'generate-article', 'article', 'About rivers', 'A text', 'offline' FROM generate_series(1, 1000)`,
      [ada],
    );
    await platform.submit(ada);
    await platform.sql(
      `UPDATE creations SET content = repeat('x', 100000) WHERE user_id = $1 AND id IN (
         SELECT id FROM creations WHERE user_id = $1 LIMIT 999)`,
      [ada],
    );
    // The quota of 100 MB is used up again.
    await platform.submit(ada);
    await expect(submitWithFile(ada, 6 * MB)).rejects.toMatchObject({ code: 'STORAGE_FULL' });
  });

  it('refuses uploads, but deletes nothing, when a larger plan has ended', async () => {
    const ada = await platform.user('premium');
    await makeImage(ada, 20 * MB);
    await platform.sql(`UPDATE users SET plan = 'free' WHERE id = $1`, [ada]);
    await expect(platform.submit(ada)).rejects.toMatchObject({ code: 'STORAGE_FULL' });
    expect(await creationsOf(ada)).toHaveLength(1);
    expect(await storage(ada)).toMatchObject({ limit: 10 * MB });
  });
});
