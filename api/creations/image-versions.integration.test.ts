import { beforeEach, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { deleteExpiredCreations } from '#libs/creations/deleted-results.js';
import { collectCreationChanges, creationRequests } from '../../test/support/creation-requests.ts';
import { form, json, type SignedInUser, useInProcessProduct } from '../../test/support/in-process-product.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';
import { until } from '../../test/support/until.ts';

allowTimeForPrograms();

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

const MAX_VERSIONS = 100;
const product = useInProcessProduct({ RATE_LIMIT_VERSIONS: `${MAX_VERSIONS}` });
let ada: SignedInUser;
let bob: SignedInUser;
const { draw, creations, remove, restore } = creationRequests(() => ada);

beforeEach(async () => {
  [ada, bob] = await Promise.all([product.signUp('Ada <b>Lovelace</b>'), product.signUp('Bob')]);
});

describe('the versions of an image', () => {
  const picture = (width: number, background = 'tomato') =>
    sharp({ create: { width, height: 30, channels: 4, background } });
  const png = (width: number, background?: string) => picture(width, background).png().toBuffer();
  const versionsOf = async (id: string, client = ada) =>
    (await json(await client.call(`/api/user/creations/${id}/versions`))).versions;
  const save = async (
    id: string,
    {
      base = id,
      width = 40,
      key = '',
      client = ada,
      label = 'Edited',
      image = undefined as Buffer | undefined,
    },
  ) =>
    client.call(`/api/user/creations/${id}/versions`, {
      body: form({
        label,
        base,
        cutOut: 'true',
        image: { bytes: image ?? (await png(width)), name: 'edited.png' },
      }),
      headers: key ? { 'Idempotency-Key': key } : {},
    });
  const saved = async (id: string, options: Parameters<typeof save>[1]) =>
    (await json(await save(id, options))).version;
  const change = (id: string, version: string, what: 'restore' | 'delete', client = ada) =>
    client.call(`/api/user/creations/${id}/versions/${version}${what === 'restore' ? '/restore' : ''}`, {
      method: what === 'restore' ? 'POST' : 'DELETE',
    });
  const widthOf = async (url: string) =>
    (await sharp(await (await fetch(url)).arrayBuffer()).metadata()).width;

  it('begin with the generated image, which stays; the newest is shown, downloaded and published', async () => {
    const { creationId: id, content } = await draw('a fox', true);
    expect(await versionsOf(id)).toEqual([
      expect.objectContaining({
        ...{ id, number: 1, content, type: 'image/png', width: 64, height: 48 },
        ...{ original: true, current: true, label: 'As it was made' },
      }),
    ]);
    const answer = await json(await save(id, { label: '  On red ' }));
    expect(answer.creation.content).toBe(answer.version.content);
    expect(answer.creation.thumbnail).toBe(answer.version.thumbnail);
    expect(answer.version).toMatchObject({
      number: 2,
      label: 'On red',
      width: 40,
      height: 30,
      current: true,
      cutOut: true,
    });
    const [second, first] = await versionsOf(id);
    expect([second, first?.content, first?.current]).toEqual([answer.version, content, false]);

    const page = `${product.origin}/c/${id}`;
    expect(await widthOf(`${page}/image`)).toBe(40);
    expect(await widthOf((await creations()).creations[0]!.content)).toBe(40);
    const community = await json(await bob.call('/api/user/get-published-creations'));
    expect(JSON.stringify(community)).toContain(id);
    expect(await widthOf(content)).toBe(64);

    const restored = await json(await change(id, id, 'restore'));
    expect(restored.creation.content).toBe(content);
    expect(restored.version).toMatchObject({ id, current: true });
    expect(await widthOf(`${page}/image`)).toBe(64);
    expect(await widthOf(`${page}/thumbnail`)).toBe(32);
    expect((await versionsOf(id)).map(({ current }) => current)).toEqual([false, true]);
  });

  it('are refused if the current version has changed, and saved once per key', async () => {
    const { creationId: id } = await draw();
    const first = await saved(id, { key: 'a' });
    const before = product.stored().length;
    const stale = await save(id, { base: id });
    expect(stale.status).toBe(412);
    expect(await json(stale)).toMatchObject({ code: 'VERSION_CONFLICT', details: { current: first.id } });
    expect(await saved(id, { key: 'a' })).toEqual(first);
    for (const other of [{ label: 'Another' }, { width: 41 }, { base: first.id }]) {
      const mismatch = await save(id, { key: 'a', ...other });
      expect([mismatch.status, (await json(mismatch)).code]).toEqual([422, 'IDEMPOTENCY_MISMATCH']);
    }
    const twice = await Promise.all([1, 2, 3].map(() => saved(id, { base: first.id, key: 'b' })));
    expect(new Set(twice.map((version) => version.id)).size).toBe(1);
    const rivals = await Promise.all([1, 2, 3].map(() => save(id, { base: twice[0]!.id })));
    expect(rivals.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
    expect(product.stored()).toHaveLength(before + 4);
    expect(product.spooled()).toEqual([]);
  });

  it('are re-encoded upright and without metadata or hidden data, a PNG with the same pixels', async () => {
    const { creationId: id } = await draw();
    const image = await picture(40)
      .withMetadata({ orientation: 6, exif: { IFD0: { Copyright: 'private words' } } })
      .jpeg()
      .toBuffer();
    const version = await saved(id, { image });
    expect(version).toMatchObject({ type: 'image/jpeg', width: 30, height: 40 });
    const bytesOf = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer());
    expect((await bytesOf(version.content!)).includes('private words')).toBe(false);

    const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 };
    const noisy = sharp({ create: { width: 20, height: 30, channels: 4, background: '#0008', noise } });
    const jpeg = await noisy.clone().jpeg().toBuffer();
    const segment = (marker: number) => Buffer.from([0xff, marker, 0, 15, ...Buffer.from('private words')]);
    const hiding = Buffer.concat([
      ...[jpeg.subarray(0, 2), segment(0xfe), segment(0xeb), jpeg.subarray(2)],
      Buffer.from('private words'),
    ]);
    const lossless = await noisy.png().toBuffer();
    let base = version.id;
    for (const sent of [hiding, lossless]) {
      const next = await saved(id, { base, image: sent });
      const bytes = await bytesOf(next.content!);
      expect(bytes.includes('private words')).toBe(false);
      base = next.id;
      if (sent === hiding) continue;
      const [before, after] = await Promise.all([sent, bytes].map((file) => sharp(file).raw().toBuffer()));
      expect(after).toEqual(before);
    }
  });

  it('are deleted one by one, except the first and the current one', async () => {
    const { creationId: id } = await draw();
    const seen = await collectCreationChanges(product, ada);
    const one = await saved(id, {});
    const two = await saved(id, { base: one.id });
    for (const version of [id, two.id]) expect((await change(id, version, 'delete')).status).toBe(403);
    expect((await change(id, one.id, 'delete')).status).toBe(200);
    expect((await fetch(one.content!)).status).toBe(404);
    expect((await change(id, one.id, 'delete')).status).toBe(404);
    expect((await change(id, one.id, 'restore')).status).toBe(404);
    expect((await saved(id, { base: two.id })).number).toBe(4);
    expect((await versionsOf(id)).map(({ number }) => number)).toEqual([4, 3, 1]);
    await until('three saves and a deletion to be published', () => seen.ids.length === 4);
    seen.close();
  });

  it('are limited: the oldest one that is not current is deleted', async () => {
    const { creationId: id } = await draw();
    const first = await saved(id, {});
    await product.sql(
      `INSERT INTO creation_versions (id, creation_id, number, label, is_current, is_cut_out, content)
       SELECT gen_random_uuid(), creation_id, number + n, label, false, false, content
       FROM creation_versions, generate_series(1, 19) AS n WHERE id = $1`,
      [first.id],
    );
    expect(await versionsOf(id)).toHaveLength(21);
    await saved(id, { base: first.id });
    const numbers = (await versionsOf(id)).map(({ number }) => number);
    expect([numbers.length, numbers[0], numbers.at(-2), numbers.at(-1)]).toEqual([21, 22, 3, 1]);
  });

  it('are private, exist for images only, and are deleted with their creation', async () => {
    const { creationId: id } = await draw();
    const version = await saved(id, {});
    for (const answer of [
      await bob.call(`/api/user/creations/${id}/versions`),
      await save(id, { base: version.id, client: bob }),
      await change(id, id, 'restore', bob),
      await change(id, id, 'delete', bob),
      await change(id, UNKNOWN, 'restore'),
      await change(id, 'nonsense', 'delete'),
    ]) {
      expect(answer.status).toBe(404);
    }
    const { creationId: text } = await json(
      await ada.call('/api/ai/generate-article', { json: { prompt: 'Tea', length: 800 } }),
    );
    expect((await ada.call(`/api/user/creations/${text}/versions`)).status).toBe(200);
    expect((await save(text, {})).status).toBe(403);

    const { content: first } = (await versionsOf(id))[1]!;
    await remove(id);
    for (const url of [first!, version.content!]) expect((await fetch(url)).status).toBe(404);
    expect((await save(id, { base: version.id })).status).toBe(404);
    await restore(id);
    for (const url of [first!, version.content!]) expect((await fetch(url)).status).toBe(200);
    await remove(id);
    await product.sql(`UPDATE creations SET deleted_at = now() - interval '25 hours' WHERE id = $1`, [id]);
    await deleteExpiredCreations(product.dataSource);
    await product.files.sweep();
    expect(await product.sql(`SELECT id FROM creation_versions WHERE creation_id = $1`, [id])).toEqual([]);
    const keys = (await product.sql(`SELECT key FROM objects`)).map(({ key }) => key);
    for (const url of [first!, version.content!]) {
      expect(keys).not.toContain(url.slice(-43));
      expect(product.stored()).not.toContain(url.slice(-43));
    }
  });

  it('count as storage, and need free space', async () => {
    const { creationId: id } = await draw();
    const used = async () => (await json(await ada.call('/api/user/account'))).storage.used;
    const before = await used();
    const image = await png(400);
    const version = await saved(id, { image });
    const after = await used();
    expect(after - before).toBeGreaterThanOrEqual(image.length);
    await product.sql(`UPDATE objects SET bytes = 101 * 1024 * 1024 WHERE key = $1`, [
      version.content!.slice(-43),
    ]);
    const answer = await save(id, { base: version.id });
    expect([answer.status, (await json(answer)).code]).toEqual([409, 'STORAGE_FULL']);
    expect(product.spooled()).toEqual([]);
  });

  it('are refused if they are no image, hostile, or badly named', async () => {
    const { creationId: id } = await draw();
    const noise = await sharp({
      create: {
        width: 200,
        height: 200,
        channels: 3,
        background: 'red',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .png()
      .toBuffer();
    for (const [image, code] of [
      [Buffer.from('<svg onload="alert(1)"/>'), 'UNSUPPORTED_FILE'],
      [noise.subarray(0, noise.length / 2), 'UNREADABLE_IMAGE'],
      [
        await sharp({ create: { width: 6_000, height: 5_000, channels: 3, background: 'red' } })
          .png()
          .toBuffer(),
        'UNREADABLE_IMAGE',
      ],
    ] as const) {
      expect((await json(await save(id, { image }))).code).toBe(code);
    }
    for (const options of [{ label: ' ' }, { label: 'x'.repeat(81) }, { base: 'none' }])
      expect((await save(id, options)).status).toBe(400);
    expect(await versionsOf(id)).toHaveLength(1);
    expect(product.spooled()).toEqual([]);

    const statuses = new Set<number>();
    const path = `/api/user/creations/${id}/versions`;
    for (let n = 0; n < MAX_VERSIONS; n += 1)
      statuses.add((await ada.call(path, { method: 'POST', json: {} })).status);
    expect(statuses).toEqual(new Set([400, 429]));
    const refused = await save(id, {});
    expect([refused.status, (await json(refused)).code]).toEqual([429, 'RATE_LIMITED']);
    expect((await save(id, { client: bob })).status).toBe(404);
  });
});
