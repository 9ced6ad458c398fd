import { beforeEach, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { collectCreationChanges, creationRequests } from '../../test/support/creation-requests.ts';
import { json, type SignedInUser, useInProcessProduct } from '../../test/support/in-process-product.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';
import { until } from '../../test/support/until.ts';

allowTimeForPrograms();

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

const product = useInProcessProduct();
let ada: SignedInUser;
let bob: SignedInUser;
const { draw, creations, publish, remove, restore } = creationRequests(() => ada);

beforeEach(async () => {
  [ada, bob] = await Promise.all([product.signUp('Ada <b>Lovelace</b>'), product.signUp('Bob')]);
});

describe('a creation', () => {
  it('is listed with addresses of its image and thumbnail', async () => {
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

  it('is listed in pages on request', async () => {
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
    // The path of an image is not part of the searchable text.
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

  it('is hidden at once when deleted, and can be restored unchanged within a day', async () => {
    const { creationId: id, content } = await draw('kept', true);
    const [own, others] = [
      await collectCreationChanges(product, ada),
      await collectCreationChanges(product, bob),
    ];
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

  it('is returned to its owner only, until it is deleted', async () => {
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

  it('is deleted, restored and published by its owner only', async () => {
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
  it('shows an image at separate addresses until it is withdrawn', async () => {
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

  it('can be requested with the job', async () => {
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
  it('has tags for link previews, and escapes the prompt', async () => {
    const prompt = `</title><script>alert('x')</script> "a fox" & more`;
    const { creationId: id } = await draw(prompt, true);
    const answer = await fetch(`${product.origin}/c/${id}`);
    const html = await answer.text();
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=60, must-revalidate, no-transform');
    expect(answer.headers.get('content-encoding')).toBeNull();
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

  it('explains that nothing is published at an address', async () => {
    for (const id of [UNKNOWN, 'nonsense']) {
      const answer = await fetch(`${product.origin}/c/${id}`);
      expect(answer.status).toBe(404);
      expect(answer.headers.get('cache-control')).toBe('no-store, no-transform');
      expect(await answer.text()).toContain('Not on show');
    }
  });

  it.each([
    ['page of an image', `/c/${UNKNOWN}`, 'creations'],
    ['image', `/c/${UNKNOWN}/image`, 'creations'],
    ['page of a text', `/t/${'A'.repeat(43)}`, 'creations'],
    ['file', `/files/${'A'.repeat(43)}`, 'objects'],
  ])(
    'and the rest have few reads at work for an address, and not many that wait: %s',
    async (_, path, table) => {
      const { dataSource, origin } = product;
      const lock = dataSource.createQueryRunner();
      await lock.startTransaction();
      await lock.query(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
      const statuses: number[] = [];
      const reads = Array.from({ length: 48 }, async () =>
        statuses.push((await fetch(origin + path)).status),
      );
      try {
        await until('refusals', () => statuses.length === 6);
        expect(statuses).toEqual(Array(6).fill(429));
        const [waiting] = await product.sql(
          `SELECT count(*)::int AS count FROM pg_locks JOIN pg_class ON pg_class.oid = relation
         WHERE relname = '${table}' AND NOT granted AND pg_locks.database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
        );
        expect(waiting!.count).toBe(2);
      } finally {
        await lock.rollbackTransaction();
        await lock.release();
      }
      await Promise.all(reads);
      expect(statuses.filter((status) => status === 404)).toHaveLength(42);
    },
  );
});

describe('the file of a result', () => {
  let url: string;
  let bytes: Buffer;

  beforeEach(async () => {
    url = (await draw()).content;
    bytes = Buffer.from(await (await fetch(url)).arrayBuffer());
  });

  it('is cacheable for a year, has a fixed type, and may be embedded from both local origins', async () => {
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

    // fetch would add `Cache-Control: no-cache`, which requests the whole file.
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

  it('is not found under another key, and uploads are never served', async () => {
    const keep = (kind: 'upload' | 'image', type: string) =>
      product.files.add({
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

  it('is reported as missing, without caching, if its bytes were deleted', async () => {
    const key = await product.files.add({
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
