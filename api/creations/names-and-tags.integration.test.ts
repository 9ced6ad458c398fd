import { beforeEach, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import {
  MAX_SAVED_SEARCHES,
  MAX_SELECTED,
  MAX_TAGS,
  MAX_TAGS_OF_USER,
  MAX_ZIPS,
} from '#libs/contract/creations.js';
import { json, type SignedInUser, useInProcessProduct } from '../../test/support/in-process-product.ts';
import { allowTimeForPrograms } from '../../test/support/time-limits.ts';
import { until } from '../../test/support/until.ts';
import { unzip } from '../../test/support/unzip.ts';

allowTimeForPrograms();

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const LIST = '/api/user/get-user-creations';

const product = useInProcessProduct({ RATE_LIMIT_REQUESTS: '1000000' });
let ada: SignedInUser;
let bob: SignedInUser;

beforeEach(async () => {
  [ada, bob] = await Promise.all([product.signUp('Ada'), product.signUp('Bob')]);
});

let stored = 0;

/** Stores creations of a user, each at least a millisecond after the previous one. @returns their ids */
async function store({ id }: SignedInUser, prompts: string[], type = 'article'): Promise<string[]> {
  const ids: string[] = [];
  for (const prompt of prompts) {
    const [row] = await product.sql(
      `INSERT INTO creations (id, user_id, tool, type, prompt, content, engine, created_at)
       VALUES (gen_random_uuid(), $1, 'generate-article', $3, $2, 'The text of it.', 'offline',
         now() + $4 * interval '1 millisecond') RETURNING id`,
      [id, prompt, type, (stored += 1)],
    );
    ids.push(row!.id);
  }
  return ids;
}

const list = async (query = '', client = ada) => json(await client.call(`${LIST}${query}`));
const prompts = async (query: string, client = ada) =>
  (await list(query, client)).creations.map(({ prompt }) => prompt);
const rename = (id: string, change: object, client = ada) =>
  client.call(`/api/user/creations/${id}`, { method: 'PATCH', json: change });
const tag = (ids: string[], name: unknown, add = true, client = ada) =>
  client.call('/api/user/creations/tags', { json: { ids, tag: name, add } });

describe('the name of a creation', () => {
  it('is found by a search, in addition to the prompt, until it is removed', async () => {
    const [id] = (await store(ada, ['About foxes'])) as [string];
    const { creation } = await json(await rename(id, { name: '  The   red\none ' }));
    expect(creation).toMatchObject({ name: 'The red one', prompt: 'About foxes' });
    expect(await prompts('?search=red%20foxes')).toEqual(['About foxes']);
    expect((await json(await rename(id, { name: null }))).creation.name).toBeNull();
    expect(await prompts('?search=red')).toEqual([]);
  });

  it.each([[''], ['   '], ['x'.repeat(121)], ['a\0b'], [3]])('is not %j', async (name) => {
    const [id] = (await store(ada, ['A'])) as [string];
    expect((await rename(id, { name })).status).toBe(400);
  });

  it('is set while many writes of another user wait for their lock', async () => {
    const [own] = (await store(ada, ['A'])) as [string];
    const [other] = (await store(bob, ['B'])) as [string];
    const statuses: number[] = [];
    const write = async () => statuses.push((await rename(own, { favourite: true })).status);
    const writes: Promise<number>[] = [];
    await product.dataSource.transaction(async (transaction) => {
      await transaction.query(`SELECT FROM users WHERE id = $1 FOR UPDATE`, [ada.id]);
      writes.push(...Array.from({ length: 120 }, write));
      expect((await rename(other, { name: 'Mine' }, bob)).status).toBe(200);
      await until('the refusals', () => statuses.length === 18);
      expect(new Set(statuses)).toEqual(new Set([429]));
    });
    await Promise.all(writes);
    expect(statuses.filter((status) => status === 200)).toHaveLength(102);
  });

  it('is set by its user only', async () => {
    const [id] = (await store(ada, ['A'])) as [string];
    for (const [target, client] of [
      [id, bob],
      [UNKNOWN, ada],
      ['no-id', ada],
    ] as const)
      expect((await rename(target, { name: 'Mine', favourite: true }, client)).status).toBe(404);
    expect((await list()).creations[0]).toMatchObject({ name: null, favourite: false });
  });
});

describe('tags and favourites', () => {
  it('are listed, counted and filtered, in pages and in both orders', async () => {
    const ids = await store(ada, ['one', 'two', 'three']);
    const [image] = (await store(ada, ['four'], 'image')) as [string];
    expect(await json(await tag([...ids, image, UNKNOWN], ' Garden  Work '))).toMatchObject({
      tag: 'garden work',
      changed: expect.arrayContaining([...ids, image]),
    });
    expect((await json(await tag([ids[0]!, ids[1]!], 'garden work'))).changed).toEqual([]);
    await tag([ids[1]!], 'b');
    await rename(ids[1]!, { favourite: true });
    await rename(image, { favourite: true });

    expect(await list('?tag=Garden%20Work')).toMatchObject({
      total: 4,
      counts: { article: 3, image: 1 },
      tags: ['b', 'garden work'],
    });
    expect(await prompts('?tag=garden%20work')).toEqual(['four', 'three', 'two', 'one']);
    const { nextCursor, creations } = await list('?tag=garden%20work&sort=oldest&limit=2');
    expect(creations.map(({ prompt }) => prompt)).toEqual(['one', 'two']);
    expect(creations[1]).toMatchObject({ favourite: true, tags: ['b', 'garden work'] });
    expect(await prompts(`?tag=garden%20work&sort=oldest&limit=2&cursor=${nextCursor}`)).toEqual([
      'three',
      'four',
    ]);
    expect(await prompts('?favourite=true')).toEqual(['four', 'two']);
    expect(await list('?favourite=true&tag=b')).toMatchObject({
      creations: [{ prompt: 'two' }],
      counts: { article: 1, image: 0 },
    });
    expect(await prompts('?favourite=true&type=image&search=four')).toEqual(['four']);
    expect(await prompts('?tag=garden%20work&search=text%20one')).toEqual(['one']);
    expect(await prompts('?tag=nothing')).toEqual([]);
    await tag([ids[0]!], 'Cafe\u0301');
    expect(await prompts('?tag=cafe%CC%81')).toEqual(['one']);
    expect(await prompts('?tag=%20caf%C3%A9')).toEqual(['one']);
    await tag([ids[0]!], 'café', false);
    expect(await prompts('?tag=garden%20%20work&limit=1')).toEqual(['four']);
    expect((await ada.call(`${LIST}?favourite=perhaps`)).status).toBe(400);

    expect((await json(await tag(ids, 'garden work', false))).changed).toHaveLength(3);
    expect(await prompts('?tag=garden%20work')).toEqual(['four']);
  });

  it('are not listed while their creation is deleted', async () => {
    const [id] = (await store(ada, ['one'])) as [string];
    await tag([id], 'kept');
    await rename(id, { favourite: true });
    const path = `/api/user/creations/${id}`;
    await ada.call(path, { method: 'DELETE' });
    expect(await list('?tag=kept')).toMatchObject({ creations: [], tags: [], counts: {} });
    expect((await json(await tag([id], 'late'))).changed).toEqual([]);
    await ada.call(`${path}/restore`, { method: 'POST' });
    expect(await list('?tag=kept&favourite=true')).toMatchObject({
      creations: [{ id, tags: ['kept'], favourite: true }],
      tags: ['kept'],
    });
    await product.sql(`DELETE FROM creations WHERE id = $1`, [id]);
    expect(await product.sql(`SELECT tag FROM creation_tags WHERE user_id = $1`, [ada.id])).toEqual([]);
  });

  it('are private to their user', async () => {
    const ids = await store(ada, ['one']);
    expect((await json(await tag(ids, 'theirs', true, bob))).changed).toEqual([]);
    await tag(ids, 'mine');
    expect((await json(await tag(ids, 'mine', false, bob))).changed).toEqual([]);
    expect(await list('?tag=mine', bob)).toMatchObject({ creations: [], tags: [] });
    expect((await list()).tags).toEqual(['mine']);
  });

  it('have limits of length and number', async () => {
    const [first, second] = (await store(ada, ['one', 'two'])) as [string, string];
    for (const wrong of ['', '  ', 'a,b', '★', 'x'.repeat(41), 7])
      expect((await tag([first], wrong)).status).toBe(400);
    expect((await tag([], 'a')).status).toBe(400);
    expect((await tag(Array<string>(MAX_SELECTED + 1).fill(first), 'a')).status).toBe(400);
    for (let i = 0; i < MAX_TAGS; i += 1) expect((await tag([first], `tag ${i}`)).status).toBe(200);
    const refused = await tag([second, first], 'too many');
    expect(refused.status).toBe(400);
    expect((await json(refused)).message).toBe('A creation has at most 20 tags. Remove one first.');
    expect((await list('?tag=too%20many')).creations).toEqual([]);
    await product.sql(
      `INSERT INTO creation_tags (creation_id, tag, user_id, type, created_at)
       SELECT $1, 'more ' || n, $2, 'article', now() FROM generate_series(1, $3::integer) AS n`,
      [second, ada.id, MAX_TAGS_OF_USER - MAX_TAGS],
    );
    const [third] = (await store(ada, ['three'])) as [string];
    expect((await json(await tag([third], 'one too many'))).message).toMatch(/^You have 200 different tags/);
    expect((await tag([third], 'tag 0')).status).toBe(200);
  });
});

describe('several creations', () => {
  const many = (action: string, ids: string[], client = ada) =>
    client.call(`/api/user/creations/${action}`, { json: { ids } });

  it('are deleted with the results of their jobs, and restored, by their user only', async () => {
    const { creationId, jobId } = await json(
      await ada.call('/api/ai/probe-image', { json: { object: 'a fox' } }),
    );
    const ids = [creationId, ...(await store(ada, ['one', 'two']))];
    const job = async () => (await json(await ada.call(`/api/jobs/${jobId}`))).job.result;
    expect((await json(await many('delete', ids, bob))).deleted).toEqual([]);
    expect((await json(await many('delete', [...ids, UNKNOWN]))).deleted.sort()).toEqual([...ids].sort());
    expect((await list()).total).toBe(0);
    expect(await job()).toBeNull();
    expect((await json(await many('delete', ids))).deleted).toEqual([]);
    expect((await json(await many('restore', ids, bob))).restored).toEqual([]);
    await product.sql(`UPDATE creations SET deleted_at = now() - interval '25 hours' WHERE id = $1`, [
      ids[2],
    ]);
    expect((await json(await many('restore', ids))).restored.sort()).toEqual(ids.slice(0, 2).sort());
    expect((await list()).total).toBe(2);
    expect(await job()).not.toBeNull();
    expect((await many('delete', [])).status).toBe(400);
    expect((await many('restore', ['no-id'])).status).toBe(400);
  });

  it('are downloaded as a ZIP with their names and edited texts, for an hour', async () => {
    const { creationId } = await json(
      await ada.call('/api/ai/probe-image', { json: { object: 'AC/DC: fox.x' } }),
    );
    const [one, two] = (await store(ada, ['Grüße', 'two'])) as [string, string];
    await rename(two, { name: 'Grüße' });
    const edit = await ada.call(`/api/user/creations/${one}/content`, {
      ...{ method: 'PUT', headers: { 'If-Match': '"1"' } },
      json: { content: '# My own words', session: UNKNOWN },
    });
    expect(edit.status).toBe(200);
    expect((await many('zip', [one], bob)).status).toBe(404);
    const { url, count } = await json(await many('zip', [creationId, one, two, UNKNOWN]));
    expect(count).toBe(3);
    const files = await filesOf(await fetch(url));
    expect(Object.keys(files).sort()).toEqual(['AC-DC_ fox.x.png', 'Grüße (2).md', 'Grüße.md']);
    expect([files['Grüße.md'], files['Grüße (2).md']].map(String).sort()).toEqual([
      '# My own words',
      'The text of it.',
    ]);
    expect((await sharp(files['AC-DC_ fox.x.png']).metadata()).format).toBe('png');

    await many('delete', [creationId, one]);
    expect(Object.keys(await filesOf(await fetch(url)))).toEqual(['Grüße.md']);
    await product.sql(`UPDATE creation_zips SET created_at = now() - interval '61 minutes'`);
    expect((await fetch(url)).status).toBe(404);
    expect((await fetch(`${product.origin}/files/creations/${'A'.repeat(43)}`)).status).toBe(404);
  });

  it('have a limited number of ZIP addresses, the newest ones, with the user’s own creations only', async () => {
    const own = await store(ada, ['one', 'two']);
    const others = await store(bob, ['his']);
    const urls: string[] = [];
    for (let i = 0; i < MAX_ZIPS + 2; i += 1)
      urls.push((await json(await many('zip', [...own, ...others]))).url);
    expect(
      await product.sql(
        `SELECT count(*)::integer AS zips, max(cardinality(creation_ids)) AS creations FROM creation_zips WHERE user_id = $1`,
        [ada.id],
      ),
    ).toEqual([{ zips: MAX_ZIPS, creations: 2 }]);
    expect((await fetch(urls[1]!)).status).toBe(404);
    expect(Object.keys(await filesOf(await fetch(urls.at(-1)!))).sort()).toEqual(['one.md', 'two.md']);
  });
});

async function filesOf(answer: Response): Promise<Record<string, Buffer>> {
  expect(answer.status).toBe(200);
  return Object.fromEntries(unzip(Buffer.from(await answer.arrayBuffer())));
}

describe('saved searches', () => {
  const search = (path = '', options: RequestInit & { json?: unknown } = {}, client = ada) =>
    client.call(`/api/user/searches${path}`, options);
  const filter = { search: 'fox', type: '', tag: 'garden', favourite: true };

  it('are created, listed, renamed and deleted by their user only', async () => {
    const { search: made } = await json(await search('', { json: { name: ' Best  foxes ', filter } }));
    expect(made).toMatchObject({ name: 'Best foxes', filter });
    expect((await json(await search())).searches).toEqual([made]);
    expect((await json(await search('', {}, bob))).searches).toEqual([]);
    const path = `/${made.id}`;
    const change = { method: 'PATCH', json: { name: 'Better' } };
    for (const [target, client] of [
      [path, bob],
      [`/${UNKNOWN}`, ada],
      ['/no-id', ada],
    ] as const) {
      expect((await search(target, change, client)).status).toBe(404);
      expect((await search(target, { method: 'DELETE' }, client)).status).toBe(404);
    }
    expect((await json(await search(path, change))).search.name).toBe('Better');
    expect((await search(path, { method: 'DELETE' })).status).toBe(200);
    expect((await json(await search())).searches).toEqual([]);
  });

  it('have a name, a filter and a limit', async () => {
    for (const wrong of [
      { name: '', filter },
      { name: 'x'.repeat(61), filter },
      { name: 'a', filter: {} },
      { name: 'a', filter: { search: 'x'.repeat(201) } },
      { name: 'a' },
      { name: 'a', filter: { search: 'half of a pair: \ud83e' } },
      { name: 'a', filter: { tag: '\ud83e' } },
    ])
      expect((await search('', { json: wrong })).status).toBe(400);
    await product.sql(
      `INSERT INTO saved_searches (id, user_id, name, filter)
       SELECT gen_random_uuid(), $1, 'n', '{}' FROM generate_series(1, ${MAX_SAVED_SEARCHES - 1})`,
      [ada.id],
    );
    const sent = await product.dataSource.transaction(async (transaction) => {
      await transaction.query(`SELECT FROM users WHERE id = $1 FOR UPDATE`, [ada.id]);
      const both = [1, 2].map(() => search('', { json: { name: 'a', filter } }));
      await until('both to wait for the lock', async () => {
        const [waiting] = await product.sql(
          `SELECT count(*)::integer FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        );
        return waiting!.count >= 2;
      });
      return { both };
    });
    const answers = await Promise.all(sent.both);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    const refused = answers.find(({ status }) => status === 400)!;
    expect((await json(refused)).message).toMatch(/^You have 50 folders/);
  });
});
