import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { io } from 'socket.io-client';
import { MAX_SOURCES_LISTED } from '#libs/contract/creations.js';
import { deleteExpiredCreations } from '#libs/jobs/deleted-results.js';
import { form, json, type FileClient } from '../../test/support/file-product.ts';
import { closeGate, gate } from '../../test/support/file-tools.ts';
import { until } from '../../test/support/until.ts';
import { useFileProduct } from '../../test/support/use-file-product.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';

allowTimeForPrograms();

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

const MAX_VERSIONS = 100;
const product = useFileProduct({ RATE_LIMIT_VERSIONS: `${MAX_VERSIONS}` });
let ada: FileClient;
let bob: FileClient;

beforeEach(async () => {
  [ada, bob] = await Promise.all([product.signUp('Ada <b>Lovelace</b>'), product.signUp('Bob')]);
});

const draw = async (object = 'a fox', publish = false) =>
  json(await ada.call('/api/ai/probe-image', { json: { object, publish } }));
const creations = async (client = ada, query = '') =>
  json(await client.call(`/api/user/get-user-creations${query}`));
const publish = (id: string, fields?: object, client = ada) =>
  client.call(`/api/user/creations/${id}/publish`, { method: 'POST', ...(fields && { json: fields }) });
/** The ids of the creations that a user's open page is told to read again. */
async function changesSeenBy({ token }: FileClient) {
  const ids: string[] = [];
  const socket = io(product.origin, { transports: ['websocket'], auth: { token } });
  socket.on('creation', (change: { id: string }) => ids.push(change.id));
  await until('the socket', () => socket.connected);
  return { ids, close: () => void socket.close() };
}
const remove = (id: string, client = ada) => client.call(`/api/user/creations/${id}`, { method: 'DELETE' });
const restore = (id: string, client = ada) =>
  client.call(`/api/user/creations/${id}/restore`, { method: 'POST' });

describe('a creation', () => {
  it('is listed with addresses of its image and thumbnail, made on reading', async () => {
    const made = await draw();
    const { creations: list, nextCursor } = await creations();
    expect(list).toEqual([
      expect.objectContaining({
        id: made.creationId,
        type: 'image',
        prompt: 'a fox',
        content: made.content,
        published: false,
        page: null,
        likes: [],
        jobId: made.jobId,
      }),
    ]);
    expect(nextCursor).toBeNull();
    const thumbnail = await fetch(list[0]?.thumbnail ?? '');
    expect(await sharp(await thumbnail.arrayBuffer()).metadata()).toMatchObject({
      format: 'webp',
      width: 32,
    });
    const [stored] = await product.sql(`SELECT content FROM creations WHERE id = $1`, [made.creationId]);
    expect(stored?.content).toMatch(/^\/files\/[\w-]{43}$/);
  });

  it('is listed in pages to whoever asks for pages', async () => {
    for (const object of ['one', 'two', 'three']) await draw(object);
    const first = await creations(ada, '?limit=2');
    const second = await creations(ada, `?limit=2&cursor=${first.nextCursor}`);
    expect([...first.creations, ...second.creations].map(({ prompt }) => prompt)).toEqual([
      'three',
      'two',
      'one',
    ]);
    expect(second.nextCursor).toBeNull();
    expect((await ada.call('/api/user/get-user-creations?cursor=nonsense')).status).toBe(400);
    expect((await ada.call('/api/user/get-user-creations?limit=0')).status).toBe(400);
  });

  it('is found by words of its prompt or its text, by its type, and counted', async () => {
    for (const object of ['a red fox', 'a 100% blue hare', 'a fox_hole']) await draw(object);
    await product.sql(
      `INSERT INTO creations (id, user_id, tool, type, prompt, content, engine)
       VALUES (gen_random_uuid(), $1, 'generate-article', 'article', 'Winter', 'A RED Fox sleeps.', 'offline')`,
      [ada.id],
    );
    const found = async (query: string) => {
      const { creations: list, ...rest } = await creations(ada, query);
      return { ...rest, prompts: list.map(({ prompt }) => prompt) };
    };
    expect(await found('?search=fox%20red')).toMatchObject({
      prompts: ['Winter', 'a red fox'],
      total: 4,
      counts: { article: 1, image: 1 },
    });
    expect(await found('?search=fox&type=image&sort=oldest')).toMatchObject({
      prompts: ['a red fox', 'a fox_hole'],
      counts: { article: 1, image: 2 },
    });
    expect((await found('?search=100%25')).prompts).toEqual(['a 100% blue hare']);
    expect((await found('?search=x_h')).prompts).toEqual(['a fox_hole']);
    // Where an image lies is no text of its user's.
    expect((await found('?search=files')).prompts).toEqual([]);
    const { nextCursor } = await found('?sort=oldest&limit=2');
    expect((await found(`?sort=oldest&limit=2&cursor=${nextCursor}`)).prompts).toEqual([
      'a fox_hole',
      'Winter',
    ]);
    expect((await creations(bob, '?search=fox')).creations).toEqual([]);
    expect((await ada.call(`/api/user/get-user-creations?search=${'x'.repeat(201)}`)).status).toBe(400);
    expect((await ada.call('/api/user/get-user-creations?sort=random')).status).toBe(400);
  });

  it('goes at once when deleted, comes back as it was within a day, and then not any more', async () => {
    const { creationId: id, content } = await draw('kept', true);
    const [own, others] = [await changesSeenBy(ada), await changesSeenBy(bob)];
    expect((await json(await remove(id))).restorableUntil).toMatch(/Z$/);
    expect((await remove(id)).status).toBe(200);
    expect((await creations()).creations).toEqual([]);
    for (const url of [
      content,
      `${product.origin}/c/${id}`,
      `${product.origin}/c/${id}/image`,
      `${product.origin}/c/${id}/thumbnail`,
    ]) {
      expect((await fetch(url)).status).toBe(404);
    }
    expect((await publish(id)).status).toBe(404);

    const { creation } = await json(await restore(id));
    expect(creation).toMatchObject({ id, content, published: true });
    expect((await fetch(content)).status).toBe(200);
    expect((await fetch(creation.page ?? '')).status).toBe(200);

    expect((await publish(id, { publish: false })).status).toBe(200);
    await remove(id);
    await product.sql(`UPDATE creations SET deleted_at = now() - interval '25 hours' WHERE id = $1`, [id]);
    expect((await restore(id)).status).toBe(404);
    expect((await remove(id)).status).toBe(404);
    await until('each change to be published', () => own.ids.length === 5);
    expect(new Set(own.ids)).toEqual(new Set([id]));
    expect(others.ids).toEqual([]);
    own.close();
    others.close();
  });

  it('is read alone by its owner, and by nobody once it is deleted', async () => {
    const { creationId } = await draw('a heron');
    const read = (id: string, client = ada) => client.call(`/api/user/creations/${id}`);
    expect((await json(await read(creationId))).creation).toMatchObject({
      id: creationId,
      prompt: 'a heron',
    });
    for (const [id, client] of [
      [creationId, bob],
      ['00000000-0000-4000-8000-000000000000', ada],
      ['nonsense', ada],
    ] as const) {
      expect((await read(id, client)).status).toBe(404);
    }
    await remove(creationId);
    expect((await read(creationId)).status).toBe(404);
  });

  it('is nobody else’s to delete, restore or publish', async () => {
    const { creationId } = await draw();
    for (const id of [creationId, UNKNOWN, 'no-id']) {
      for (const answer of [await remove(id, bob), await restore(id, bob), await publish(id, {}, bob)]) {
        expect(answer.status).toBe(404);
        expect((await json(answer)).code).toBe('NOT_FOUND');
      }
    }
    expect((await creations()).creations).toHaveLength(1);
  });
});

describe('publishing', () => {
  it('shows an image at addresses that are not its owner’s, until it is withdrawn', async () => {
    const { creationId: id, content } = await draw();
    const page = `${product.origin}/c/${id}`;
    expect((await fetch(page)).status).toBe(404);
    expect((await fetch(`${page}/image`)).status).toBe(404);

    const { creation } = await json(await publish(id));
    expect(creation).toMatchObject({ published: true, page });
    const image = await fetch(`${page}/image`);
    expect(image.status).toBe(200);
    expect(image.headers.get('cache-control')).toBe('public, max-age=60, must-revalidate');
    expect(image.headers.get('content-type')).toBe('image/png');
    expect((await fetch(`${page}/thumbnail`)).headers.get('content-type')).toBe('image/webp');
    const html = await (await fetch(page)).text();
    expect(html).not.toContain(new URL(content).pathname);
    expect(html).not.toContain(ada.id);

    expect((await json(await publish(id, { publish: false }))).creation).toMatchObject({
      published: false,
      page: null,
    });
    for (const url of [page, `${page}/image`, `${page}/thumbnail`])
      expect((await fetch(url)).status).toBe(404);
    expect((await fetch(content)).status).toBe(200);
  });

  it('can be asked for with the request', async () => {
    const { creationId } = await draw('public from the start', true);
    expect((await fetch(`${product.origin}/c/${creationId}`)).status).toBe(200);
  });

  it('is for images only', async () => {
    const { creationId } = await json(
      await ada.call('/api/ai/generate-article', { json: { prompt: 'Tea', length: 800 } }),
    );
    const answer = await publish(creationId);
    expect(answer.status).toBe(403);
    expect(await json(answer)).toMatchObject({ code: 'FORBIDDEN', message: 'Only images can be published.' });
    expect((await publish(creationId, { publish: false })).status).toBe(200);
    expect((await publish(creationId, { publish: 'yes' })).status).toBe(400);
  });
});

describe('the public page', () => {
  it('has what other sites preview, and shows a prompt as text whatever it holds', async () => {
    const prompt = `</title><script>alert('x')</script> "a fox" & more`;
    const { creationId: id } = await draw(prompt, true);
    const answer = await fetch(`${product.origin}/c/${id}`);
    const html = await answer.text();
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=60, must-revalidate');
    expect(answer.headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(html.match(/<script[^]*?>/g)).toEqual(['<script src="/theme.js">']);
    expect(html).not.toContain('<b>');
    expect(html).toContain(
      '&lt;/title&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &quot;a fox&quot; &amp; more',
    );
    expect(html).toContain('Ada &lt;b&gt;Lovelace&lt;/b&gt;');
    expect(html).toContain(`<meta property="og:image" content="${product.origin}/c/${id}/image">`);
    expect(html).toContain(`<meta property="og:url" content="${product.origin}/c/${id}">`);
    expect(html).toContain('<meta name="twitter:card" content="summary_large_image">');
    expect(html).toContain('Made on this server');
    expect(html).toContain(`[data-theme='light']`);
  });

  it('says in words where nothing is on show', async () => {
    for (const id of [UNKNOWN, 'nonsense']) {
      const answer = await fetch(`${product.origin}/c/${id}`);
      expect(answer.status).toBe(404);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(await answer.text()).toContain('Not on show');
    }
  });
});

describe('the file of a result', () => {
  let url: string;
  let bytes: Buffer;

  beforeEach(async () => {
    url = (await draw()).content;
    bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
  });

  it('is for a year, its type certain, and may be shown by pages of either name of this machine', async () => {
    const { headers } = await fetch(url);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(bytes.length),
      'content-disposition': 'inline; filename="pressroom.png"',
      'cache-control': 'private, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
      'accept-ranges': 'bytes',
    });
    expect(
      (await fetch(url.replace('localhost', '127.0.0.1'), { headers: { Accept: 'text/html' } })).status,
    ).toBe(200);
  });

  it('answers HEAD, conditions and ranges', async () => {
    const head = await fetch(url, { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe(String(bytes.length));
    expect(await head.text()).toBe('');
    const etag = head.headers.get('etag')!;

    // fetch would add `Cache-Control: no-cache` by itself, which asks for the whole.
    const headers = { 'If-None-Match': etag, 'Cache-Control': 'max-age=0' };
    const known = await fetch(url, { headers });
    expect(known.status).toBe(304);

    const part = await fetch(url, { headers: { Range: 'bytes=4-9' } });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe(`bytes 4-9/${bytes.length}`);
    expect(Buffer.from(await part.arrayBuffer()).equals(bytes.subarray(4, 10))).toBe(true);

    const end = await fetch(url, { headers: { Range: 'bytes=-3', 'If-Range': etag } });
    expect(Buffer.from(await end.arrayBuffer()).equals(bytes.subarray(-3))).toBe(true);
    expect((await fetch(url, { headers: { Range: 'bytes=0-1', 'If-Range': '"another"' } })).status).toBe(200);
    expect((await fetch(url, { headers: { Range: 'bytes=0-1,4-5' } })).status).toBe(200);
    const beyond = await fetch(url, { headers: { Range: `bytes=${bytes.length}-` } });
    expect(beyond.status).toBe(416);
    expect(beyond.headers.get('content-range')).toBe(`bytes */${bytes.length}`);
  });

  it('is not found under another key, and an upload under none', async () => {
    const keep = (kind: 'upload' | 'image', type: string) =>
      product.files.keep({
        userId: ada.id,
        kind,
        type,
        name: 'a',
        content: Buffer.from('<svg onload="alert(1)"/>'),
      });
    const upload = await keep('upload', 'image/png');
    for (const key of [upload, 'A'.repeat(43), 'short', '..%2F..%2Fetc%2Fpasswd']) {
      const answer = await fetch(`${product.origin}/files/${key}`);
      expect(answer.status).toBe(404);
      expect((await json(answer)).code).toBe('NOT_FOUND');
    }
    for (const type of ['image/svg+xml', 'text/html']) {
      const { headers } = await fetch(`${product.origin}/files/${await keep('image', type)}`);
      expect(headers.get('content-type')).toBe('application/octet-stream');
      expect(headers.get('content-disposition')).toBe('attachment');
    }
  });

  it('whose bytes are gone is not found, and is not kept by any cache', async () => {
    const key = await product.files.keep({
      userId: ada.id,
      kind: 'image',
      type: 'image/png',
      name: '',
      content: Buffer.from('x'),
    });
    await product.store.remove([key]);
    const answer = await fetch(`${product.origin}/files/${key}`);
    expect(answer.status).toBe(404);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });
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

  it('begin with what the engine gave, which stays; the newest is shown, downloaded and published', async () => {
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

  it('are refused where another one is shown by now, and saved once for one key', async () => {
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

  it('are encoded anew: upright, without metadata or what else a file can hide, a PNG with the same pixels', async () => {
    const { creationId: id } = await draw();
    const image = await picture(40)
      .withMetadata({ orientation: 6, exif: { IFD0: { Copyright: 'private words' } } })
      .jpeg()
      .toBuffer();
    const version = await saved(id, { image });
    expect(version).toMatchObject({ type: 'image/jpeg', width: 30, height: 40 });
    const bytesOf = async (url: string) => Buffer.from(await (await fetch(url)).arrayBuffer());
    expect((await bytesOf(version.content)).includes('private words')).toBe(false);

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
      const bytes = await bytesOf(next.content);
      expect(bytes.includes('private words')).toBe(false);
      base = next.id;
      if (sent === hiding) continue;
      const [before, after] = await Promise.all([sent, bytes].map((file) => sharp(file).raw().toBuffer()));
      expect(after).toEqual(before);
    }
  });

  it('are deleted one by one, but not the first and not the one that is shown', async () => {
    const { creationId: id } = await draw();
    const seen = await changesSeenBy(ada);
    const one = await saved(id, {});
    const two = await saved(id, { base: one.id });
    for (const version of [id, two.id]) expect((await change(id, version, 'delete')).status).toBe(403);
    expect((await change(id, one.id, 'delete')).status).toBe(200);
    expect((await fetch(one.content)).status).toBe(404);
    expect((await change(id, one.id, 'delete')).status).toBe(404);
    expect((await change(id, one.id, 'restore')).status).toBe(404);
    expect((await saved(id, { base: two.id })).number).toBe(4);
    expect((await versionsOf(id)).map(({ number }) => number)).toEqual([4, 3, 1]);
    await until('three saves and a deletion to be published', () => seen.ids.length === 4);
    seen.close();
  });

  it('are bounded: of too many, the oldest that is not shown goes', async () => {
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

  it('are nobody else’s, take images only, and are gone with their creation', async () => {
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
    for (const url of [first, version.content]) expect((await fetch(url)).status).toBe(404);
    expect((await save(id, { base: version.id })).status).toBe(404);
    await restore(id);
    for (const url of [first, version.content]) expect((await fetch(url)).status).toBe(200);
    await remove(id);
    await product.sql(`UPDATE creations SET deleted_at = now() - interval '25 hours' WHERE id = $1`, [id]);
    await deleteExpiredCreations(product.dataSource);
    await product.files.sweep();
    expect(await product.sql(`SELECT id FROM creation_versions WHERE creation_id = $1`, [id])).toEqual([]);
    const keys = (await product.sql(`SELECT key FROM objects`)).map(({ key }) => key);
    for (const url of [first, version.content]) {
      expect(keys).not.toContain(url.slice(-43));
      expect(product.stored()).not.toContain(url.slice(-43));
    }
  });

  it('count as storage, and need room', async () => {
    const { creationId: id } = await draw();
    const used = async () => (await json(await ada.call('/api/user/account'))).storage.used;
    const before = await used();
    const image = await png(400);
    const version = await saved(id, { image });
    const after = await used();
    expect(after - before).toBeGreaterThanOrEqual(image.length);
    await product.sql(`UPDATE objects SET bytes = 101 * 1024 * 1024 WHERE key = $1`, [
      version.content.slice(-43),
    ]);
    const answer = await save(id, { base: version.id });
    expect([answer.status, (await json(answer)).code]).toEqual([409, 'STORAGE_FULL']);
    expect(product.spooled()).toEqual([]);
  });

  it('are refused where they are no image, hostile, or badly named', async () => {
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

describe('a creation as the input of a job', () => {
  const use = (creation: string, client = ada, fields = {}) =>
    client.call('/api/ai/probe-image', { json: { object: 'its child', creation, ...fields } });
  const read = async (id: string, client = ada) => json(await client.call(`/api/user/creations/${id}`));
  const pixels = async (address: string) => {
    const image = sharp(await (await fetch(address)).arrayBuffer());
    return (await image.raw().toBuffer()).subarray(0, 3).toString('hex');
  };
  const sendRed = async () => {
    const red = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const body = form({ object: 'a red square', image: { bytes: red, name: 'red.png' } });
    return json(await ada.call('/api/ai/probe-image', { body }));
  };
  const credits = async () => (await json(await ada.call('/api/user/account'))).credits.remaining;

  it('is worked on without an upload, and the result knows the chain', async () => {
    const source = await sendRed();
    const child = await json(await use(source.creationId));
    expect(await pixels(child.content)).toBe(await pixels(source.content));
    const grandchild = await json(await use(child.creationId));
    expect(await credits()).toBe(27);

    const { creation, sources } = await read(grandchild.creationId);
    expect(creation.madeFrom).toBe(child.creationId);
    expect(sources).toEqual([
      expect.objectContaining({ id: child.creationId, madeFrom: source.creationId }),
      expect.objectContaining({ id: source.creationId, madeFrom: null, thumbnail: expect.any(String) }),
    ]);

    await remove(child.creationId);
    expect(await read(grandchild.creationId)).toMatchObject({ creation: { madeFrom: null }, sources: [] });
    await restore(child.creationId);
    expect((await read(grandchild.creationId)).sources).toHaveLength(2);
    await product.sql(`DELETE FROM creations WHERE id = $1`, [child.creationId]);
    expect(await read(grandchild.creationId)).toMatchObject({ creation: { madeFrom: null }, sources: [] });

    let last = source.creationId;
    for (let n = 0; n <= MAX_SOURCES_LISTED; n += 1) {
      const [made] = await product.sql(
        `INSERT INTO creations (id, user_id, tool, type, prompt, content, engine, made_from)
         SELECT gen_random_uuid(), user_id, tool, type, '', content, engine, id FROM creations WHERE id = $1
         RETURNING id AS name`,
        [last],
      );
      last = made!.name;
    }
    expect((await read(last)).sources).toHaveLength(MAX_SOURCES_LISTED);
  });

  it('shows nothing of the chain to others, once it is published', async () => {
    const source = await draw('a secret prototype');
    const child = await json(await use(source.creationId));
    await publish(child.creationId);
    const feed = await (await bob.call('/api/user/get-published-creations')).text();
    const page = await (await fetch(`${product.origin}/c/${child.creationId}`)).text();
    expect(feed).toContain(child.creationId);
    expect(page).toContain('its child');
    for (const shown of [feed, page]) {
      expect(shown).not.toContain(source.creationId);
      expect(shown).not.toContain('secret');
      expect(shown).not.toMatch(/madeFrom|made_from|settings|sources/);
    }
    expect((await fetch(`${product.origin}/c/${source.creationId}`)).status).toBe(404);
  });

  it('is refused where it is another’s, deleted, a text, or sent beside a file', async () => {
    const source = await draw();
    const text = await json(await ada.call('/api/ai/generate-blog-title', { json: { prompt: 'tea' } }));
    const left = await credits();
    const refusal = async (answer: Promise<Response>) => {
      const { status } = await answer;
      return [status, (await json(await answer)).code];
    };
    expect(await refusal(use(source.creationId, bob))).toEqual([404, 'NOT_FOUND']);
    expect(await refusal(use(UNKNOWN))).toEqual([404, 'NOT_FOUND']);
    expect(await refusal(use('no id'))).toEqual([400, 'VALIDATION_FAILED']);
    expect(await refusal(use(text.creationId))).toEqual([422, 'UNREADABLE_IMAGE']);
    const image = {
      bytes: await sharp(Buffer.alloc(300), { raw: { width: 10, height: 10, channels: 3 } })
        .png()
        .toBuffer(),
      name: 'a.png',
    };
    const both = form({ object: 'x', creation: source.creationId, image });
    expect(await refusal(ada.call('/api/ai/probe-image', { body: both }))).toEqual([
      400,
      'VALIDATION_FAILED',
    ]);
    await remove(source.creationId);
    expect(await refusal(use(source.creationId))).toEqual([404, 'NOT_FOUND']);
    expect(await credits()).toBe(left);
  });

  it('that is deleted before the work begins ends it clearly, with a refund, and with no retry', async () => {
    const source = await draw();
    const left = await credits();
    closeGate();
    const { job } = await json(
      await ada.call('/api/ai/probe-image', {
        json: { creation: source.creationId },
        headers: { Prefer: 'respond-async' },
      }),
    );
    await remove(source.creationId);
    gate.open();
    const ended = await until('the job failed', async () => {
      const now = (await json(await ada.call(`/api/jobs/${job.id}`))).job;
      return now.status === 'failed' && now;
    });
    const message = expect.stringContaining('was deleted');
    expect(ended).toMatchObject({ credits: 0, error: { code: 'NOT_FOUND', message } });
    expect(await credits()).toBe(left);
    const retried = await ada.call(`/api/jobs/${job.id}/retry`, { method: 'POST' });
    expect([retried.status, (await json(retried)).code]).toEqual([409, 'JOB_NOT_RETRYABLE']);
  });
});

describe('several at once', () => {
  const ask = (count: number, headers: Record<string, string> = {}) =>
    ada.call('/api/ai/probe-image', { json: { object: 'foxes', count }, headers });
  const credits = async () => (await json(await ada.call('/api/user/account'))).credits.remaining;

  it('are jobs of one group with a charge each, however often one key is sent', async () => {
    const headers = { Prefer: 'respond-async', 'Idempotency-Key': 'four foxes' };
    const answers = await Promise.all([ask(4, headers), ask(4, headers), ask(4, headers)]);
    const groups = await Promise.all(answers.map(json));
    const ids = groups.map(({ jobs }) => jobs.map(({ id }) => id));
    expect(new Set(ids[0]).size).toBe(4);
    expect(ids[1]).toEqual(ids[0]);
    expect(ids[2]).toEqual(ids[0]);
    const { job, jobs } = groups[0]!;
    expect([job.id]).toEqual(ids[0]?.slice(0, 1));
    expect(jobs.map(({ group }) => group)).toEqual(Array(4).fill(job.group));
    expect(await credits()).toBe(26);
    const other = await ask(3, headers);
    expect((await json(other)).code).toBe('IDEMPOTENCY_MISMATCH');
  });

  it('are waited for together by a plain call', async () => {
    const answer = await json(await ask(2));
    expect(answer).toMatchObject({ success: true, content: expect.any(String), jobId: answer.jobs[0].id });
    expect(answer.jobs.map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
    expect((await creations()).total).toBe(2);
  });

  it('are refused as a whole where the credits do not cover all of them', async () => {
    for (let i = 0; i < 7; i += 1) await ask(4);
    expect(await credits()).toBe(2);
    const refused = await ask(3);
    expect([refused.status, (await json(refused)).code]).toEqual([402, 'INSUFFICIENT_CREDITS']);
    expect(await credits()).toBe(2);
    expect((await creations()).total).toBe(28);
    expect((await ask(2)).status).toBe(200);
    expect(await credits()).toBe(0);
  });
});

describe('the text of a creation', () => {
  const SESSIONS = ['a', 'b'].map((digit) => UNKNOWN.replace(/^0+/, digit.repeat(8))) as [string, string];
  const write = async (content = 'As the engine gave it.', type = 'article', client = ada) => {
    const id = randomUUID();
    await product.sql(
      `INSERT INTO creations (id, user_id, tool, type, prompt, content, engine)
       VALUES ($1, $2, 'generate-article', $3, 'Winter', $4, 'offline')`,
      [id, client.id, type, content],
    );
    return id;
  };
  const tag = (revision: number) => `"${revision}"`;
  const edit = (
    id: string,
    {
      revision = 1,
      content = 'Edited',
      session = SESSIONS[0],
      label = undefined as string | undefined,
      client = ada,
      match = tag(revision),
    },
  ) =>
    client.call(`/api/user/creations/${id}/content`, {
      method: 'PUT',
      json: { content, session, label },
      headers: match ? { 'If-Match': match } : {},
    });
  const edited = async (id: string, options: Parameters<typeof edit>[1]) => {
    const answer = await edit(id, options);
    expect(answer.status).toBe(200);
    return (await json(answer)).creation;
  };
  const read = async (id: string) => {
    const answer = await ada.call(`/api/user/creations/${id}`);
    return { tag: answer.headers.get('etag'), ...(await json(answer)).creation };
  };
  const versionsOf = async (id: string) =>
    (await json(await ada.call(`/api/user/creations/${id}/versions`))).versions;
  const contentsOf = async (id: string) => (await versionsOf(id)).map(({ content }) => content);
  const change = (id: string, version: string, what: 'restore' | 'delete') =>
    ada.call(`/api/user/creations/${id}/versions/${version}${what === 'restore' ? '/restore' : ''}`, {
      method: what === 'restore' ? 'POST' : 'DELETE',
    });
  const name = (id: string, version: string, label: string) =>
    ada.call(`/api/user/creations/${id}/versions/${version}`, { method: 'PATCH', json: { label } });

  it('is edited with one version for each session, and what the engine gave stays', async () => {
    const id = await write();
    expect(await read(id)).toMatchObject({ revision: 1, editable: true, tag: '"1"' });
    expect(await versionsOf(id)).toEqual([
      expect.objectContaining({ id, number: 1, original: true, current: true, named: false, width: null }),
    ]);
    await edited(id, { content: '# One 🦊' });
    expect(await edited(id, { revision: 2, content: '# One, longer' })).toMatchObject({ revision: 3 });
    await edited(id, { revision: 3, content: 'Two', session: SESSIONS[1], label: 'Made shorter' });
    expect((await versionsOf(id)).map(({ label, named }) => [label, named])).toEqual([
      ['Made shorter', false],
      ['Edited', false],
      [expect.any(String), false],
    ]);
    expect(await contentsOf(id)).toEqual(['Two', '# One, longer', 'As the engine gave it.']);
    expect(await read(id)).toMatchObject({ content: 'Two', revision: 4, tag: '"4"' });
    expect((await creations(ada, '?search=two')).creations).toHaveLength(1);
    expect((await creations(ada, '?search=engine')).creations).toHaveLength(0);

    expect((await json(await change(id, id, 'restore'))).creation).toMatchObject({
      content: 'As the engine gave it.',
      revision: 5,
    });
    await edited(id, { revision: 5, content: 'Three', session: SESSIONS[1] });
    expect(await contentsOf(id)).toEqual(['Three', 'Two', '# One, longer', 'As the engine gave it.']);
  });

  it('is not overwritten by who edited an older one; an answer that was lost is no conflict', async () => {
    const id = await write();
    const answers = await Promise.all([1, 2, 3].map((n) => edit(id, { content: `By tab ${n}` })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
    const { content } = await read(id);
    const stale = await edit(id, { content: 'Late' });
    expect(await json(stale)).toMatchObject({ code: 'VERSION_CONFLICT', details: { revision: 2 } });
    expect(await edited(id, { content })).toMatchObject({ revision: 2, content });
    for (const match of ['*', 'W/"2"', '"two"', '"0"']) expect((await edit(id, { match })).status).toBe(412);
    const without = await edit(id, { match: '' });
    expect([without.status, (await json(without)).code]).toEqual([428, 'PRECONDITION_REQUIRED']);
  });

  it('keeps versions with a name; of the others the oldest go', async () => {
    const id = await write();
    await edited(id, { content: 'Good' });
    const [good] = await versionsOf(id);
    expect((await json(await name(id, good!.id, '  Before the cut '))).version).toMatchObject({
      label: 'Before the cut',
      named: true,
    });
    for (let n = 0; n < 22; n += 1) {
      const session = UNKNOWN.replace(/^0+/, String(10_000_000 + n));
      await edited(id, { revision: n + 2, content: `Draft ${n}`, session });
    }
    const versions = await versionsOf(id);
    expect(versions).toHaveLength(21);
    expect(versions.slice(-3).map(({ content }) => content)).toEqual([
      'Draft 3',
      'Good',
      'As the engine gave it.',
    ]);
    await edited(id, { revision: 24, content: 'Better', session: SESSIONS[0] });
    expect((await versionsOf(id)).find(({ label }) => label === 'Before the cut')?.content).toBe('Good');

    expect((await change(id, good!.id, 'delete')).status).toBe(200);
    expect((await change(id, good!.id, 'delete')).status).toBe(404);
    expect((await name(id, id, 'Mine')).status).toBe(403);
    expect((await name(id, versions[0]!.id, ' ')).status).toBe(400);
  });

  it('is refused where it is no text, too long, or nobody’s', async () => {
    const id = await write();
    const refusals = await Promise.all([
      edit(id, { content: '' }),
      edit(id, { content: ' \n ' }),
      edit(id, { content: 'x'.repeat(60_001) }),
      edit(id, { content: 'nul \0' }),
      edit(id, { content: 'half \ud83e' }),
      edit(id, { content: '['.repeat(2_000) }),
      edit(id, { session: 'mine' }),
      edit(id, { label: ' ' }),
      edit(id, { client: bob }),
      edit(UNKNOWN, {}),
      edit((await draw()).creationId, {}),
      edit(await write('{}', 'ats-score'), {}),
    ]);
    expect(refusals.map(({ status }) => status)).toEqual([
      ...Array<number>(8).fill(400),
      ...[404, 404, 403, 403],
    ]);
    expect(await read(id)).toMatchObject({ content: 'As the engine gave it.', revision: 1 });
    expect((await edited(id, { content: '\u0001'.repeat(60_000) })).content).toHaveLength(60_000);
    await remove(id);
    expect((await edit(id, { revision: 2 })).status).toBe(404);
  });

  const share = (id: string, live?: boolean, client = ada) =>
    client.call(`/api/user/creations/${id}/share`, {
      method: 'PUT',
      ...(live !== undefined && { json: { live } }),
    });
  const shared = async (id: string, live?: boolean) => (await json(await share(id, live))).share!;
  const readShared = (url: string) => fetch(url.replace('/t/', '/api/shared/'));
  const textOf = async (url: string) => (await json(await readShared(url))).text;

  it('is shared by a link that nobody can guess, with or without later edits', async () => {
    const id = await write('# Harbours <b>\n\nThe *sea* is deep.');
    const link = `/api/user/creations/${id}/share`;
    expect((await json(await ada.call(link))).share).toBeNull();
    const { url, live } = await shared(id);
    expect([url, live]).toEqual([expect.stringMatching(/\/t\/[\w-]{43}$/), true]);
    expect(await textOf(url)).toMatchObject({ title: 'Harbours <b>', author: 'Ada <b>Lovelace</b>' });
    await edited(id, { content: 'Newer' });
    expect(await textOf(url)).toMatchObject({ title: 'Newer', content: 'Newer' });

    expect(await shared(id, false)).toMatchObject({ url, live: false });
    await edited(id, { revision: 2, content: 'Private again' });
    expect((await textOf(url)).content).toBe('Newer');
    expect((await json(await ada.call(link))).share).toMatchObject({ url, live: false });
    await remove(id);
    expect((await readShared(url)).status).toBe(404);
    await restore(id);
    expect((await readShared(url)).headers.get('cache-control')).toBe('no-store');

    expect((await ada.call(link, { method: 'DELETE' })).status).toBe(200);
    expect((await ada.call(link, { method: 'DELETE' })).status).toBe(200);
    expect((await readShared(url)).status).toBe(404);
    expect((await shared(id)).url).not.toBe(url);
  });

  it('is shared by nobody else, and an image not at all', async () => {
    const id = await write();
    expect((await share(id, true, bob)).status).toBe(404);
    expect((await bob.call(`/api/user/creations/${id}/share`)).status).toBe(404);
    expect((await share((await draw()).creationId)).status).toBe(403);
    for (const token of ['short', 'A'.repeat(43), '%00'])
      expect((await fetch(`${product.origin}/api/shared/${token}`)).status).toBe(404);
  });

  it('has a page with tags for previews, which no search engine lists', async () => {
    const { url } = await shared(await write('# Harbours "at <b>sea</b>"\n\nThe *sea* is deep.'));
    const page = await fetch(url);
    const html = await page.text();
    expect([page.status, page.headers.get('cache-control'), page.headers.get('x-robots-tag')]).toEqual([
      ...[200, 'no-store', 'noindex, nofollow'],
    ]);
    expect(html).toContain('<title>Harbours &quot;at &lt;b&gt;sea&lt;/b&gt;&quot; · Pressroom</title>');
    expect(html).toContain(`<meta property="og:url" content="${url}">`);
    expect(html).toContain('<meta property="og:description" content="The sea is deep.">');
    expect(html).toContain('noindex');
    const gone = await fetch(`${product.origin}/t/${'A'.repeat(43)}`);
    expect([gone.status, await gone.text()]).toEqual([404, expect.stringContaining('<title>Not shared')]);
  });
});
